/** Who a workload is: the names and labels of all that belongs to it. */
export interface Identity {
  /** Name of the component, and of each of its objects. */
  name: string;
  namespace: string;
  /** `proxy`, `connector` ...: value of the component label and name of the main container. */
  component: string;
  /** Labels that the zone lays on every object and pod; they lose against those of args and of the workload itself. */
  labels?: Record<string, string>;
}

/**
 * The labels by which Services, budgets and policies find the pods. They equal those of the ILM operator, so that
 * its Deployments can be taken over, and never change: a Deployment's selector is immutable.
 */
export function selectorLabels({ name, component }: Identity): Record<string, string> {
  return {
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/component": component,
    [`otilm.com/${component}`]: name,
  };
}

/** The labels that nobody may set otherwise. */
export function ownLabels(identity: Identity): Record<string, string> {
  return { ...selectorLabels(identity), "app.kubernetes.io/managed-by": "pulumi-proxies" };
}

/** The labels of every object of a workload. */
export function objectLabels(identity: Identity): Record<string, string> {
  return { ...identity.labels, ...ownLabels(identity) };
}
