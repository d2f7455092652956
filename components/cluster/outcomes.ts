// Sorts the answers of the API server into outcomes. What a gateway or a stranger answers is not repeated.
import type { KubeObject, Outcome, PatchOutcome, Resource } from "./cluster.ts";
import { type Answer, NoAnswerError } from "./request.ts";

/** Characters of the API server's own words that are repeated. */
const MAX_MESSAGE = 500;

/** Sorts an answer; `narrow` says whether a successful body is what was asked for. */
export function outcomeOf<T>(
  answer: Answer | NoAnswerError,
  narrow: (body: unknown) => T | undefined,
): Outcome<T> {
  if (answer instanceof NoAnswerError) return { outcome: "unreachable", detail: answer.message };
  if (answer.status === 404) return { outcome: "missing" };
  if (answer.status === 403) return { outcome: "forbidden", detail: messageOf(answer) };
  if (answer.status < 200 || answer.status >= 300)
    return { outcome: "unreachable", detail: messageOf(answer) };
  const value = narrow(answer.body);
  return value === undefined
    ? { outcome: "unreachable", detail: notAsked(answer) }
    : { outcome: "found", value };
}

/** Sorts the answer to a write; `conflicts` are the statuses by which the API server says that it came too late. */
export function orConflict(
  answer: Answer | NoAnswerError,
  narrow: (body: unknown) => KubeObject | undefined,
  ...conflicts: number[]
): PatchOutcome {
  if (!(answer instanceof NoAnswerError) && conflicts.includes(answer.status))
    return { outcome: "conflict", detail: messageOf(answer) };
  return outcomeOf(answer, narrow);
}

function notAsked({ body, isJson }: Answer): string {
  if (body === undefined && isJson) return "the answer of the API server was cut off";
  return "the API server answered with something else than it was asked for";
}

/** What the API server says in a Status; nobody else's words. */
export function messageOf({ status, body }: Answer): string {
  const { kind, message } = (body ?? {}) as { kind?: unknown; message?: unknown };
  if (kind !== "Status" || typeof message !== "string" || message === "")
    return `the API server answered with HTTP status ${status}`;
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)} ...` : message;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNamed(value: unknown): value is KubeObject {
  return isRecord(value) && isRecord(value["metadata"]) && typeof value["metadata"]["name"] === "string";
}

/** An object of this kind. */
export function asObject({ kind }: Resource): (body: unknown) => KubeObject | undefined {
  return (body) => (isNamed(body) && body.kind === kind ? body : undefined);
}

/** What comes of a deletion: the object as it was, or a Status that says so. */
export function asDeleted(body: unknown): KubeObject | undefined {
  return isRecord(body) && isRecord(body["metadata"]) ? (body as KubeObject) : undefined;
}

/** One page of a list. A server written in Go may say null for an empty one. */
export function asPage(body: unknown): { items: KubeObject[]; token: string } | undefined {
  if (!isRecord(body) || typeof body["kind"] !== "string" || !body["kind"].endsWith("List")) return undefined;
  const items: unknown = body["items"] ?? [];
  if (!Array.isArray(items) || !items.every(isNamed)) return undefined;
  const token = isRecord(body["metadata"]) ? body["metadata"]["continue"] : undefined;
  return { items, token: typeof token === "string" ? token : "" };
}

/** The kinds of a group and version. */
export function asKinds(body: unknown): string[] | undefined {
  const resources = isRecord(body) ? body["resources"] : undefined;
  if (!Array.isArray(resources) || !resources.every(isRecord)) return undefined;
  return resources.map(({ kind }) => String(kind));
}
