import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { ZoneReport } from "../../ci/preview/model.ts";
import { readPreview } from "../../ci/preview/read.ts";
import { zoneReport } from "../../ci/preview/zone.ts";

/** Before every token of the fixtures ends. */
export const NOW = new Date("2026-11-29T21:00:00Z");

export const STACK = "prod-dc-east";

/** A preview of the real CLI: three proxies, `dc-own` with its token in `configTokens`; trimmed. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/previews/${name}`, import.meta.url));
}

export interface RawStep {
  op: string;
  urn: string;
  old?: unknown;
  new?: unknown;
  detailedDiff?: Record<string, object> | null;
}

export interface RawDiagnostic {
  severity: string;
  message: string;
  urn?: string;
}

const TYPES: Record<string, string> = {
  Deployment: "kubernetes:apps/v1:Deployment",
  Service: "kubernetes:core/v1:Service",
  Secret: "kubernetes:core/v1:Secret",
  NetworkPolicy: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  Provider: "pulumi:providers:kubernetes",
  Stack: "pulumi:pulumi:Stack",
};

/** What an object's state says, besides whose it is. */
export interface StateParts {
  annotations?: Record<string, string>;
  data?: unknown;
  spec?: unknown;
}

export interface StepParts {
  kind: string;
  name?: string;
  proxy?: string;
  old?: StateParts;
  new?: StateParts;
  paths?: string[];
}

/** A step on an object of the proxy `dc-east`, or on that proxy itself. */
export function step(op: string, parts: StepParts): RawStep {
  const { kind, proxy = "dc-east", name = proxy, paths } = parts;
  const type = kind === "Proxy" ? "proxies:index:Proxy" : `proxies:index:Proxy$${TYPES[kind] ?? kind}`;
  const isOwned = kind !== "Proxy" && kind !== "Provider" && kind !== "Stack";
  const state = ({ annotations = {}, ...rest }: StateParts): unknown => ({
    inputs: isOwned
      ? {
          metadata: {
            name,
            namespace: "proxies",
            annotations: {
              "pulumi-proxies.dev/owner": `pulumi-proxies/${STACK}/Proxy/${proxy}`,
              ...annotations,
            },
          },
          ...rest,
        }
      : {},
  });
  return {
    op,
    urn: `urn:pulumi:${STACK}::pulumi-proxies::${isOwned || kind === "Proxy" ? type : (TYPES[kind] ?? kind)}::${name}`,
    ...(op !== "create" && { old: state(parts.old ?? {}) }),
    ...(op !== "delete" && { new: state(parts.new ?? parts.old ?? {}) }),
    detailedDiff: paths ? Object.fromEntries(paths.map((path) => [path, { kind: "update" }])) : null,
  };
}

export const CHECKSUM = 'spec.template.metadata.annotations["otilm.com/config-checksum"]';
export const DIGESTS = 'metadata.annotations["pulumi-proxies.dev/reference-digests"]';
export const KEY_ID = 'metadata.annotations["pulumi-proxies.dev/checksum-key-id"]';
export const EXPIRES = 'metadata.annotations["pulumi-proxies.dev/token-expires-at"]';
export const REPAIRS = 'metadata.annotations["pulumi-proxies.dev/repairs"]';

/** A Deployment's state: what its pods read, until when its token is valid, its image and number of pods. */
export function deployment(
  digests: object,
  expires?: string,
  {
    image = "hub/proxy:1",
    replicas = 1,
    secret = "dc-east-config",
    key = "configToken",
    keyId = undefined as string | undefined,
  } = {},
): StateParts {
  const env = [{ name: "PROXY_CONFIG_TOKEN", valueFrom: { secretKeyRef: { name: secret, key } } }];
  return {
    annotations: {
      "pulumi-proxies.dev/reference-digests": JSON.stringify(digests),
      ...(keyId !== undefined && { "pulumi-proxies.dev/checksum-key-id": keyId }),
      ...(expires !== undefined && { "pulumi-proxies.dev/token-expires-at": expires }),
    },
    spec: { replicas, template: { spec: { containers: [{ name: "proxy", image, env }] } } },
  };
}

/** The document as the CLI writes it. */
export function asDocument(steps: readonly RawStep[], diagnostics: readonly RawDiagnostic[] = []): Buffer {
  const written = steps.map(({ op, urn, old, new: next, detailedDiff }) => ({
    op,
    urn,
    oldState: old,
    newState: next,
    detailedDiff,
  }));
  return Buffer.from(JSON.stringify({ steps: written, diagnostics }, null, 4));
}

/** The events as the CLI writes them. */
export function asEvents(
  steps: readonly RawStep[],
  diagnostics: readonly RawDiagnostic[] = [],
  result = "succeeded",
): Buffer {
  const events = [
    ...steps.map((metadata) => ({ resourcePreEvent: { metadata } })),
    ...diagnostics.map((diagnosticEvent) => ({ diagnosticEvent })),
    { summaryEvent: { isPreview: true, result } },
    { cancelEvent: {} },
  ];
  const lines = events.map((event, index) =>
    JSON.stringify({ sequence: index + 1, timestamp: 1795982600, ...event }),
  );
  return Buffer.from(`${lines.join("\n")}\n`);
}

export function reportOf(saved: Buffer, now = NOW): ZoneReport {
  const preview = readPreview(saved);
  return zoneReport(preview.stack ?? "nameless", preview, now);
}

/** The report of a zone, which is the same from both shapes. */
export function zoneOf(
  steps: readonly RawStep[],
  diagnostics: readonly RawDiagnostic[] = [],
  now = NOW,
): ZoneReport {
  const fromDocument = reportOf(asDocument(steps, diagnostics), now);
  assert.deepEqual(reportOf(asEvents(steps, diagnostics), now), fromDocument);
  return fromDocument;
}
