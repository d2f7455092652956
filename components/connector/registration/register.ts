// Registering, as an operation: decides, records the intent, asks, records what became of it.
import type { Cluster } from "../../cluster/cluster.ts";
import { rfc3339 } from "../../workload/conditions.ts";
import type { EgressSpec } from "../../workload/network-specs.ts";
import { proxyFor } from "./corporate-proxy.ts";
import { type Credentials, resolveCredentials } from "./credentials.ts";
import { decide, type Known, type Wanted } from "./decide.ts";
import type { Route, Send } from "./http.ts";
import { type Answer, classify, isTransient, type Outcome } from "./outcome.ts";
import {
  type Entry,
  readRecord,
  type RecordPlace,
  removeRecord,
  type Stored,
  writeRecord,
} from "./record.ts";
import {
  changedFields,
  deregisterUrl,
  fieldDigests,
  registerBody,
  type RegistrationRequest,
  registerUrl,
  requestFields,
} from "./request.ts";

/** How the platform is called. */
export interface CallSpec {
  credentials?: Credentials | undefined;
  /** Certificates (PEM) of the authorities to trust in place of the well-known ones. */
  caBundle?: string | undefined;
  /** The corporate proxy of the zone. */
  egress?: EgressSpec | undefined;
  /** Seconds: of one call, and of all that one run tries. */
  limits?: { callSeconds?: number | undefined; totalSeconds?: number | undefined } | undefined;
}

/** All that registering a connector takes. */
export interface RegistrationSpec extends RegistrationRequest, CallSpec {
  generation: number;
  /** The uuid under which the platform has the connector already: then nothing is asked. */
  uuid?: string | undefined;
  /** Whether the connector runs: before that nothing is asked. */
  ready: boolean;
  place: RecordPlace;
}

/** The world outside. */
export interface Outside {
  cluster: Cluster;
  /** Calls the platform; `url` decides the way there. */
  sendTo: (url: string, route: Route) => Send;
  now: () => Date;
  sleep: (seconds: number) => Promise<void>;
}

const CALL_SECONDS = 30;
const TOTAL_SECONDS = 60;
/** Seconds before the second try; doubled before each that follows. */
const FIRST_PAUSE = 5;

/** What is wanted, for the decision. */
export function wantedOf(spec: RegistrationSpec): Wanted {
  return {
    generation: spec.generation,
    uuid: spec.uuid,
    ready: spec.ready,
    changed: (posted) => posted === undefined || changedFields(posted, deciding(spec)).length > 0,
  };
}

/** All that decides over what the platform answers. */
function deciding(spec: RegistrationSpec): object {
  const { credentials = null, caBundle = null, egress = null } = spec;
  return { ...requestFields(spec), credentials, caBundle, egress };
}

/** What the state keeps of a registration: it never holds a bare intent. */
export interface Registered extends Known {
  outcome: Outcome;
  /** Why the record does not have it; the next run tries again. */
  unrecorded?: string | undefined;
}

/** Brings the registration to what is wanted, as far as that is possible now; returns what is known then. */
export async function register(
  outside: Outside,
  spec: RegistrationSpec,
  before: Registered | undefined,
): Promise<Registered> {
  const wanted = wantedOf(spec);
  const { formerOwners = [] } = spec.place;
  const isMarked = formerOwners.length === 0;
  if (before !== undefined && decide(before, wanted) === "keep" && isMarked && !owesRecord(before))
    return before;
  const stored = await marked(outside.cluster, spec.place, await readRecord(outside.cluster, spec.place));
  const known = newest(stored, before);
  const now = rfc3339(outside.now());
  const { generation, platformUrl } = spec;
  switch (decide(known, wanted)) {
    case "keep":
    case "doubt":
      return known === before && before !== undefined && owesRecord(before)
        ? record(outside.cluster, spec.place, stored, before, now)
        : withoutIntent(known as Known, now);
    case "wait":
      return { generation, platformUrl, outcome: { outcome: "waiting" } };
    case "give": {
      const given: Registered = {
        generation,
        platformUrl,
        outcome: { outcome: "registered", uuid: spec.uuid ?? "" },
      };
      return record(outside.cluster, spec.place, stored, given, now);
    }
    case "post":
      return post(outside, spec, stored);
  }
}

/** The record under the present name of the stack, whichever it was made under. */
async function marked(cluster: Cluster, place: RecordPlace, stored: Stored): Promise<Stored> {
  if (stored.state !== "found" || stored.owner === place.owner) return stored;
  const written = await writeRecord(cluster, place, stored, stored.entry);
  if (written.state === "unusable")
    throw new Error(`${written.phrase}; it still carries a former name of the stack: run again`);
  return written;
}

/** Writes what only the state would know, to remember it without the state: where that can't be, the state does. */
async function record(
  cluster: Cluster,
  place: RecordPlace,
  stored: Stored,
  registered: Registered,
  now: string,
): Promise<Registered> {
  const known = { ...registered, unrecorded: undefined };
  return kept(known, await writeRecord(cluster, place, stored, { ...known, intentAt: now }));
}

/** Whether the state alone has an answer that stays. */
export function owesRecord({ outcome, unrecorded }: Registered): boolean {
  return unrecorded !== undefined && isFinal(outcome);
}

function isFinal({ outcome }: Outcome): boolean {
  return outcome === "registered" || outcome === "invalid";
}

/** What the state keeps, after what became of the record. */
function kept(known: Registered, stored: Stored): Registered {
  return stored.state === "unusable" ? { ...known, unrecorded: stored.phrase } : known;
}

/** What the record says, unless a run could still tell the state what it could not tell the record. */
function newest(stored: Stored, before: Registered | undefined): (Known & { intentAt?: string }) | undefined {
  if (stored.state !== "found") return before;
  const { entry } = stored;
  const isLate = before !== undefined && isFinal(before.outcome) && before.generation >= entry.generation;
  if (entry.outcome.outcome === "intent" && isLate) return before;
  return entry;
}

/** What the state keeps: an intent that nobody followed up is an unknown outcome. */
function withoutIntent(known: Known & { intentAt?: string }, now: string): Registered {
  const { intentAt = now, outcome, ...rest } = known;
  if (outcome.outcome !== "intent") return { ...rest, outcome };
  return {
    ...rest,
    outcome: { outcome: "unknown", phrase: `since the run that was going to ask at ${intentAt} was cut off` },
  };
}

async function post(outside: Outside, spec: RegistrationSpec, before: Stored): Promise<Registered> {
  const { cluster, now, sleep } = outside;
  const { generation, platformUrl, place, limits } = spec;
  const known = { generation, platformUrl, posted: fieldDigests(deciding(spec)) };
  const unavailable = (phrase: string): Registered => ({
    ...known,
    outcome: { outcome: "unavailable", phrase },
  });
  if (before.state === "unusable") return unavailable(before.phrase);
  const resolved = await resolveCredentials(cluster, place.namespace, spec.credentials ?? {});
  if ("problem" in resolved) return unavailable(resolved.problem);
  const call = {
    method: "POST",
    url: registerUrl(platformUrl),
    headers: { "Content-Type": "application/json", Accept: "application/json", ...resolved.headers },
    body: registerBody(spec),
    timeoutSeconds: limits?.callSeconds ?? CALL_SECONDS,
  } as const;
  const send = outside.sendTo(call.url, routeOf(spec, call.url, resolved.clientCertificate));
  const end = now().getTime() + (limits?.totalSeconds ?? TOTAL_SECONDS) * 1000;
  let stored: Stored = before;
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const intentAt = rfc3339(now());
    stored = await writeRecord(cluster, place, stored, {
      ...known,
      intentAt,
      outcome: { outcome: "intent" },
    });
    if (stored.state === "unusable") return unavailable(stored.phrase);
    const answer = await send(call);
    const outcome = classify(answer, rfc3339(now()));
    stored = await writeOutcome(cluster, place, stored, { ...known, intentAt, outcome });
    const wait = Math.max(pause, retryAfter(answer));
    const goesOn = isTransient(answer) && now().getTime() + wait * 1000 <= end;
    if (!goesOn || stored.state === "unusable") return kept({ ...known, outcome }, stored);
    await sleep(wait);
  }
}

/** Writes what became of the call; tries again once, since only the state would know it otherwise. */
async function writeOutcome(
  cluster: Cluster,
  place: RecordPlace,
  before: Stored,
  entry: Entry,
): Promise<Stored> {
  const written = await writeRecord(cluster, place, before, entry);
  if (written.state !== "unusable") return written;
  return writeRecord(cluster, place, await readRecord(cluster, place), entry);
}

function retryAfter(answer: Answer): number {
  return answer.answer === "response" ? (answer.retryAfterSeconds ?? 0) : 0;
}

function routeOf(call: CallSpec, url: string, clientCertificate: Route["clientCertificate"]): Route {
  return { proxy: proxyFor(url, call.egress), caBundle: call.caBundle, clientCertificate };
}

/** What deleting a registration takes. */
export interface DeletionSpec extends CallSpec {
  /** Name of the connector. */
  connector: string;
  deregisterOnDelete: boolean;
  place: RecordPlace;
}

/**
 * Forgets a registration: the platform's entry when that is asked for, and the record.
 * @throws Error with one sentence for people
 */
export async function deregister(outside: Outside, spec: DeletionSpec, known: Registered): Promise<void> {
  if (spec.deregisterOnDelete && known.outcome.outcome === "registered") {
    const problem = await callDelete(outside, spec, known.platformUrl, known.outcome);
    if (problem !== undefined) {
      throw new Error(
        `connector ${spec.connector} is still in the platform's inventory: ${problem}. Run again, or set ` +
          "registration.deregisterOnDelete to false, run `pulumi up`, and take it out there",
      );
    }
  }
  const problem = await removeRecord(outside.cluster, spec.place);
  if (problem !== undefined) {
    const { namespace, name } = spec.place;
    throw new Error(`ConfigMap ${namespace}/${name} can't be deleted: ${problem}`);
  }
}

async function callDelete(
  outside: Outside,
  spec: DeletionSpec,
  platformUrl: string,
  { uuid }: Extract<Outcome, { outcome: "registered" }>,
): Promise<string | undefined> {
  const resolved = await resolveCredentials(outside.cluster, spec.place.namespace, spec.credentials ?? {});
  if ("problem" in resolved) return resolved.problem;
  const url = deregisterUrl(platformUrl, uuid);
  const answer = await outside.sendTo(
    url,
    routeOf(spec, url, resolved.clientCertificate),
  )({
    method: "DELETE",
    url,
    headers: resolved.headers,
    timeoutSeconds: spec.limits?.callSeconds ?? CALL_SECONDS,
  });
  if (answer.answer === "none") return answer.phrase;
  const isGone = answer.code === 404 || answer.code === 410 || (answer.code >= 200 && answer.code < 300);
  return isGone ? undefined : `the platform answered with status ${answer.code}`;
}
