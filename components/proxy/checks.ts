import { z } from "zod";
import { podDisruptionBudgetSpec } from "../workload/availability-specs.ts";
import { checkWorkload } from "../workload/check-workload.ts";
import { probesSpec } from "../workload/pod-specs.ts";
import { imageSpec, metricsSpec } from "../workload/specs.ts";
import { dataKey, duration, joinPath, objectName, type Problem, strict } from "../workload/validation.ts";
import { workloadShape } from "../workload/workload-spec.ts";
import type { ProxySpec } from "./args.ts";
import { configTokenSecretName } from "./token.ts";

/** The shape of a proxy as it may stand in a stack file; `ProxySpec` says what each field means. */
export const proxySpecSchema = strict({
  configTokenSecretRef: strict({
    name: objectName,
    tokenKey: dataKey.optional(),
    signingKeyKey: dataKey.optional(),
  }).optional(),
  image: imageSpec.optional(),
  terminationGracePeriodSeconds: z.int().min(0).optional(),
  probes: probesSpec.optional(),
  podDisruptionBudget: podDisruptionBudgetSpec.optional(),
  metrics: metricsSpec.optional(),
  tokenExpiryWarning: duration.optional(),
  ...workloadShape,
});

/**
 * Checks a proxy as a person wrote it, wherever: all problems at once, each with its path below `path`.
 * `hasConfigToken` says whether a config token was given beside the spec.
 */
export function checkProxy(
  name: string,
  spec: unknown,
  hasConfigToken: boolean,
  path: string,
): { spec: ProxySpec; problems: [] } | { spec: undefined; problems: Problem[] } {
  const workload = { name, component: "proxy" };
  const { spec: checked, problems } = checkWorkload<ProxySpec>(
    workload,
    proxySpecSchema,
    spec,
    path,
    ({ terminationGracePeriodSeconds }) => terminationGracePeriodSeconds,
  );
  // Of something that is no map at all, that alone is worth saying.
  if (typeof spec === "object" && spec !== null && !Array.isArray(spec)) {
    problems.push(...tokenProblems(name, spec, hasConfigToken, path));
  }
  return problems.length === 0 && checked !== undefined
    ? { spec: checked, problems: [] }
    : { spec: undefined, problems };
}

/** There is exactly one token. */
function tokenProblems(name: string, spec: object, hasConfigToken: boolean, path: string): Problem[] {
  const { configTokenSecretRef, secretRefs } = spec as ProxySpec;
  const hasSecretRef = configTokenSecretRef !== undefined;
  if (hasSecretRef && hasConfigToken) {
    return [{ path, message: "has a config token and a configTokenSecretRef: keep one" }];
  }
  const own = Array.isArray(secretRefs)
    ? secretRefs.findIndex((ref: { name?: unknown } | null) => ref?.name === configTokenSecretName(name))
    : -1;
  if (hasConfigToken && own !== -1) {
    const message = "is the Secret of the proxy's own token, which is wired already";
    return [{ path: `${path}.secretRefs[${own}].name`, message }];
  }
  if (hasSecretRef || hasConfigToken) return [];
  const remedy = `give configTokenSecretRef.name, or pulumi config set --secret --path '${joinPath("configTokens", name)}'`;
  return [{ path, message: `has no token: ${remedy}` }];
}
