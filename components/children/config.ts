import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { DEPLOYMENTS, type KubeObject, type Outcome } from "../cluster/cluster.ts";
import {
  CHECKSUM_ANNOTATION,
  CHECKSUM_KEY_ID_ANNOTATION,
  checksumKeyId,
  configChecksum,
  GUARDED_REFERENCES_ANNOTATION,
  REFERENCE_DIGESTS_ANNOTATION,
  referenceDigests,
  type ReferencedObject,
  TOKEN_EXPIRES_AT_ANNOTATION,
} from "../workload/checksum.ts";
import { type GuardedReferences, guardReferences } from "../workload/config-refs.ts";
import {
  absentKey,
  type Reference,
  type ReferenceOutcome,
  type References,
  resolveReferences,
} from "../workload/references.ts";
import { envName, isMap } from "../workload/validation.ts";
import type { Live, Zone } from "../zone/zone.ts";

/** What may be shown of a workload's configuration: digests and a date, never data. */
export interface ConfigFacts {
  references: Exclude<References, { outcome: "found" }> | { outcome: "found" };
  /** Checksum for the pod template; none before the references were read for the first time. */
  checksum: string | undefined;
  /** The checksum's companions on the Deployment itself. */
  annotations: Record<string, string>;
  /** References that must be wired key by key: they hold variables that are reserved. */
  guarded: GuardedReferences;
  /** RFC 3339; undefined when the token does not say, or could not be read. */
  tokenExpiresAt: string | undefined;
}

/** What a workload's configuration is made of. */
export interface ConfigSources {
  /** Objects of others, in order of precedence. */
  references: readonly Reference[];
  /** Secrets that the component makes itself, values as text: an Output would take bytes apart. */
  owned: readonly { name: string; data: Record<string, string> }[];
  /** References that become variables as a whole, and the variables that none of them may set. */
  guard: { whole: readonly string[]; reserved: readonly string[] };
  /** Which of all these values is a token with an end. */
  token?: { secret: string; key: string };
  /** Seconds that an update waits for what is missing. */
  timeoutSeconds: number;
}

/**
 * Reads the configuration of the workload whose Deployment is `name`, and reduces it to what may be shown. While
 * something is missing or can't be read, checksum and companions keep their live values, so that nothing rolls.
 * `expiry` says when a token runs out.
 */
export function configFacts(
  zone: Zone,
  name: string,
  sources: pulumi.Output<ConfigSources>,
  expiry: (token: string) => string | undefined,
): pulumi.Output<ConfigFacts> {
  const deployment = zone.live(DEPLOYMENTS, name);
  const read = async (wanted: ConfigSources, checksumKey: string | undefined): Promise<ConfigFacts> => {
    const outcomes = await Promise.all(
      wanted.references.map((each) => readOne(zone, each, wanted.timeoutSeconds)),
    );
    const references = resolveReferences(wanted.references, outcomes);
    if (references.outcome !== "found") return { references, ...kept(deployment) };
    const objects = [...wanted.owned.map(ownedSecret), ...references.objects];
    const token = tokenIn(objects, wanted.token);
    const tokenExpiresAt = token === undefined ? undefined : expiry(token);
    const guarded = guardReferences(wanted.guard.whole, objects, wanted.guard.reserved);
    return {
      references: { outcome: "found" },
      checksum: configChecksum(objects, checksumKey),
      annotations: {
        [CHECKSUM_KEY_ID_ANNOTATION]: checksumKeyId(checksumKey),
        [REFERENCE_DIGESTS_ANNOTATION]: JSON.stringify(referenceDigests(objects, checksumKey)),
        ...(tokenExpiresAt !== undefined && { [TOKEN_EXPIRES_AT_ANNOTATION]: tokenExpiresAt }),
        ...(Object.keys(guarded).length > 0 && { [GUARDED_REFERENCES_ANNOTATION]: JSON.stringify(guarded) }),
      },
      guarded,
      tokenExpiresAt,
    };
  };
  // Digests and expiry are meant to be seen.
  return pulumi.unsecret(
    pulumi.all([sources, pulumi.output(zone.parts.checksumKey)]).apply(([wanted, key]) => read(wanted, key)),
  );
}

function ownedSecret({ name, data }: ConfigSources["owned"][number]): ReferencedObject {
  return { kind: "Secret", name, data: encode(data, "utf8") };
}

function encode(values: Record<string, string>, encoding: "base64" | "utf8"): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value, encoding)]),
  );
}

function tokenIn(objects: readonly ReferencedObject[], token: ConfigSources["token"]): string | undefined {
  const secret = objects.find(({ kind, name }) => kind === "Secret" && name === token?.secret);
  const bytes = token && secret?.data[token.key];
  return bytes && Buffer.from(bytes).toString("utf8");
}

async function readOne(zone: Zone, reference: Reference, timeoutSeconds: number): Promise<ReferenceOutcome> {
  const { kind, name } = reference;
  // What is no such object is not worth waiting for.
  const isComplete = (answer: KubeObject): boolean => {
    const object = referencedObject(kind, name, answer);
    return object === undefined || absentKey(reference, object) === undefined;
  };
  const outcome: Outcome<KubeObject> = await zone.readReference(kind, name, timeoutSeconds, isComplete);
  if (outcome.outcome !== "found") return outcome;
  const object = referencedObject(kind, name, outcome.value);
  return object === undefined
    ? { outcome: "unreachable", detail: `what the API server answered is no ${kind}` }
    : { outcome: "found", object };
}

/** The object that an API server has answered with; undefined where its data are no such thing. */
function referencedObject(
  kind: Reference["kind"],
  name: string,
  { data = {}, binaryData = {} }: KubeObject,
): ReferencedObject | undefined {
  const [given, binary] = [data ?? {}, binaryData ?? {}];
  if (!isTexts(given) || !isTexts(binary)) return undefined;
  return kind === "Secret"
    ? { kind, name, data: encode(given, "base64") }
    : { kind, name, data: encode(given, "utf8"), binaryData: encode(binary, "base64") };
}

function isTexts(value: unknown): value is Record<string, string> {
  return isMap(value) && Object.values(value).every((text) => typeof text === "string");
}

/** What the live Deployment carries from the last run that could read everything. */
function kept(deployment: Live): Omit<ConfigFacts, "references"> {
  const object = deployment.state === "found" ? deployment.object : undefined;
  const template = (
    object?.["spec"] as { template?: { metadata?: { annotations?: Record<string, string> } } } | undefined
  )?.template?.metadata?.annotations;
  const own = object?.metadata.annotations ?? {};
  const names = [
    CHECKSUM_KEY_ID_ANNOTATION,
    REFERENCE_DIGESTS_ANNOTATION,
    TOKEN_EXPIRES_AT_ANNOTATION,
    GUARDED_REFERENCES_ANNOTATION,
  ];
  return {
    checksum: template?.[CHECKSUM_ANNOTATION],
    annotations: Object.fromEntries(
      names.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])),
    ),
    guarded: guardedIn(own[GUARDED_REFERENCES_ANNOTATION]),
    tokenExpiresAt: timeIn(own[TOKEN_EXPIRES_AT_ANNOTATION]),
  };
}

/** Nothing where somebody has written something else than a time. */
function timeIn(annotation = ""): string | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(annotation) ? annotation : undefined;
}

const guardedReferences = z.record(z.string(), z.array(envName));

/** Nothing where somebody has written something else. */
function guardedIn(annotation = "{}"): GuardedReferences {
  try {
    return guardedReferences.parse(JSON.parse(annotation));
  } catch {
    return {};
  }
}
