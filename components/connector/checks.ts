import { z } from "zod";
import { podDisruptionBudgetSpec } from "../workload/availability-specs.ts";
import { checkWorkload } from "../workload/check-workload.ts";
import { probesSpec } from "../workload/pod-specs.ts";
import { int32, portNumber } from "../workload/spec-rules.ts";
import { imageFields, metricsFields } from "../workload/specs.ts";
import { type Problem, strict } from "../workload/validation.ts";
import { workloadShape } from "../workload/workload-spec.ts";
import type { ConnectorSpec } from "./args.ts";
import { DEFAULT_PERIOD_SECONDS, DEFAULT_TIMEOUT_SECONDS } from "./health.ts";
import { registrationSpec } from "./registration/specs.ts";

/** A path as it is sent: what stands in it is encoded already. */
const HEALTH_PATH = /^\/([^%?#\p{Cc}]|%[0-9A-Fa-f]{2})*$/u;

const healthCheckSpec = strict({
  enabled: z.boolean().optional(),
  path: z
    .string()
    .max(1024, "must be at most 1024 characters")
    .regex(
      HEALTH_PATH,
      "must start with / and hold no '?', '#' or control character, and '%' only with two hex digits behind it",
    )
    .optional(),
  periodSeconds: int32.min(10).optional(),
  timeoutSeconds: z.int().min(1).max(30).optional(),
}).refine(
  ({ timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, periodSeconds = DEFAULT_PERIOD_SECONDS }) =>
    timeoutSeconds <= periodSeconds,
  { error: "must be at most periodSeconds", path: ["timeoutSeconds"] },
);

/** The shape of a connector as it may stand in a stack file; `ConnectorSpec` says what each field means. */
export const connectorSpecSchema = strict({
  image: strict({
    ...imageFields,
    repository: imageFields.repository.unwrap(),
    tag: imageFields.tag.unwrap(),
  }),
  service: strict({
    port: portNumber.optional(),
    type: z.enum(["ClusterIP", "NodePort", "LoadBalancer"]).optional(),
  }).optional(),
  healthCheck: healthCheckSpec.optional(),
  registration: registrationSpec.optional(),
  lifecycle: strict({
    terminationGracePeriodSeconds: z.int().min(0).optional(),
    podDisruptionBudget: podDisruptionBudgetSpec.optional(),
  }).optional(),
  probes: probesSpec.optional(),
  metrics: strict({ ...metricsFields, port: portNumber.optional() }).optional(),
  ...workloadShape,
});

/** Checks a connector as a person wrote it, wherever: all problems at once, each with its path below `path`. */
export function checkConnector(
  name: string,
  spec: unknown,
  path: string,
): { spec: ConnectorSpec; problems: [] } | { spec: undefined; problems: Problem[] } {
  const workload = { name, component: "connector" };
  const { spec: checked, problems } = checkWorkload<ConnectorSpec>(
    workload,
    connectorSpecSchema,
    spec,
    path,
    ({ lifecycle }) => lifecycle?.terminationGracePeriodSeconds,
  );
  return problems.length === 0 && checked !== undefined
    ? { spec: checked, problems: [] }
    : { spec: undefined, problems };
}
