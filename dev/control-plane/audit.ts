// What the API server writes down of requests, for those who ask which rights somebody used.

import { writeFileSync } from "node:fs";
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

/** Makes the API server write one line of JSON into `file` for each request that a policy in `dir` lets through. */
export function auditFlags(dir: string, file: string): string[] {
  const policy = join(dir, "audit-policy.yaml");
  // JSON is YAML.
  writeFileSync(policy, JSON.stringify(POLICY));
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${file}`, "--audit-log-mode=blocking"];
}
