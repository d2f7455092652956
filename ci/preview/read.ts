import { z } from "zod";
import { OWNER_ANNOTATION } from "../../components/children/owner.ts";

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

/** What is kept of a state. */
export interface Shown {
  namespace?: string | undefined;
  annotations: Record<string, string>;
  /** Image of the first container; only of what has pods. */
  image?: string | undefined;
  replicas?: number | undefined;
}

export interface Diagnostic {
  severity: string;
  message: string;
  urn?: string | undefined;
}

export interface Preview {
  /** Name of the stack; undefined when nothing in it says. */
  stack: string | undefined;
  steps: Step[];
  diagnostics: Diagnostic[];
}

const state = z.object({ inputs: z.unknown().optional() }).nullish();
const diff = z.record(z.string(), z.unknown()).nullish();
const documentStep = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: state,
  newState: state,
  detailedDiff: diff,
});
const diagnostic = z.object({ severity: z.string(), message: z.string(), urn: z.string().optional() });
const document = z.object({ steps: z.array(documentStep), diagnostics: z.array(diagnostic).nullish() });

const eventStep = z.object({ op: z.string(), urn: z.string(), old: state, new: state, detailedDiff: diff });
const event = z.object({
  resourcePreEvent: z.object({ metadata: eventStep }).optional(),
  diagnosticEvent: diagnostic.optional(),
});

/**
 * Reads a preview that was saved from `pulumi preview --json`: the one document, or the stream of events that
 * PULUMI_ENABLE_STREAMING_JSON_PREVIEW and `--event-log` give.
 * @throws Error that says what is expected; it never quotes what stands there
 */
export function readPreview(text: string): Preview {
  const whole = document.safeParse(parse(text.slice(Math.max(0, text.indexOf("{")))));
  if (whole.success) return readDocument(whole.data);
  const events = text.split("\n").flatMap((line) => {
    const parsed = line.startsWith("{") ? event.safeParse(parse(line)) : undefined;
    return parsed?.success ? [parsed.data] : [];
  });
  if (events.length === 0) {
    throw new Error("is neither the document nor the events of `pulumi preview --json`");
  }
  return readEvents(events);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whether it is JSON at all is what is asked; the parser's message would quote it.
    return undefined;
  }
}

function readDocument({ steps, diagnostics }: z.infer<typeof document>): Preview {
  return preview(
    steps.map(({ op, urn, oldState, newState, detailedDiff }) =>
      step(op, urn, oldState, newState, detailedDiff),
    ),
    diagnostics ?? [],
  );
}

function readEvents(events: readonly z.infer<typeof event>[]): Preview {
  const steps = events.flatMap(({ resourcePreEvent }) => {
    if (resourcePreEvent === undefined) return [];
    const { op, urn, old, new: next, detailedDiff } = resourcePreEvent.metadata;
    return [step(op, urn, old, next, detailedDiff)];
  });
  return preview(
    steps,
    events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []),
  );
}

function preview(steps: Step[], diagnostics: readonly Diagnostic[]): Preview {
  const told = diagnostics.filter(({ severity }) => severity !== "debug");
  return {
    stack: steps[0]?.urn.split("::")[0]?.split(":").at(-1),
    // A refresh is how the engine looks, not something that it will do.
    steps: steps.filter(({ op }) => op !== "refresh"),
    diagnostics: told.map(({ severity, message, urn }) => ({
      severity,
      message: message.replace(/^(warning|error): /, "").trim(),
      urn,
    })),
  };
}

type State = z.infer<typeof state>;

function step(op: string, urn: string, old: State, next: State, detailedDiff: z.infer<typeof diff>): Step {
  const [, , types = "", name = ""] = urn.split("::");
  const chain = types.split("$");
  return {
    op,
    urn,
    type: chain.at(-1) ?? "",
    name,
    component: componentOf(chain, name, old, next),
    paths: Object.keys(detailedDiff ?? {}).sort(),
    before: shown(old),
    after: shown(next),
  };
}

/** A child says itself whose it is; a component is its own. */
function componentOf(chain: readonly string[], name: string, old: State, next: State): Step["component"] {
  const own = /^proxies:index:(\w+)$/.exec(chain.at(-1) ?? "")?.[1];
  if (own !== undefined) return { kind: own, name };
  const owner = (shown(next) ?? shown(old))?.annotations[OWNER_ANNOTATION]?.split("/");
  const [kind, component] = owner?.slice(-2) ?? [];
  return kind === undefined || component === undefined ? undefined : { kind, name: component };
}

const object = z.object({
  metadata: z
    .object({ namespace: z.string().optional(), annotations: z.record(z.string(), z.string()).optional() })
    .optional(),
  spec: z
    .object({
      replicas: z.number().optional(),
      template: z
        .object({ spec: z.object({ containers: z.array(z.object({ image: z.string().optional() })) }) })
        .optional(),
    })
    .optional(),
});

/** Only annotations of ours are kept: others are nobody's business here. */
function shown(from: State): Shown | undefined {
  if (from === null || from === undefined) return undefined;
  const parsed = object.safeParse(from.inputs);
  if (!parsed.success) return { annotations: {} };
  const { metadata, spec } = parsed.data;
  const annotations = Object.entries(metadata?.annotations ?? {});
  return {
    namespace: metadata?.namespace,
    annotations: Object.fromEntries(annotations.filter(([key]) => key.startsWith("pulumi-proxies.dev/"))),
    image: spec?.template?.spec.containers[0]?.image,
    replicas: spec?.replicas,
  };
}
