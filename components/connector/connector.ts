import * as pulumi from "@pulumi/pulumi";
import { configFacts, type ConfigFacts } from "../children/config.ts";
import { checkedSpec, orFail } from "../children/inputs.ts";
import { type Judged, runWorkload } from "../children/workload.ts";
import type { Condition } from "../workload/conditions.ts";
import type { Identity } from "../workload/labels.ts";
import type { Phase, WorkloadFacts } from "../workload/status.ts";
import type { ConnectorArgs, ConnectorSpec } from "./args.ts";
import { checkConnector } from "./checks.ts";
import {
  configSources,
  connectorImage,
  type ConnectorInput,
  connectorManifests,
  connectorPort,
  specWarnings,
} from "./manifests.ts";
import { connectorStatus, connectorSummary, connectorWarnings } from "./status.ts";

/**
 * One provider service that the platform calls: ServiceAccount, Deployment, Service and NetworkPolicy, and on demand a
 * PodDisruptionBudget and a ServiceMonitor. It is rolled when what it reads changes, and tells how it stands. Its name
 * is the name of each of its objects.
 */
export class Connector extends pulumi.ComponentResource {
  /** Deploying, Running, Updating, ScaledDown or Failed, as the run left it; Unknown in a preview without a cluster. */
  readonly phase: pulumi.Output<Phase>;
  /** Phase, pods and version in one line, or what is wrong. */
  readonly summary: pulumi.Output<string>;
  /** Progressing, Available, Degraded and, where there is something to say, ServiceMonitorReady. */
  readonly conditions: pulumi.Output<Condition[]>;
  /** The checksum that rolls the pods; undefined before what they read was read for the first time. */
  readonly configChecksum: pulumi.Output<string | undefined>;
  /** Where the platform calls it, inside the cluster. */
  readonly endpoint: pulumi.Output<string>;
  /** The image as the pods pull it. */
  readonly currentImage: pulumi.Output<string>;
  /** The image's tag, or its digest where that alone pins it. */
  readonly observedVersion: pulumi.Output<string>;
  /** Pods that are ready. */
  readonly readyReplicas: pulumi.Output<number>;

  /** @throws pulumi.ResourceError when args are wrong or an object belongs to somebody else */
  constructor(name: string, args: ConnectorArgs, opts?: pulumi.ComponentResourceOptions) {
    super("proxies:index:Connector", name, {}, opts);
    const { zone, transform, ...given } = args;
    const { namespace, clusterDomain } = zone.parts;
    const { labels = {} } = zone.parts.defaults;
    const identity: Identity = { name, namespace, component: "connector", labels };

    const spec = checkedSpec<ConnectorSpec>(this, given, (plain) => checkConnector(name, plain, name));
    const config = configFacts(zone, name, spec.apply(configSources), () => undefined);
    const input = pulumi.all([spec, config]).apply(([plain, facts]): ConnectorInput => ({
      identity,
      spec: plain,
      zone: { ...zone.parts.defaults, clusterDomain },
      checksum: facts.checksum,
      guarded: facts.guarded,
      annotations: facts.annotations,
    }));

    const parent = { component: this, zone, kind: "Connector", name, adopt: given.adopt ?? false };
    const workload = runWorkload(parent, {
      identity,
      switches: { ...given, podDisruptionBudget: given.lifecycle?.podDisruptionBudget },
      config,
      input,
      manifests: orFail(this, input, (all) => connectorManifests(all, transform)),
      judge,
    });

    this.phase = workload.phase;
    this.summary = workload.summary;
    this.conditions = workload.conditions;
    this.configChecksum = workload.configChecksum;
    this.endpoint = spec.apply(
      (plain) => `http://${name}.${namespace}.svc.${clusterDomain}:${connectorPort(plain)}`,
    );
    this.currentImage = input.apply((all) => connectorImage(all).reference);
    this.observedVersion = input.apply((all) => connectorImage(all).version);
    this.readyReplicas = workload.readyReplicas;
    this.registerOutputs({
      phase: this.phase,
      summary: this.summary,
      conditions: this.conditions,
      configChecksum: this.configChecksum,
      endpoint: this.endpoint,
      currentImage: this.currentImage,
      observedVersion: this.observedVersion,
      readyReplicas: this.readyReplicas,
    });
  }
}

function judge(input: ConnectorInput, facts: WorkloadFacts & ConfigFacts): Judged {
  const status = connectorStatus(facts);
  return {
    ...status,
    summary: connectorSummary(facts, connectorImage(input).version),
    warnings: [...specWarnings(input), ...connectorWarnings(status)],
  };
}
