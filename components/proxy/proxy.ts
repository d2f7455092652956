import * as pulumi from "@pulumi/pulumi";
import { configFacts, type ConfigFacts } from "../children/config.ts";
import { refuse } from "../children/failing.ts";
import { checkedSpec, orFail } from "../children/inputs.ts";
import { type Judged, readyReplicas, rollOut, told } from "../children/workload.ts";
import type { Condition } from "../workload/conditions.ts";
import type { Identity } from "../workload/labels.ts";
import type { Phase, WorkloadFacts } from "../workload/status.ts";
import type { ProxyArgs, ProxySpec } from "./args.ts";
import { checkProxy } from "./checks.ts";
import {
  API_PORT,
  HTTP_PORT,
  proxyImage,
  type ProxyInput,
  proxyManifests,
  specWarnings,
  tokenSecret,
} from "./manifests.ts";
import { type ProxyFacts, proxyStatus, proxySummary, proxyWarnings } from "./status.ts";
import {
  configSources,
  configTokenSecretName,
  tokenExpiry,
  tokenExpiryWarning,
  tokenSource,
  tokenState,
} from "./token.ts";

/**
 * One outbound-only proxy of a network zone: ServiceAccount, Deployment, Service and NetworkPolicy, and on demand a
 * PodDisruptionBudget and a ServiceMonitor. It is rolled when its token changes, and tells how it stands. Its name is
 * the name of each of its objects.
 */
export class Proxy extends pulumi.ComponentResource {
  /** Deploying, Running, Updating, ScaledDown or Failed, as the run left it; Unknown in a preview without a cluster. */
  readonly phase: pulumi.Output<Phase>;
  /** Phase, pods, version and token in one line, or what is wrong. */
  readonly summary: pulumi.Output<string>;
  /** Progressing, Available, Degraded and, where there is something to say, TokenExpiring and ServiceMonitorReady. */
  readonly conditions: pulumi.Output<Condition[]>;
  /** When the config token runs out (RFC 3339, UTC); undefined when it does not say. */
  readonly tokenExpiresAt: pulumi.Output<string | undefined>;
  /** The checksum that rolls the pods; undefined before the configuration was read for the first time. */
  readonly configChecksum: pulumi.Output<string | undefined>;
  /** The image's tag, or its digest where that alone pins it. */
  readonly observedVersion: pulumi.Output<string>;
  /** Pods that are ready. */
  readonly readyReplicas: pulumi.Output<number>;
  /** Health and metrics, inside the cluster. */
  readonly url: pulumi.Output<string>;
  /** The API for connectors, inside the cluster. */
  readonly apiUrl: pulumi.Output<string>;

  /** @throws pulumi.ResourceError when args are wrong or an object belongs to somebody else */
  constructor(name: string, args: ProxyArgs, opts?: pulumi.ComponentResourceOptions) {
    super("proxies:index:Proxy", name, {}, opts);
    const { zone, configToken, tokenSigningKey, transform, ...given } = args;
    const { namespace, clusterDomain, now } = zone.parts;
    const { labels = {} } = zone.parts.defaults;
    const identity: Identity = { name, namespace, component: "proxy", labels };

    const spec = checkedSpec<ProxySpec>(this, given, (plain) =>
      checkProxy(name, plain, configToken !== undefined, name),
    );
    if (tokenSigningKey !== undefined && configToken === undefined)
      refuse(`${name}.tokenSigningKey: has no configToken beside it`, this);
    const ownToken = configToken === undefined ? undefined : pulumi.secret({ configToken, tokenSigningKey });
    const sources = pulumi
      .all([spec, pulumi.output(ownToken)])
      .apply(([plain, own]) => configSources(name, plain, own));
    const config = configFacts(zone, name, sources, tokenExpiry);
    const input = pulumi.all([spec, config]).apply(([plain, facts]): ProxyInput => ({
      identity,
      spec: plain,
      token: tokenSource(name, plain),
      zone: { ...zone.parts.defaults, clusterDomain },
      billOfMaterials: zone.image("proxy"),
      checksum: facts.checksum,
      guarded: facts.guarded,
      annotations: facts.annotations,
    }));

    const secret =
      ownToken && pulumi.all([input, ownToken]).apply(([all, own]) => tokenSecret(identity, all.token, own));
    const parent = { component: this, zone, kind: "Proxy", name, adopt: given.adopt ?? false };
    const facts = rollOut(parent, {
      identity,
      switches: given,
      config,
      input,
      manifests: orFail(this, input, (all) => proxyManifests(all, transform)),
      secret: secret && { name: configTokenSecretName(name), manifest: secret },
      isHopeless: (_, { tokenExpiresAt }) =>
        tokenState({ tokenExpiresAt, tokenExpiryWarning: 0, now }) === "expired",
    });
    const status = told(
      this,
      pulumi.all([input, facts]).apply(([all, known]) => judge(all, { ...known, now })),
    );

    const host = `http://${name}.${namespace}.svc.${clusterDomain}`;
    this.phase = status.phase;
    this.summary = status.summary;
    this.conditions = status.conditions;
    this.tokenExpiresAt = config.tokenExpiresAt;
    this.configChecksum = config.checksum;
    this.observedVersion = input.apply((all) => proxyImage(all).version);
    this.readyReplicas = facts.apply(readyReplicas);
    this.url = pulumi.output(`${host}:${HTTP_PORT}`);
    this.apiUrl = pulumi.output(`${host}:${API_PORT}`);
    this.registerOutputs({
      phase: this.phase,
      summary: this.summary,
      conditions: this.conditions,
      tokenExpiresAt: this.tokenExpiresAt,
      configChecksum: this.configChecksum,
      observedVersion: this.observedVersion,
      readyReplicas: this.readyReplicas,
      url: this.url,
      apiUrl: this.apiUrl,
    });
  }
}

function judge(input: ProxyInput, known: WorkloadFacts & ConfigFacts): Judged {
  const facts: ProxyFacts = { ...known, tokenExpiryWarning: tokenExpiryWarning(input.spec) };
  const status = proxyStatus(facts);
  return {
    ...status,
    summary: proxySummary(status, facts, proxyImage(input).version),
    warnings: [...specWarnings(input), ...proxyWarnings(status)],
  };
}
