import * as pulumi from "@pulumi/pulumi";
import { configFacts } from "../children/config.ts";
import { checkedSpec, orFail } from "../children/inputs.ts";
import { type Judged, readyReplicas, rollOut, told } from "../children/workload.ts";
import type { Condition } from "../workload/conditions.ts";
import type { Identity } from "../workload/labels.ts";
import { type Phase, workloadPhase } from "../workload/status.ts";
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
import { connectorHealth } from "./pods.ts";
import { checkedPlatform, registerConnector } from "./registration/platform.ts";
import { entryOf, type RegistrationEntry, registrationWarnings } from "./registration/outcome.ts";
import { type ConnectorFacts, connectorStatus, connectorSummary, connectorWarnings } from "./status.ts";

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
  /** Progressing, Available, Degraded and, where there is something to say, Healthy and ServiceMonitorReady. */
  readonly conditions: pulumi.Output<Condition[]>;
  /** The checksum that rolls the pods; undefined before what they read was read for the first time. */
  readonly configChecksum: pulumi.Output<string | undefined>;
  /** Where the platform calls it, inside the cluster. */
  readonly endpoint: pulumi.Output<string>;
  /** The image as the pods pull it. */
  readonly currentImage: pulumi.Output<string>;
  /** The image's tag, or its digest where that alone pins it. */
  readonly observedVersion: pulumi.Output<string>;
  /** Status of the condition Healthy: True, False or Unknown; undefined where it is not asked. */
  readonly healthy: pulumi.Output<Condition["status"] | undefined>;
  /** What the platform has it as; undefined before it is registered. */
  readonly registration: pulumi.Output<RegistrationEntry | undefined>;
  /** Pods that are ready. */
  readonly readyReplicas: pulumi.Output<number>;

  /** @throws pulumi.ResourceError when args are wrong or an object belongs to somebody else */
  constructor(name: string, args: ConnectorArgs, opts?: pulumi.ComponentResourceOptions) {
    super("proxies:index:Connector", name, {}, opts);
    // A secret in what the platform is told is no reason to make all of the workload secret.
    const { zone, transform, registration, ...given } = args;
    const { namespace, clusterDomain, now } = zone.parts;
    const { labels = {} } = zone.parts.defaults;
    const identity: Identity = { name, namespace, component: "connector", labels };

    const spec = checkedSpec<ConnectorSpec>(this, given, (plain) => checkConnector(name, plain, name));
    const checked = registration && checkedPlatform(this, `${name}.registration`, registration);
    const config = configFacts(zone, name, spec.apply(configSources), () => undefined);
    const input = pulumi.all([spec, config, checked]).apply(([plain, facts, platform]): ConnectorInput => ({
      identity,
      spec: plain,
      zone: { ...zone.parts.defaults, clusterDomain },
      platform,
      checksum: facts.checksum,
      guarded: facts.guarded,
      annotations: facts.annotations,
    }));

    const parent = { component: this, zone, kind: "Connector", name, adopt: given.adopt ?? false };
    const facts = rollOut(parent, {
      identity,
      switches: { ...given, podDisruptionBudget: given.lifecycle?.podDisruptionBudget },
      config,
      input,
      manifests: orFail(this, input, (all) => connectorManifests(all, transform)),
    });
    this.endpoint = spec.apply(
      (plain) => `http://${name}.${namespace}.svc.${clusterDomain}:${connectorPort(plain)}`,
    );
    const running = facts.apply((all) => workloadPhase(all) === "Running");
    const registered =
      registration &&
      registerConnector({ component: this, zone, identity }, registration, { running, url: this.endpoint });
    const healthy = pulumi
      .all([spec, facts, running])
      .apply(([plain, { previous }, runs]) =>
        connectorHealth({ zone, identity, spec: plain, running: runs, previous }),
      );
    const status = told(
      this,
      pulumi
        .all([input, facts, healthy, registered])
        .apply(([all, known, health, platform]) =>
          judge(all, { ...known, healthy: health, registration: platform, now }),
        ),
    );

    this.phase = status.phase;
    this.summary = status.summary;
    this.conditions = status.conditions;
    this.configChecksum = config.checksum;
    this.healthy = healthy.apply((condition) => condition?.status);
    this.registration = pulumi.output(registered?.apply(({ outcome }) => entryOf(outcome)));
    this.currentImage = input.apply((all) => connectorImage(all).reference);
    this.observedVersion = input.apply((all) => connectorImage(all).version);
    this.readyReplicas = facts.apply(readyReplicas);
    this.registerOutputs({
      phase: this.phase,
      summary: this.summary,
      conditions: this.conditions,
      configChecksum: this.configChecksum,
      endpoint: this.endpoint,
      currentImage: this.currentImage,
      observedVersion: this.observedVersion,
      healthy: this.healthy,
      registration: this.registration,
      readyReplicas: this.readyReplicas,
    });
  }
}

function judge(input: ConnectorInput, facts: ConnectorFacts): Judged {
  const status = connectorStatus(facts);
  return {
    ...status,
    summary: connectorSummary(status, facts, connectorImage(input).version),
    warnings: [
      ...specWarnings(input),
      ...connectorWarnings(status),
      ...(facts.registration === undefined ? [] : registrationWarnings(facts.registration)),
    ],
  };
}
