import type { FieldPath } from "../cluster/fields.ts";
import { formatPath } from "../cluster/fields.ts";
import type { Allow } from "../cluster/ownership.ts";

interface Rule {
  /** Start of the path as `formatPath` writes it, or all of it. */
  path: RegExp;
  /** Why a repair would do harm. */
  reason: string;
}

/** What Kubernetes' own commands and controllers, and the platforms around it, legitimately write into our objects. */
const RULES: readonly Rule[] = [
  {
    path: /^spec\.template\.metadata\.annotations\["kubectl\.kubernetes\.io\/restartedAt"\]$/,
    reason: "`kubectl rollout restart`: removing it would restart the pods once more",
  },
  {
    path: /^spec\.paused$/,
    reason: "`kubectl rollout pause`: somebody is holding a rollout on purpose; the run says so",
  },
  {
    path: /^metadata\.annotations\["kubectl\.kubernetes\.io\/last-applied-configuration"\]$/,
    reason: "`kubectl apply` notes there what it sent; the values it sent are judged by themselves",
  },
  {
    path: /^metadata\.annotations\["kubernetes\.io\/change-cause"\]$/,
    reason: "shown by `kubectl rollout history`; people set it with `kubectl annotate`",
  },
  {
    path: /^metadata\.annotations\["deployment\.kubernetes\.io\//,
    reason: "the Deployment controller's revision",
  },
  {
    path: /^metadata\.finalizers/,
    reason:
      "a controller that must clean up before the object goes, such as a cloud's load balancer controller",
  },
  {
    path: /^(imagePullSecrets|secrets)\b/,
    reason: "OpenShift gives each ServiceAccount a pull secret and puts it back for ever",
  },
  {
    path: /^metadata\.annotations\["openshift\.io\//,
    reason: "OpenShift's own book-keeping, such as the name of that pull secret",
  },
  {
    path: /^(spec\.template\.)?metadata\.annotations\["(field\.)?cattle\.io\//,
    reason: "Rancher: public endpoints, and the time of a redeploy from its console",
  },
  {
    path: /^metadata\.annotations\["cloud\.google\.com\/(neg|neg-status|l4-rbs)"\]$/,
    reason: "GKE notes there which network endpoint group belongs to a Service",
  },
  {
    path: /^metadata\.labels\["velero\.io\//,
    reason: "Velero marks what it has restored",
  },
];

/** Builds the decision for a zone: the rules above, and every field of the managers that the zone lists. */
export function allowList(managers: readonly string[]): Allow {
  const named = new Set(managers);
  return (manager: string, path: FieldPath) => {
    if (named.has(manager)) return true;
    const text = formatPath(path);
    return RULES.some((rule) => rule.path.test(text));
  };
}
