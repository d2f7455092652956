import type { Cause, Edit } from "./causes.ts";

/** Paths of one cause that are named; a field manager may own hundreds. */
const MOST_PATHS = 8;

/** A cause in full: `config token rotated (Secret dc-east-config, key configToken)`. */
export function causeText(cause: Cause): string {
  switch (cause.type) {
    case "checksum key":
      return `checksumKey ${cause.how}`;
    case "token rotated":
      return `config token rotated${cause.secret === undefined ? "" : ` (Secret ${cause.secret}, key ${cause.key})`}`;
    case "token moved": {
      const { from, to } = cause;
      return `config token now from Secret ${to.secret}, key ${to.key} (before: Secret ${from.secret}, key ${from.key})`;
    }
    case "reference":
      return referenceText(cause);
    case "image":
    case "replicas":
      return `${cause.type} ${cause.from ?? "none"} -> ${cause.to ?? "none"}`;
    case "secret data":
      return `data from the stack file: ${keysText(cause.keys)}`;
    case "args":
      return `args: ${listed(cause.paths, MOST_PATHS)}`;
    case "repair": {
      const edits = cause.edits.map(({ paths, manager }) => `${listed(paths, MOST_PATHS)} (by ${manager})`);
      return `repair of foreign edits${edits.length > 0 ? `: ${edits.join("; ")}` : ""}`;
    }
    case "checksum":
      return "configuration checksum";
    case "gone":
      return "is gone from the cluster";
    case "registration":
      return REGISTRATION_TEXTS[cause.how];
  }
}

const REGISTRATION_TEXTS = {
  asks: "asks the platform to register the connector",
  keeps: "keeps the connector's uuid, or what deleting it takes",
  forgets: "forgets the registration of the connector",
} as const;

/** A cause in a headline. */
export function causeBrief(cause: Cause): string {
  switch (cause.type) {
    case "token rotated":
      return "config token rotated";
    case "token moved":
      return `config token now from Secret ${cause.to.secret}`;
    case "args":
      return cause.paths.length === 1 ? `args: ${cause.paths[0]}` : "args";
    case "repair":
      return `repair of foreign edits${managersOf(cause.edits)}`;
    default:
      return causeText(cause);
  }
}

function managersOf(edits: readonly Edit[]): string {
  const managers = [...new Set(edits.map(({ manager }) => manager))];
  return managers.length === 0 ? "" : ` by ${listed(managers, 3)}`;
}

function referenceText({ object, how, keys }: Extract<Cause, { type: "reference" }>): string {
  if (keys.length > 0) return `${object}, ${keysText(keys)} ${how}`;
  switch (how) {
    case "changed":
      return `${object} changed`;
    case "added":
      return `${object} is read now`;
    case "removed":
      return `${object} is no longer read`;
  }
}

function keysText(keys: readonly string[]): string {
  return `${keys.length === 1 ? "key" : "keys"} ${listed(keys, MOST_PATHS)}`;
}

/** `a, b, c and 2 more`; one more is named as well. */
export function listed(items: readonly string[], most: number): string {
  const more = items.length - most;
  return more > 1 ? `${items.slice(0, most).join(", ")} and ${more} more` : items.join(", ");
}

/** `1 rollout`, `2 rollouts` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A text of at most so many characters, well-formed. */
export function shortened(text: string, most: number): string {
  const whole = text.length > most ? `${text.slice(0, most - 1)}\u2026` : text;
  // A cut may fall into the middle of a character.
  return whole.toWellFormed();
}
