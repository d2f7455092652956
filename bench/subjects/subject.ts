// What is compared: ways to bring the same objects of a number of proxies into a namespace.

export const OPERATIONS = ["create", "unchanged", "preview", "rotate one", "rotate all", "destroy"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Those that change every proxy. */
const CHANGE_ALL: readonly string[] = ["create", "rotate all", "destroy"] satisfies Operation[];

/** Whether the engine writes the state after each step: without `checkpoints` only where few proxies change. */
export function writesEachStep(operation: string, checkpoints: boolean): boolean {
  return checkpoints || !CHANGE_ALL.includes(operation);
}

/** One command line, run to its end; exit code 0 is asked for. */
export interface Command {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** Proxy -> checksum of its token. Who reads the tokens by itself needs the names alone. */
export type Proxies = Readonly<Record<string, string>>;

/** One fleet of one subject, in a namespace of its own. */
export interface Fleet {
  /** Declares these proxies. */
  declare(proxies: Proxies): void;
  /** What a person runs for an operation; `changed` names the proxies whose pods it will replace. */
  commands(operation: Operation, changed: readonly string[]): Command[];
  /** Bytes of what it remembers between runs. */
  stateBytes(): Promise<number>;
  /** Forgets it. */
  remove(): Promise<void>;
}

export interface Subject {
  name: string;
  /** For people who read the figures. */
  title: string;
  makeFleet(namespace: string): Promise<Fleet>;
}
