// What a Proxy does beyond the operator's, on a live API server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { program } from "./support/program.ts";
import { at, type StackFile, TestZone } from "./support/zone.ts";

const file = (proxy: object = {}): StackFile => ({
  proxies: { p: { configTokenSecretRef: { name: "p-config" }, referenceTimeoutSeconds: 0, ...proxy } },
});

test("unless told otherwise a rollout never leaves fewer pods available than there should be", async (t) => {
  const zone = await TestZone.open(t, file({ replicas: 2 }), { asWritten: true });
  await zone.putToken("p-config", "30d");
  const first = await zone.up();
  assert.equal(first.code, 0, first.output);
  const { spec } = await zone.get("deployment", "p");
  assert.deepEqual(
    [at(spec, "strategy"), at(spec, "minReadySeconds")],
    [{ type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } }, 10],
  );

  await zone.putToken("p-config", "60d");
  const seen: unknown[] = [];
  const end = new AbortController();
  const watch = (async (): Promise<void> => {
    while (!end.signal.aborted) {
      seen.push(at(await zone.get("deployment", "p"), "status", "availableReplicas") ?? 0);
      await sleep(250);
    }
  })();
  const rotated = await zone.up();
  end.abort();
  await watch;
  assert.equal(rotated.code, 0, rotated.output);
  assert.equal(rotated.changes["update"], 1);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
  assert.ok(seen.length > 3);
  assert.deepEqual(
    seen.filter((available) => Number(available) < 2),
    [],
  );
});

/** The same value, the keys of every map the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, turned(child)]),
  );
}

test("policies, spread, priority, egress and scratch space are accepted, stay, and leave nothing behind", async (t) => {
  const zone = await TestZone.open(t, file());
  await zone.putToken("p-config", "30d");
  // It stays until the control plane of these tests goes.
  const priorityClassName = `edge-${zone.namespace}`;
  await zone.apply({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: priorityClassName },
    value: 1000,
  });
  const specs = async (): Promise<unknown[]> => {
    const objects = await zone.list("deployments,networkpolicies");
    return objects.map((object) => at(object, "spec"));
  };
  assert.equal((await zone.up()).code, 0);
  const plain = await specs();

  const extras = file({
    strategy: { type: "Recreate" },
    priorityClassName,
    automountServiceAccountToken: true,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "topology.kubernetes.io/zone",
        whenUnsatisfiable: "ScheduleAnyway",
        matchLabelKeys: ["pod-template-hash"],
        nodeTaintsPolicy: "Honor",
      },
      {
        maxSkew: 2,
        topologyKey: "kubernetes.io/hostname",
        whenUnsatisfiable: "DoNotSchedule",
        minDomains: 1,
      },
    ],
    egress: { httpProxy: "http://egress.example.com:3128", noProxy: ["10.0.0.0/8"] },
    writablePaths: [{ path: "/tmp" }, { path: "/var/cache/proxy", sizeLimit: "1Gi" }, { path: "/run-time" }],
    podLabels: { team: "edge", tier: "front" },
    podAnnotations: { "example.com/b": "1", "example.com/a": "2" },
    tolerations: [{ key: "edge", operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 }],
    networkPolicy: {
      allowFrom: [
        { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring", team: "sre" } } },
        { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } },
        { podSelector: { matchExpressions: [{ key: "role", operator: "In", values: ["a", "b"] }] } },
      ],
      egress: [
        {
          to: [{ ipBlock: { cidr: "2001:db8::/32" } }],
          ports: [{ port: 5671 }, { port: 8000, endPort: 8999 }],
        },
        { ports: [{ port: "https", protocol: "TCP" }] },
      ],
    },
  });
  zone.write(extras);
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.equal((await zone.outputs())["p"]?.phase, "Running");
  const pod = at(await zone.get("deployment", "p"), "spec", "template", "spec");
  assert.equal(at(pod, "priorityClassName"), priorityClassName);
  assert.deepEqual(at(pod, "topologySpreadConstraints", 0, "labelSelector"), {
    matchLabels: {
      "app.kubernetes.io/component": "proxy",
      "app.kubernetes.io/name": "p",
      "otilm.com/proxy": "p",
    },
  });
  const env = Object.fromEntries(
    (at(pod, "containers", 0, "env") as { name: string; value?: string }[]).map(({ name, value }) => [
      name,
      value,
    ]),
  );
  assert.deepEqual(
    [env["HTTP_PROXY"], env["http_proxy"], env["HTTPS_PROXY"]],
    ["http://egress.example.com:3128", "http://egress.example.com:3128", undefined],
  );
  assert.match(env["NO_PROXY"] ?? "", /^10\.0\.0\.0\/8,localhost,.*\$\(KUBERNETES_SERVICE_HOST\)$/);
  const policy = at(await zone.get("networkpolicy", "p"), "spec");
  assert.equal((at(policy, "ingress", 0, "from") as unknown[]).length, 4);
  assert.equal((at(policy, "egress") as unknown[]).length, 3);

  const second = await zone.up("--expect-no-changes");
  assert.equal(second.code, 0, second.output);
  zone.write(turned(extras) as StackFile);
  const reordered = await zone.up("--expect-no-changes");
  assert.equal(reordered.code, 0, reordered.output);

  zone.write(file());
  const off = await zone.up();
  assert.equal(off.code, 0, off.output);
  assert.deepEqual(Object.keys(off.changes).sort(), ["unchanged", "update"]);
  assert.deepEqual(await specs(), plain);
});

test("a sidecar that a transform adds is admitted to a restricted namespace, and a second run changes nothing", async (t) => {
  const zone = await TestZone.open(t, {});
  const labels = ["pod-security.kubernetes.io/enforce=restricted"];
  await zone.kubectl(["label", "namespace", zone.namespace, ...labels]);
  await zone.putToken("p-config", "30d");
  program(
    zone,
    `const deployment = (manifest) => {
       const { spec } = manifest.spec.template;
       spec.dnsConfig = { options: [{ name: "ndots", value: "1" }] };
       spec.containers.push({ name: "log", image: "example.com/log:1" });
       manifest.metadata.name = manifest.spec.template.metadata.labels["otilm.com/proxy"] = "other";
     };
     const serviceAccount = (manifest) => ({ ...manifest, automountServiceAccountToken: false });
     const transform = { deployment, serviceAccount };
     const proxy = new proxies.Proxy("p", { zone, configTokenSecretRef, minReadySeconds: 0, transform });
     export const phase = proxy.phase;`,
  );
  const run = await zone.up();
  assert.equal(run.code, 0, run.output);
  assert.match((await zone.pulumi(["stack", "output", "phase"])).output, /Running/);
  const pod = at(await zone.get("deployment", "p"), "spec", "template", "spec");
  assert.deepEqual(at(pod, "dnsConfig"), { options: [{ name: "ndots", value: "1" }] });
  assert.deepEqual(at(pod, "containers", 1, "securityContext"), {
    runAsNonRoot: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  });
  assert.equal((await zone.list("pods")).length, 1);
  assert.equal(at(await zone.get("serviceaccount", "p"), "automountServiceAccountToken"), false);
  const second = await zone.up("--expect-no-changes");
  assert.equal(second.code, 0, second.output);
});
