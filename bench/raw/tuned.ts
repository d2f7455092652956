// Tuned as our program is: narrow imports, the provider's settings, no wait by the provider. Whoever runs it waits with
// `kubectl rollout status`.
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment.js";
import { Service } from "@pulumi/kubernetes/core/v1/service.js";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount.js";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy.js";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget.js";
import { Provider } from "@pulumi/kubernetes/provider.js";
import { readConfig } from "./config.ts";
import { rawProxy } from "./proxy.ts";

const { namespace, context, proxies } = readConfig();
const provider = new Provider("cluster", {
  context,
  namespace,
  clusterIdentifier: "zone",
  enableServerSideApply: true,
  enableConfigMapMutable: true,
  enableSecretMutable: true,
  kubeClientSettings: { qps: 200, burst: 400 },
});

/** The same object, which the provider does not wait for. */
const unawaited = <T extends { metadata: object }>(manifest: T): T => ({
  ...manifest,
  metadata: { ...manifest.metadata, annotations: { "pulumi.com/skipAwait": "true" } },
});

for (const [name, checksum] of Object.entries(proxies)) {
  const { account, deployment, service, policy, budget } = rawProxy(name, namespace, checksum);
  const serviceAccount = new ServiceAccount(name, account, { provider });
  new Deployment(name, unawaited(deployment), { provider, dependsOn: serviceAccount });
  new Service(name, unawaited(service), { provider });
  new NetworkPolicy(name, policy, { provider });
  new PodDisruptionBudget(name, budget, { provider });
}
