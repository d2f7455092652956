// A program that does nothing but register a connector, and the rights that this takes.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { program } from "./program.ts";
import { deployment } from "../../dev/support.ts";
import type { Stub } from "./stub.ts";
import type { Run, TestZone } from "./zone.ts";

const resource = fileURLToPath(
  new URL("../../../components/connector/registration/resource.ts", import.meta.url),
);

/** What the program exports. */
export interface RegistrationOutputs {
  outcome: Record<string, unknown>;
  changed: string[];
}

/** Makes the program of a zone register with a platform, with these differences: fields of its args, as code. */
export function writeRegistering(
  zone: TestZone,
  platformUrl: string,
  args: Record<string, string> = {},
): void {
  program(
    zone,
    `${registerFunction(args)}
    const made = register("x", ${JSON.stringify(platformUrl)});
    export const outcome = made.outcome;
    export const changed = made.changed;`,
  );
}

/** Makes it register several connectors, each with a platform of its own: name -> address. */
export function writeRegisteringAll(
  zone: TestZone,
  platforms: Record<string, string>,
  args: Record<string, string> = {},
): void {
  program(
    zone,
    `${registerFunction(args)}
    const all = Object.entries(${JSON.stringify(platforms)});
    export const outcomes = Object.fromEntries(all.map(([name, url]) => [name, register(name, url).outcome]));`,
  );
}

/** The code of a function that registers a connector. */
function registerFunction(args: Record<string, string>): string {
  const all = {
    name: '"X.509"',
    customAttributes: "[]",
    authAttributes: "[]",
    generation: "1",
    uuid: "undefined",
    ready: "true",
    deregisterOnDelete: "false",
    credentials: "undefined",
    caBundle: "undefined",
    egress: "undefined",
    limits: "{ totalSeconds: 0 }",
    ...args,
  };
  const values = Object.entries(all).map(([name, code]) => `const ${name} = ${code};`);
  return `const { Registration } = await import("${resource}");
    ${values.join("\n    ")}
    function register(connector, platformUrl) {
      const url = "http://x.svc:8080", authType = "none";
      const component = new pulumi.ComponentResource("test:index:Connector", connector);
      const identity = { name: connector, namespace: zone.parts.namespace, component: "connector" };
      return new Registration({ component, zone, identity }, {
        request: { platformUrl, name, authType, url, authAttributes, customAttributes },
        call: { credentials, caBundle, egress, limits },
        ready, generation, uuid, deregisterOnDelete,
      });
    }`;
}

export async function registrationOutputs(zone: TestZone): Promise<RegistrationOutputs> {
  const { output } = await zone.pulumi(["stack", "output", "--json"]);
  return JSON.parse(output) as RegistrationOutputs;
}

export function passes(run: Run): void {
  assert.equal(run.code, 0, run.output);
}

type Rule = [resources: string[], verbs: string[]];

/** Grants what registering needs beyond the rights of a zone. */
export function grantRegistering(zone: TestZone): Promise<void> {
  return grant(zone, zone.namespace, [
    [["configmaps"], ["get", "create", "patch", "delete"]],
    [["secrets"], ["get"]],
  ]);
}

/** Grants what calling a platform takes that is a Service of this namespace. */
export function grantCalling(zone: TestZone, namespace: string, portForward = true): Promise<void> {
  return grant(zone, namespace, [
    [["services"], ["get"]],
    [["pods"], ["list"]],
    ...(portForward ? [[["pods/portforward"], ["get", "create"]] as Rule] : []),
  ]);
}

async function grant(zone: TestZone, namespace: string, rules: Rule[]): Promise<void> {
  const metadata = { name: "registration" };
  const items = [
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata,
      rules: rules.map(([resources, verbs]) => ({ apiGroups: [""], resources, verbs })),
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name },
      subjects: [{ kind: "User", name: "update" }],
    },
  ];
  await zone.applyIn(namespace, ...items);
}

/** The platform: a Deployment, and a Service that leads a port to a port of it by name. */
export async function deployPlatform(
  zone: TestZone,
  namespace: string,
  stub: Stub,
  port: number,
): Promise<void> {
  const ports = [{ name: "api", containerPort: stub.port }];
  const containers = [{ name: "main", image: "registry.example/core:1", ports }];
  const spec = { selector: { app: "core" }, ports: [{ port, targetPort: "api" }] };
  await zone.applyIn(
    namespace,
    { apiVersion: "v1", kind: "Service", metadata: { name: "core" }, spec },
    deployment("core", {}, { containers }),
  );
  await zone.kubectl(["--namespace", namespace, "rollout", "status", "deployment/core", "--timeout=120s"]);
}
