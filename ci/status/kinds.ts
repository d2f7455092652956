import { connectorStatus, connectorWarnings } from "../../components/connector/status.ts";
import { type ProxyFacts, proxyStatus, proxyWarnings } from "../../components/proxy/status.ts";
import type { WorkloadStatus } from "../../components/workload/status.ts";

/** A kind of component, as the commands of CI know it. */
export interface Kind {
  kind: string;
  /** The stack's output that lists them by name. */
  output: string;
  judge: (facts: ProxyFacts) => WorkloadStatus;
  /** What of its status people should hear of. */
  warnings: (status: WorkloadStatus) => string[];
}

/** Every kind that a zone may have; another one is another line. */
export const KINDS: readonly Kind[] = [
  { kind: "Proxy", output: "proxies", judge: proxyStatus, warnings: proxyWarnings },
  { kind: "Connector", output: "connectors", judge: connectorStatus, warnings: connectorWarnings },
];

/** @throws Error for a kind that is none of ours */
export function kindOf(name: string): Kind {
  const kind = KINDS.find((each) => each.kind === name);
  if (kind === undefined) throw new Error(`there is no component of kind ${name}`);
  return kind;
}
