import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContainerSecurityContextSpec } from "../../components/workload/container-security-specs.ts";
import {
  containerSecurityContext,
  hardenContainer,
  podSecurityContext,
} from "../../components/workload/hardening.ts";

const RESTRICTED = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

test("pods run as non-root under the runtime's seccomp profile, with a group only when one is given", () => {
  const pod = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
  assert.deepEqual(podSecurityContext(undefined), pod);
  assert.deepEqual(podSecurityContext(10001), { ...pod, fsGroup: 10001 });
  assert.deepEqual(podSecurityContext(0), { ...pod, fsGroup: 0 });
});

test("the main container's root file system is read-only unless asked otherwise, all else stays", () => {
  assert.deepEqual(containerSecurityContext(), { ...RESTRICTED, readOnlyRootFilesystem: true });
  assert.deepEqual(containerSecurityContext(undefined), { ...RESTRICTED, readOnlyRootFilesystem: true });
  assert.deepEqual(containerSecurityContext(true), { ...RESTRICTED, readOnlyRootFilesystem: true });
  assert.deepEqual(containerSecurityContext(false), { ...RESTRICTED, readOnlyRootFilesystem: false });
});

const contexts: [string, ContainerSecurityContextSpec, object][] = [
  ["an empty context", {}, {}],
  [
    "a privileged context with added capabilities",
    {
      privileged: true,
      allowPrivilegeEscalation: true,
      runAsNonRoot: false,
      capabilities: { add: ["NET_ADMIN"], drop: ["CHOWN"] },
    },
    {},
  ],
  [
    "a seccomp profile of the node",
    { seccompProfile: { type: "Localhost", localhostProfile: "profiles/x.json" } },
    {},
  ],
  ["no seccomp at all", { seccompProfile: { type: "Unconfined" } }, {}],
  [
    "users, file system and SELinux",
    {
      runAsUser: 1001,
      runAsGroup: 1002,
      readOnlyRootFilesystem: true,
      seLinuxOptions: { level: "s0:c1,c2" },
      procMount: "Default",
    },
    {
      runAsUser: 1001,
      runAsGroup: 1002,
      readOnlyRootFilesystem: true,
      seLinuxOptions: { level: "s0:c1,c2" },
      procMount: "Default",
    },
  ],
  ["a writable file system", { readOnlyRootFilesystem: false }, { readOnlyRootFilesystem: false }],
];

for (const [what, securityContext, kept] of contexts) {
  test(`a container with ${what} is forced to the standard and keeps what that leaves open`, () => {
    assert.deepEqual(hardenContainer({ name: "c", image: "i:1", securityContext }), {
      name: "c",
      image: "i:1",
      securityContext: { ...kept, ...RESTRICTED, privileged: false },
    });
  });
}

test("a container without context is given one, which says nothing of privileges and the file system", () => {
  const expected = { name: "c", image: "i:1", securityContext: RESTRICTED };
  assert.deepEqual(hardenContainer({ name: "c", image: "i:1" }), expected);
  assert.deepEqual(hardenContainer({ name: "c", image: "i:1", securityContext: undefined }), expected);
});

test("everything else of a container stays as it was written, and what was given is not changed", () => {
  const given = {
    name: "c",
    image: "i:1",
    args: ["a"],
    env: [{ name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
    volumeMounts: [{ name: "data", mountPath: "/data" }],
    livenessProbe: { tcpSocket: { port: 80 } },
    securityContext: { privileged: true, capabilities: { add: ["ALL"] } },
  };
  const before = structuredClone(given);
  assert.deepEqual(hardenContainer(given), {
    ...before,
    securityContext: { ...RESTRICTED, privileged: false },
  });
  assert.deepEqual(given, before);
});
