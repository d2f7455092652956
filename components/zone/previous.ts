import * as pulumi from "@pulumi/pulumi";
import { type PreviousCondition, readConditions } from "../workload/conditions.ts";
import { keepResponsesOutOfDebugLog } from "./debug-log.ts";

/** The engine's own function that tells what a stack exports. */
const READ_OUTPUTS = "pulumi:pulumi:readStackOutputs";
/** The one that tells what a stack's state holds; there is none that tells less. */
const READ_STATE = "pulumi:pulumi:readStackResourceOutputs";

/** Type tokens of this package's components, and of resources whose operations are its functions. */
const OWN_TYPES = /^proxies:index:|^pulumi-nodejs:dynamic\/proxies:/;

/** What the run before left of one resource. */
export interface Previous {
  conditions: readonly PreviousCondition[];
  /** Of a connector's registration: what is known of it. */
  registration?: unknown;
}

/** Outputs of a stack that are components by name: output -> their kind. */
export type Exported = Readonly<Record<string, string>>;

/**
 * URN -> what each component of this stack was when the run before ended: from the stack's outputs where these are
 * `exported`, else from its state; none where the stack exports nothing. The state holds Secrets in clear, too: nothing
 * else of it is kept, logged or passed on. It is not worth a failed run: when it can't be read there is one warning, and
 * times start anew.
 */
export async function readPrevious(exported?: Exported): Promise<ReadonlyMap<string, Previous>> {
  keepResponsesOutOfDebugLog();
  let outputs: unknown;
  try {
    const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
    // The engine (3.274) dies of READ_STATE where there is no state yet; a stack that exports something has one.
    const own = (await pulumi.runtime.invoke(READ_OUTPUTS, { name: stackName })) as { outputs?: object };
    if (Object.keys(own.outputs ?? {}).length === 0) return new Map();
    if (exported !== undefined) return readOutputs(own.outputs as Record<string, unknown>, exported);
    const answer = (await pulumi.runtime.invoke(READ_STATE, { stackName })) as { outputs?: unknown };
    outputs = answer.outputs;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    await pulumi.log.warn(
      `the state of the run before can't be read, so lastTransitionTime of every condition starts anew: ${reason}`,
    );
    return new Map();
  }
  return new Map(
    Object.entries((outputs ?? {}) as Record<string, unknown>).flatMap(([urn, resource]) => {
      const { type, outputs: own } = (resource ?? {}) as { type?: unknown; outputs?: unknown };
      if (typeof type !== "string" || !OWN_TYPES.test(type)) return [];
      const { conditions, registration } = (own ?? {}) as { conditions?: unknown; registration?: unknown };
      return [[urn, { conditions: readConditions(conditions), registration }]];
    }),
  );
}

function readOutputs(outputs: Record<string, unknown>, exported: Exported): ReadonlyMap<string, Previous> {
  return new Map(
    Object.entries(exported).flatMap(([output, kind]) =>
      Object.entries((outputs[output] ?? {}) as Record<string, { conditions?: unknown } | null>).map(
        ([name, component]): [string, Previous] => [
          `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::proxies:index:${kind}::${name}`,
          { conditions: readConditions(component?.conditions) },
        ],
      ),
    ),
  );
}
