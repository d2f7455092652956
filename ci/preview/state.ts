// Of the states of a preview, which hold everything of an object, only what may be shown; never data.
import { z } from "zod";

/** What is kept of a state. */
export interface Shown {
  namespace?: string | undefined;
  /** Ours only: others are nobody's business here. */
  annotations: Record<string, string>;
  /** Image of the first container; only of what has pods. */
  image?: string | undefined;
  replicas?: number | undefined;
  /** Where the pods have their config token from. */
  token?: TokenSource | undefined;
}

export interface TokenSource {
  secret: string;
  key: string;
}

/** The variable by which a proxy gets its config token. */
const TOKEN_VARIABLE = "PROXY_CONFIG_TOKEN";
const OURS = "pulumi-proxies.dev/";

const variable = z.object({
  name: z.string(),
  valueFrom: z
    .object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }).optional() })
    .optional(),
});
const container = z.object({
  image: z.string().optional().catch(undefined),
  env: z.array(variable).optional().catch(undefined),
});
const template = z.object({ spec: z.object({ containers: z.array(container) }) });
// A part that is not as it should be (a masked secret, most likely) takes nothing else with it.
const object = z.object({
  metadata: z
    .object({
      namespace: z.string().optional().catch(undefined),
      annotations: z.record(z.string(), z.unknown()).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  spec: z
    .object({
      replicas: z.number().optional().catch(undefined),
      template: template.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** A resource's state as a preview has it. */
export const state = z.object({ inputs: z.unknown().optional() }).nullish();
export type State = z.infer<typeof state>;

/** What may be shown of a state; undefined when there is none. */
export function shown(from: State): Shown | undefined {
  if (from === null || from === undefined) return undefined;
  const { metadata, spec } = object.safeParse(from.inputs).data ?? {};
  const containers = spec?.template?.spec.containers ?? [];
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(
    (entry): entry is [string, string] => entry[0].startsWith(OURS) && typeof entry[1] === "string",
  );
  const token = containers.flatMap(({ env = [] }) => env).find(({ name }) => name === TOKEN_VARIABLE)
    ?.valueFrom?.secretKeyRef;
  return {
    namespace: metadata?.namespace,
    annotations: Object.fromEntries(annotations),
    image: containers[0]?.image,
    replicas: spec?.replicas,
    token: token && { secret: token.name, key: token.key },
  };
}
