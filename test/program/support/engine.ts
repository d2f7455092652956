// The engine's side of a program, recorded: what Pulumi's own mocks leave out (options, hooks) is read from the requests.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import type { Outcome } from "../../../components/connector/registration/outcome.ts";

/** The SDK's own memory, of which its types say nothing: where it keeps what runs hooks. */
const { getStore } = createRequire(import.meta.url)("@pulumi/pulumi/runtime/state.js") as {
  getStore: () => { callbacks: unknown };
};

export const PROJECT = "pulumi-proxies";
export const ORGANIZATION = "organization";
export const STACK = "prod-dc-east";

/** How long anything may take before a test gives up on it. */
const BOUND = 20_000;

/** One resource as the engine was told of it. Secrets in `inputs` are marked: see `reveal` and `secretPaths`. */
export interface Registration {
  type: string;
  name: string;
  parent: string;
  provider: string;
  dependencies: string[];
  ignoreChanges: string[];
  beforeCreate: string[];
  beforeUpdate: string[];
  retainOnDelete: boolean;
  /** How long its deletion may take, in Pulumi's notation; empty for the provider's own bound. */
  deletionBound: string;
  inputs: Record<string, unknown>;
}

export interface Log {
  severity: "info" | "warning" | "error";
  message: string;
}

/** All that a run told the engine. */
export interface Recorded {
  registrations: Registration[];
  urns: string[];
  logs: Log[];
  /** What the program left for the process to exit with. */
  exitCode: number | string | null | undefined;
}

/** A run that is still going on. */
export interface Running {
  registrations: Registration[];
  /** Runs a hook as the engine would, and returns its error, if any. */
  runHook(name: string): Promise<string>;
}

/** What a connector registers itself with. */
const REGISTRATION = "pulumi-nodejs:dynamic/proxies:Registration";

const TYPES = new Set([
  "pulumi:providers:kubernetes",
  "proxies:index:Proxy",
  "proxies:index:Connector",
  REGISTRATION,
  "kubernetes:core/v1:ServiceAccount",
  "kubernetes:core/v1:Secret",
  "kubernetes:core/v1:Service",
  "kubernetes:apps/v1:Deployment",
  "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
  "kubernetes:policy/v1:PodDisruptionBudget",
  "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  "kubernetes:monitoring.coreos.com/v1:ServiceMonitor",
]);

interface Monitor {
  registerResource(
    request: RegisterResourceRequest,
    done: (error: unknown, answer: unknown) => void,
  ): Promise<void>;
  getRegisteredResources(): Map<string, unknown>;
}

/** What a program asks of the engine beside resources; the tests that allow it say what it answers. */
export type Call = (token: string, inputs: Record<string, unknown>) => Record<string, unknown>;

const noCall: Call = (token) => {
  throw new Error(`the program called ${token}`);
};

/**
 * Runs a program's body under mocks and waits until the engine has heard all of it, or, for a program that never comes
 * to that, until `until` has. `outcome` is what comes of registering with a platform.
 */
export async function run(
  preview: boolean,
  body: (running: Running) => void | Promise<void>,
  until: () => Promise<unknown> = () => pulumi.runtime.disconnect(),
  call: Call = noCall,
  outcome: Outcome = { outcome: "waiting" },
): Promise<Recorded> {
  await pulumi.runtime.setMocks(
    {
      call: ({ token, inputs }) => call(token, inputs as Record<string, unknown>),
      newResource: ({ type, name, inputs }) => {
        if (!TYPES.has(type)) throw new Error(`the program registered a ${type}`);
        const registers = type === REGISTRATION && !preview;
        const state: Record<string, unknown> = {
          ...(inputs as object),
          ...(registers && { registration: { generation: 1, outcome } }),
        };
        return { id: preview ? undefined : `${name}-id`, state };
      },
    },
    PROJECT,
    STACK,
    preview,
    ORGANIZATION,
  );
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const registrations: Registration[] = [];
  const hooks = new Map<string, pulumi.ResourceHook>();
  // The SDK would start a gRPC server, through which an engine runs hooks.
  getStore().callbacks = {
    registerResourceHook: (hook: pulumi.ResourceHook) => Promise.resolve(void hooks.set(hook.name, hook)),
    awaitStackRegistrations: () => Promise.resolve(),
    shutdown: () => undefined,
  };
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) => {
    registrations.push(registrationOf(request));
    return register(request, done);
  };
  const { logs, restore } = recordLogs();
  try {
    await body({ registrations, runHook: (name) => runHook(hooks.get(name)) });
    await bounded(until(), "the end of the run");
    return {
      registrations,
      urns: [...monitor.getRegisteredResources().keys()],
      logs,
      exitCode: process.exitCode,
    };
  } finally {
    restore();
    process.exitCode = undefined;
  }
}

function registrationOf(request: RegisterResourceRequest): Registration {
  const hooks = request.getHooks();
  return {
    type: request.getType(),
    name: request.getName(),
    parent: request.getParent(),
    provider: request.getProvider(),
    dependencies: request.getDependenciesList(),
    ignoreChanges: request.getIgnorechangesList(),
    beforeCreate: hooks?.getBeforeCreateList() ?? [],
    beforeUpdate: hooks?.getBeforeUpdateList() ?? [],
    retainOnDelete: request.getRetainondelete() ?? false,
    deletionBound: request.getCustomtimeouts()?.getDelete() ?? "",
    inputs: request.getObject()?.toJavaScript() as Record<string, unknown>,
  };
}

/** Without an engine the SDK writes its log to the console. */
function recordLogs(): { logs: Log[]; restore: () => void } {
  const logs: Log[] = [];
  const { log, warn, error } = console;
  const record = (text: unknown): void => {
    const [, severity, message] = /^(info|warning|error): \[runtime\] (.*)$/s.exec(String(text)) ?? [];
    assert.ok(severity && message !== undefined, `the program wrote to the console: ${String(text)}`);
    logs.push({ severity: severity as Log["severity"], message });
  };
  Object.assign(console, { log: record, warn: record, error: record });
  return { logs, restore: () => void Object.assign(console, { log, warn, error }) };
}

async function runHook(hook: pulumi.ResourceHook | undefined): Promise<string> {
  assert.ok(hook, "the hook is registered");
  try {
    await hook.callback({ urn: "", id: "", name: "", type: "" });
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

/** The value of an Output; a failure when it stays unknown or takes too long. */
export async function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  const value = new Promise<T>((resolve) => {
    output.apply(resolve);
  });
  return bounded(value, "an Output");
}

export async function bounded<T>(promise: Promise<T>, what: string, milliseconds = BOUND): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} did not come within ${milliseconds} ms`));
    }, milliseconds);
  });
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}

/** The one registration of a kind. */
export function the(recorded: { registrations: Registration[] }, kind: string, name?: string): Registration {
  const all = recorded.registrations.filter(
    (each) => each.type.endsWith(`:${kind}`) && (name ?? each.name) === each.name,
  );
  const [first] = all;
  assert.equal(all.length, 1, `one ${kind} is registered`);
  assert.ok(first);
  return first;
}

const SECRET_MARK = "4dabf18193072939515e22adb298388d";

/** Inputs without the marks of secrets. */
export function reveal(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (SECRET_MARK in value) return reveal((value as { value?: unknown }).value);
  if (Array.isArray(value)) return value.map(reveal);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, reveal(child)]));
}

/** Inputs with every secret replaced: what a state file or preview would show in clear. */
export function inClear(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (SECRET_MARK in value) return "[secret]";
  if (Array.isArray(value)) return value.map(inClear);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inClear(child)]));
}

interface Metadata {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export function metadata({ inputs }: Registration): Metadata {
  return (reveal(inputs) as { metadata: Metadata }).metadata;
}

/** Annotations of a Deployment's pods. */
export function podAnnotations({ inputs }: Registration): Record<string, string> {
  const { spec } = reveal(inputs) as {
    spec: { template: { metadata: { annotations?: Record<string, string> } } };
  };
  return spec.template.metadata.annotations ?? {};
}
