// What a zone's runs write, as the API server's audit log tells it while they run.
import { type AuditEvent, followAudit } from "../../../dev/control-plane/audit.ts";
import type { TestZone } from "../../cluster/support/zone.ts";

export interface Write {
  /** Such as "patch deployments west". */
  what: string;
  /** When it was done, in milliseconds. */
  at: number;
}

const WRITING = ["create", "update", "patch", "delete"];

/** Follows the log from now on. */
export class Writes {
  readonly seen: Write[] = [];
  readonly #namespace: string;
  readonly #events: () => AuditEvent[];

  constructor(zone: TestZone) {
    this.#namespace = zone.namespace;
    this.#events = followAudit(`${zone.cluster.audit}/shared.log`, `"${zone.namespace}"`);
  }

  /** Reads on; returns all that the zone's runs have written since the beginning. */
  read(): readonly Write[] {
    for (const event of this.#events()) {
      const write = writeIn(event, this.#namespace);
      if (write !== undefined) this.seen.push(write);
    }
    return this.seen;
  }
}

function writeIn(event: AuditEvent, namespace: string): Write | undefined {
  const { verb, requestURI, user, objectRef, responseStatus, stageTimestamp } = event;
  const isWrite =
    user.username === "update" &&
    WRITING.includes(verb) &&
    objectRef?.namespace === namespace &&
    objectRef.subresource === undefined &&
    !requestURI.includes("dryRun=") &&
    (responseStatus?.code ?? 500) < 300;
  if (!isWrite) return undefined;
  return {
    what: `${verb} ${objectRef.resource} ${objectRef.name ?? ""}`.trim(),
    at: Date.parse(stageTimestamp),
  };
}
