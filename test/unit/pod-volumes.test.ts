import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContainerSpec } from "../../components/workload/container-specs.ts";
import { type PodParts, podProblems } from "../../components/workload/pod-checks.ts";
import { CANARY } from "./support.ts";

const LACKING = "names no volume of the pod: add it to volumes, or correct the name";
const NO_CLAIM = "must name a volume that is of type persistentVolumeClaim";
const LONG = "must be at most terminationGracePeriodSeconds of the pod";

/** A pod with a volume of each kind. */
const pod: PodParts = {
  secretRefs: [
    { name: "s", type: "volume", mountPath: "/s" },
    { name: "e", type: "env" },
  ],
  configMapRefs: [{ name: "c", type: "volume", mountPath: "/c" }],
  volumes: [
    { name: "scratch", mountPath: "/scratch" },
    { name: "claim", mountPath: "/claim", persistentVolumeClaim: { claimName: "x" } },
  ],
};

const mounting = (...names: string[]): Partial<ContainerSpec> => ({
  volumeMounts: names.map((name, index) => ({ name, mountPath: `/${index}` })),
});

const device = (name: string): Partial<ContainerSpec> => ({
  volumeDevices: [{ name, devicePath: "/dev/a" }],
});

const sleeping = (seconds: number): Partial<ContainerSpec> => ({
  lifecycle: { postStart: { sleep: { seconds } }, preStop: { sleep: { seconds } } },
});

const SLEEPS: [string, string][] = [
  ["lifecycle.postStart.sleep.seconds", LONG],
  ["lifecycle.preStop.sleep.seconds", LONG],
];

const rows: [string, Partial<ContainerSpec>, PodParts, [path: string, message: string][]][] = [
  ["mounts of every kind of volume", mounting("secret-s", "configmap-c", "scratch", "claim"), pod, []],
  [
    "mounts of volumes that are not there",
    mounting("scratch", "scrach", "secret-e", CANARY),
    pod,
    [
      ["volumeMounts[1].name", LACKING],
      ["volumeMounts[2].name", LACKING],
      ["volumeMounts[3].name", LACKING],
    ],
  ],
  ["a mount in a pod without volumes", mounting("scratch"), {}, [["volumeMounts[0].name", LACKING]]],
  ["a device of a claim", device("claim"), pod, []],
  ["a device of no volume", device("x"), pod, [["volumeDevices[0].name", LACKING]]],
  ["a device of scratch space", device("scratch"), pod, [["volumeDevices[0].name", NO_CLAIM]]],
  ["a device of a Secret", device("secret-s"), pod, [["volumeDevices[0].name", NO_CLAIM]]],
  ["a sleep as long as Kubernetes waits", sleeping(30), pod, []],
  ["a sleep longer than Kubernetes waits", sleeping(31), pod, SLEEPS],
  ["a long sleep in a patient pod", sleeping(120), { ...pod, terminationGracePeriodSeconds: 120 }, []],
  ["a long sleep in an impatient pod", sleeping(6), { ...pod, terminationGracePeriodSeconds: 5 }, SLEEPS],
];

for (const field of ["initContainers", "sidecars"] as const) {
  for (const [what, container, parts, expected] of rows) {
    test(`${what} (${field}) ${expected.length === 0 ? "is no problem" : "is told by path"}`, () => {
      const containers = [
        { name: "a", image: "i:1" },
        { name: "b", image: "i:1", ...container },
      ];
      const problems = podProblems({ ...parts, [field]: containers }, "main", "p");
      assert.deepEqual(
        problems,
        expected.map(([path, message]) => ({ path: `p.${field}[1].${path}`, message })),
      );
      assert.equal(JSON.stringify(problems).includes(CANARY), false);
    });
  }
}
