import { z } from "zod";
import { OWNER_ANNOTATION } from "../../components/children/owner.ts";
import { cutQuietSteps } from "./quiet.ts";
import { ASKS } from "../../components/connector/registration/outcome.ts";
import { REGISTRATION } from "./registration.ts";
import { shown, type Shown, state, type State } from "./state.ts";

/** What a preview says of one resource; of its states only what may be shown is kept, and never data. */
export interface Step {
  /** `same`, `create`, `update`, `delete`, `replace` ..., as the engine names it; unknown ones count as changes. */
  op: string;
  urn: string;
  /** Type without its parents: `kubernetes:apps/v1:Deployment`. */
  type: string;
  name: string;
  /** The component that it belongs to: `{ kind: "Proxy", name: "dc-east" }`. */
  component?: { kind: string; name: string } | undefined;
  /** Field paths that change, as the engine writes them: `spec.template.metadata.annotations["..."]`. */
  paths: string[];
  before: Shown | undefined;
  after: Shown | undefined;
}

export interface Diagnostic {
  severity: string;
  message: string;
  /** The component that it is about. */
  component?: { kind: string; name: string } | undefined;
}

export interface Preview {
  /** Name of the stack; undefined when nothing in it says. */
  stack: string | undefined;
  /** What is about to be done; steps that leave things as they are may be left out. */
  steps: Step[];
  diagnostics: Diagnostic[];
  /** URNs that the state holds and that the run looked at in the cluster. */
  refreshed: ReadonlySet<string>;
  /** Why there is no whole preview: the first line of its first error. */
  failure?: string | undefined;
}

const diff = z.record(z.string(), z.unknown()).nullish();
/** The fields that change, without detail: what a provider tells that knows no better. */
const reasons = z.array(z.string()).nullish();
const documentStep = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: state,
  newState: state,
  detailedDiff: diff,
  diffReasons: reasons,
});
const diagnostic = z.object({
  severity: z.string(),
  message: z.string(),
  urn: z.string().nullish(),
  /** A word for the terminal's status line, gone a moment later. */
  ephemeral: z.boolean().nullish(),
});
const document = z.object({
  /** Left out by the CLI when there are none: an empty program, or one that failed at once. */
  steps: z.array(documentStep).optional(),
  diagnostics: z.array(diagnostic).nullish(),
});

const eventStep = z.object({
  op: z.string(),
  urn: z.string(),
  old: state,
  new: state,
  detailedDiff: diff,
  diffs: reasons,
});
const event = z.object({
  resourcePreEvent: z.object({ metadata: eventStep }).optional(),
  diagnosticEvent: diagnostic.optional(),
  summaryEvent: z.object({ result: z.string().optional() }).optional(),
});
type Event = z.infer<typeof event>;

/**
 * Reads a preview that was saved from `pulumi preview --json`: the one document, or the stream of events that
 * PULUMI_ENABLE_STREAMING_JSON_PREVIEW and `--event-log` give.
 * @throws Error that says what is expected; it never quotes what stands there
 */
export function readPreview(saved: Buffer): Preview {
  const start = saved.toString("utf8", 0, 4096);
  const isStream = /^\{"(?:sequence|timestamp|\w+Event)":/m.test(start);
  return { stack: stackOf(saved), ...(isStream ? readEvents(saved.toString("utf8")) : readDocument(saved)) };
}

const UNREADABLE = "is neither the document nor the events of `pulumi preview --json`";

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whether it is JSON at all is what is asked; the parser's message would quote it.
    return undefined;
  }
}

/** Every step has a URN, and a URN its stack. */
function stackOf(saved: Buffer): string | undefined {
  const at = Math.max(saved.indexOf('"urn": "urn:pulumi:'), saved.indexOf('"urn":"urn:pulumi:'));
  if (at === -1) return undefined;
  return /urn:pulumi:([^:"]+)::/.exec(saved.toString("utf8", at, at + 512))?.[1];
}

type Content = Omit<Preview, "stack">;

function readDocument(saved: Buffer): Content {
  const { rest, refreshed } = cutQuietSteps(saved);
  // Warnings of the CLI may stand before it.
  const start = /^\{/m.exec(rest)?.index ?? 0;
  const { data } = document.safeParse(parse(rest.slice(start)));
  const { steps, diagnostics } = data ?? {};
  const hasFailed = diagnostics?.some(({ severity }) => severity === "error") ?? false;
  if (steps === undefined && !hasFailed) throw new Error(UNREADABLE);
  return preview(
    (steps ?? []).map((of) => step(of, of.oldState, of.newState, of.diffReasons)),
    diagnostics ?? [],
    refreshed,
  );
}

/** Lines of a stream that say nothing here: a preview has several hundred of them. */
const IDLE_LINE =
  /^\{"sequence":\d+,"timestamp":\d+,"(?:resOutputsEvent|resourcePreEvent":\{"metadata":\{"op":"same")/;
const REFRESH_LINE =
  /^\{"sequence":\d+,"timestamp":\d+,"resourcePreEvent":\{"metadata":\{"op":"refresh","urn":("[^"]+")/;

function readEvents(text: string): Content {
  const refreshed = new Set<string>();
  const events = text.split("\n").flatMap((line): Event[] => {
    if (!line.startsWith("{") || IDLE_LINE.test(line)) return [];
    const urn = REFRESH_LINE.exec(line)?.[1];
    if (urn !== undefined) refreshed.add(JSON.parse(urn) as string);
    if (urn !== undefined || (line.includes('"diagnosticEvent"') && line.includes('"severity":"debug"')))
      return [];
    const { data } = event.safeParse(parse(line));
    // What can't be read may be a change: better no report than one that leaves it out.
    if (data === undefined) throw new Error(UNREADABLE);
    return [data];
  });
  const steps = events.flatMap(({ resourcePreEvent }) => {
    const metadata = resourcePreEvent?.metadata;
    return metadata === undefined ? [] : [step(metadata, metadata.old, metadata.new, metadata.diffs)];
  });
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const result = preview(steps, diagnostics, refreshed);
  if (result.failure !== undefined) return result;
  const summary = events.find(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
  if (summary === undefined) return { ...result, failure: "the saved preview breaks off before its end" };
  const failed = summary.result !== undefined && summary.result !== "succeeded";
  return failed ? { ...result, failure: "the preview did not succeed" } : result;
}

function preview(
  steps: readonly Step[],
  diagnostics: readonly z.infer<typeof diagnostic>[],
  refreshed: ReadonlySet<string>,
): Content {
  const told = diagnostics
    .filter(({ ephemeral }) => ephemeral !== true)
    .map(({ severity, message, urn }): Diagnostic => {
      const [, kind, name] = /(?:::|\$)proxies:index:(\w+)::(.+)$/.exec(urn ?? "") ?? [];
      return {
        severity,
        message: message.replace(/^(warning|error|info): /, "").trim(),
        component: kind === undefined || name === undefined ? undefined : { kind, name },
      };
    })
    .filter(({ severity, message }) => ["warning", "error"].includes(severity) || message === ASKS);
  return {
    // A refresh is how the engine looks, not something that it will do.
    steps: steps.filter(({ op }) => op !== "refresh"),
    diagnostics: told,
    refreshed: new Set([...refreshed, ...steps.filter(({ op }) => op === "refresh").map(({ urn }) => urn)]),
    failure: firstLine(told.find(({ severity }) => severity === "error")?.message),
  };
}

/** One line of an error; the provider says only in the second what `1 error occurred:` was. */
function firstLine(message: string | undefined): string | undefined {
  const [first, second] = message?.split("\n") ?? [];
  const detail = second?.replace(/^\s*\* /, "").trim();
  return detail ? first?.replace(/\b1 error occurred:$/, () => detail) : first;
}

interface RawStep {
  op: string;
  urn: string;
  detailedDiff?: Record<string, unknown> | null | undefined;
}

function step(
  { op, urn, detailedDiff }: RawStep,
  old: State,
  next: State,
  why: readonly string[] | null | undefined,
): Step {
  const [, , types = "", ...names] = urn.split("::");
  const chain = types.split("$");
  const type = chain.at(-1) ?? "";
  // Of what is no object of the cluster, only that it changes is anybody's business.
  const isObject = type.startsWith("kubernetes:");
  const [before, after] = isObject ? [shown(old), shown(next)] : [];
  const name = names.join("::");
  const fields = Object.keys(detailedDiff ?? {});
  const paths = (fields.length > 0 ? fields : [...(why ?? [])]).sort();
  return {
    op,
    urn,
    type,
    name,
    component: componentOf(chain, name, after ?? before),
    paths: type === REGISTRATION ? [] : paths,
    before,
    after,
  };
}

/** An object says itself whose it is; a component is its own, and a registration is named after its connector. */
function componentOf(chain: readonly string[], name: string, state: Shown | undefined): Step["component"] {
  const component = chain.at(chain.at(-1) === REGISTRATION ? -2 : -1) ?? "";
  const own = /^proxies:index:(\w+)$/.exec(component)?.[1];
  if (own !== undefined) return { kind: own, name };
  const [kind, of] = state?.annotations[OWNER_ANNOTATION]?.split("/").slice(-2) ?? [];
  return kind === undefined || of === undefined ? undefined : { kind, name: of };
}
