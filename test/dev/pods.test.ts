// What pods do on the local cluster: they become ready, fail as they are told to, and wait for what they
// name.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CoreV1Event, V1ContainerStatus, V1Pod } from "@kubernetes/client-node";
import { BEHAVIOUR } from "../../dev/kwok/annotations.ts";
import { deployment, eventually, useControlPlane } from "./support.ts";
import type { PodSpec } from "./support.ts";

const { kubectl } = await useControlPlane();

async function apply(object: object): Promise<void> {
  await kubectl(["apply", "-f", "-"], object);
}

async function podOf(name: string): Promise<V1Pod | undefined> {
  const list = JSON.parse(await kubectl(["get", "pods", "-l", `app=${name}`, "-o", "json"])) as {
    items: V1Pod[];
  };
  return list.items.find((pod) => pod.metadata?.deletionTimestamp === undefined);
}

function podThat(
  name: string,
  what: string,
  seconds: number,
  matches: (pod: V1Pod) => boolean,
): Promise<V1Pod> {
  return eventually(`${name} ${what}`, seconds, async () => {
    const pod = await podOf(name);
    return pod !== undefined && matches(pod) ? pod : undefined;
  });
}

function main(pod: V1Pod): V1ContainerStatus | undefined {
  return pod.status?.containerStatuses?.find((status) => status.name === "main");
}

function waitsWith(reason: string): (pod: V1Pod) => boolean {
  return (pod) => main(pod)?.state?.waiting?.reason === reason;
}

function condition(pod: V1Pod, type: string): string | undefined {
  return pod.status?.conditions?.find((entry) => entry.type === type)?.status;
}

function isReady(pod: V1Pod): boolean {
  return condition(pod, "Ready") === "True";
}

async function eventOf(pod: V1Pod, reason: string): Promise<CoreV1Event> {
  const selector = `involvedObject.uid=${pod.metadata?.uid},reason=${reason}`;
  return eventually(`event ${reason}`, 30, async () => {
    const args = ["get", "events", "--field-selector", selector, "-o", "json"];
    return (JSON.parse(await kubectl(args)) as { items: CoreV1Event[] }).items[0];
  });
}

const usesSecret: Partial<PodSpec> = {
  containers: [
    {
      name: "main",
      image: "registry.example/main:1",
      env: [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "late", key: "token" } } }],
    },
    { name: "other", image: "registry.example/other:1" },
  ],
};

// Side by side: each waits most of its time.
describe("a pod", { concurrency: true }, () => {
  test("a Deployment is available in about a second, its init containers done", async () => {
    await apply(
      deployment(
        "plain",
        {},
        {
          initContainers: [
            { name: "first", image: "a" },
            { name: "side", image: "b", restartPolicy: "Always" },
          ],
        },
      ),
    );
    await kubectl(["wait", "deployment/plain", "--for=condition=Available", "--timeout=60s"]);
    const pod = await podThat("plain", "ready", 1, isReady);
    assert.equal(pod.status?.phase, "Running");
    assert.equal(condition(pod, "Initialized"), "True");
    assert.match(pod.status.podIP ?? "", /^10\.244\./);
    assert.equal(main(pod)?.ready, true);
    assert.ok(main(pod)?.state?.running !== undefined);
    const [first, side] = pod.status.initContainerStatuses ?? [];
    assert.equal(first?.state?.terminated?.exitCode, 0);
    assert.ok(side?.state?.running !== undefined);
  });

  test("never-ready: it runs and is not ready, until the annotation goes; and the other way round", async () => {
    await apply(deployment("never", { [BEHAVIOUR]: "never-ready" }));
    const pod = await podThat("never", "running", 5, ({ status }) => status?.phase === "Running");
    assert.equal(condition(pod, "Ready"), "False");
    assert.equal(main(pod)?.ready, false);
    assert.match((await eventOf(pod, "Unhealthy")).message ?? "", /Readiness probe failed/);
    const name = pod.metadata?.name ?? "";
    await kubectl(["annotate", "pod", name, `${BEHAVIOUR}-`]);
    await podThat("never", "ready", 5, isReady);
    await kubectl(["annotate", "pod", name, `${BEHAVIOUR}=never-ready`]);
    await podThat("never", "unready again", 5, (again) => !isReady(again));
  });

  test("image-pull-error: ErrImagePull, then ImagePullBackOff", async () => {
    await apply(deployment("pull", { [BEHAVIOUR]: "image-pull-error" }, usesSecret));
    const pod = await podThat("pull", "backing off", 5, waitsWith("ImagePullBackOff"));
    assert.equal(pod.status?.phase, "Pending");
    assert.match(
      main(pod)?.state?.waiting?.message ?? "",
      /Back-off pulling image "registry\.example\/main:1"/,
    );
    const event = await eventOf(pod, "Failed");
    assert.equal(event.type, "Warning");
    assert.match(event.message ?? "", /failed to pull .*registry\.example\/main:1/);
  });

  test("crash-loop: restarts are counted, the last one ended with exit code 1", async () => {
    await apply(deployment("crash", { [BEHAVIOUR]: "crash-loop" }));
    const pod = await podThat("crash", "crashed", 5, waitsWith("CrashLoopBackOff"));
    assert.equal(pod.status?.phase, "Running");
    assert.equal(main(pod)?.restartCount, 1);
    assert.equal(main(pod)?.lastState?.terminated?.exitCode, 1);
    assert.match(
      (await eventOf(pod, "BackOff")).message ?? "",
      /Back-off restarting failed container main in pod crash-/,
    );
    await podThat("crash", "crashed again", 15, (again) => main(again)?.restartCount === 2);
  });

  test("slow:<seconds>: ready after that time", async () => {
    await apply(deployment("slow", { [BEHAVIOUR]: "slow:2" }));
    const running = await podThat("slow", "running", 5, ({ status }) => status?.phase === "Running");
    assert.equal(isReady(running), false);
    const pod = await podThat("slow", "ready", 5, isReady);
    const since = pod.status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime;
    const seconds = (Date.parse(String(since)) - Date.parse(String(pod.status?.startTime))) / 1000;
    assert.ok(seconds >= 1 && seconds <= 30, `ready after ${seconds} s (whole seconds)`);
  });

  test("a missing Secret, then a missing key, hold the container back until they appear", async () => {
    await apply(deployment("waits", {}, usesSecret));
    const pod = await podThat("waits", "waiting", 5, waitsWith("CreateContainerConfigError"));
    assert.equal(pod.status?.phase, "Pending");
    assert.equal(main(pod)?.state?.waiting?.message, 'secret "late" not found');
    assert.equal(pod.status.containerStatuses?.find(({ name }) => name === "other")?.ready, true);
    assert.equal((await eventOf(pod, "Failed")).message, 'Error: secret "late" not found');

    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "late" },
      stringData: { another: "x" },
    };
    await apply(secret);
    const message = "couldn't find key token in Secret default/late";
    await podThat("waits", message, 5, (again) => main(again)?.state?.waiting?.message === message);
    await apply({ ...secret, stringData: { token: "x" } });
    const begin = Date.now();
    const ready = await podThat("waits", "ready", 5, isReady);
    assert.ok(Date.now() - begin < 2000, "quick");
    assert.equal(ready.metadata?.uid, pod.metadata?.uid);
    assert.equal(ready.metadata?.annotations?.["dev.pulumi-proxies/messages"], undefined);

    await kubectl(["delete", "secret", "late"]);
    assert.ok(isReady((await podOf("waits")) ?? {}), "what runs goes on running");
  });

  test("an init container that waits holds back the others", async () => {
    const initContainers = [
      { name: "before", image: "a" },
      { name: "needs", image: "b", envFrom: [{ configMapRef: { name: "absent" } }] },
    ];
    await apply(deployment("init", {}, { initContainers }));
    const pod = await podThat("init", "initializing", 5, waitsWith("PodInitializing"));
    const [before, needs] = pod.status?.initContainerStatuses ?? [];
    assert.equal(before?.state?.terminated?.reason, "Completed");
    assert.equal(needs?.state?.waiting?.reason, "CreateContainerConfigError");
    assert.equal(condition(pod, "Initialized"), "False");
  });

  test("a missing volume source: ContainerCreating and FailedMount, until it appears", async () => {
    await apply(
      deployment("mounts", {}, { volumes: [{ name: "settings", configMap: { name: "settings" } }] }),
    );
    const pod = await podThat("mounts", "creating", 5, waitsWith("ContainerCreating"));
    assert.match(
      (await eventOf(pod, "FailedMount")).message ?? "",
      /volume "settings" : configmap "settings" not found/,
    );
    await kubectl(["create", "configmap", "settings"]);
    await podThat("mounts", "ready", 5, isReady);
  });
});

test("two hundred pods come up", async () => {
  await apply(deployment("many", {}));
  await kubectl(["scale", "deployment/many", "--replicas=200"]);
  await kubectl(["rollout", "status", "deployment/many", "--timeout=60s"]);
  await kubectl(["delete", "deployment/many", "--cascade=foreground", "--timeout=60s"]);
  assert.equal(await podOf("many"), undefined);
});
