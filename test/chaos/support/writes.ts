// What a zone's runs write, as the API server's audit log tells it while they run.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { TestZone } from "../../cluster/support/zone.ts";

/** https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/#audit-k8s-io-v1-Event */
interface Event {
  verb: string;
  requestURI: string;
  user: { username: string };
  objectRef?: { namespace?: string; resource: string; name?: string; subresource?: string };
  responseStatus?: { code?: number };
  stageTimestamp: string;
}

export interface Write {
  /** Such as "patch deployments west". */
  what: string;
  /** When it was done, in milliseconds. */
  at: number;
}

const WRITING = ["create", "update", "patch", "delete"];

/** Follows the log from now on. The API server writes a line before it answers. */
export class Writes {
  readonly seen: Write[] = [];
  readonly #zone: TestZone;
  readonly #file: string;
  #offset: number;
  #rest = Buffer.alloc(0);

  constructor(zone: TestZone) {
    this.#zone = zone;
    this.#file = `${zone.cluster.audit}/shared.log`;
    this.#offset = withFile(this.#file, (fd) => fstatSync(fd).size);
  }

  /** Reads on; returns all that the zone's runs have written since the beginning. */
  read(): readonly Write[] {
    const added = withFile(this.#file, (fd) => {
      const { size } = fstatSync(fd);
      // The API server begins a new file when one is full.
      if (size < this.#offset) this.#offset = 0;
      const buffer = Buffer.alloc(size - this.#offset);
      this.#offset += readSync(fd, buffer, 0, buffer.length, this.#offset);
      return buffer;
    });
    const text = Buffer.concat([this.#rest, added]);
    const end = text.lastIndexOf("\n") + 1;
    this.#rest = text.subarray(end);
    for (const line of text.subarray(0, end).toString().split("\n")) {
      if (!line.includes(`"${this.#zone.namespace}"`)) continue;
      const write = writeIn(JSON.parse(line) as Event, this.#zone.namespace);
      if (write !== undefined) this.seen.push(write);
    }
    return this.seen;
  }
}

function writeIn(event: Event, namespace: string): Write | undefined {
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

function withFile<T>(path: string, use: (fd: number) => T): T {
  const fd = openSync(path, "r");
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
