// What the API server writes down of requests, for those who ask which rights somebody used.

import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { USERS } from "./credentials.ts";

/** Who asked for what, never what was sent or answered: that may be a Secret. */
const POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived", "ResponseStarted", "Panic"],
  rules: [
    // Discovery, which every user may do.
    { level: "None", nonResourceURLs: ["*"] },
    { level: "Metadata", users: USERS.filter((user) => user !== "admin") },
    { level: "None" },
  ],
};

/** MiB; by itself the API server begins a new file at 100, and who follows this one would miss the end of the old one. */
const MAX_SIZE = 102_400;

/** Makes the API server write one line of JSON into `file` for each request that a policy in `dir` lets through. */
export function auditFlags(dir: string, file: string): string[] {
  const policy = join(dir, "audit-policy.yaml");
  // JSON is YAML.
  writeFileSync(policy, JSON.stringify(POLICY));
  return [
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${file}`,
    `--audit-log-maxsize=${MAX_SIZE}`,
    "--audit-log-mode=blocking",
  ];
}

/** What is read of a request: https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/#audit-k8s-io-v1-Event */
export interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly namespace?: string;
    readonly resource: string;
    readonly name?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly stageTimestamp: string;
}

/**
 * Follows a log from now on: each call returns what was written since the one before, of the whole lines that hold `text`.
 * The API server writes a line before it answers, but of a watch when that ends.
 */
export function followAudit(file: string, text = ""): () => AuditEvent[] {
  let offset = existsSync(file) ? statSync(file).size : 0;
  let rest = Buffer.alloc(0);
  return () => {
    if (!existsSync(file)) return [];
    const fd = openSync(file, "r");
    try {
      const { size } = fstatSync(fd);
      const added = Buffer.alloc(size - offset);
      offset += readSync(fd, added, 0, added.length, offset);
      const all = Buffer.concat([rest, added]);
      const end = all.lastIndexOf("\n") + 1;
      rest = all.subarray(end);
      const lines = all.subarray(0, end).toString().split("\n");
      return lines
        .filter((line) => line !== "" && line.includes(text))
        .map((line) => JSON.parse(line) as AuditEvent);
    } finally {
      closeSync(fd);
    }
  };
}
