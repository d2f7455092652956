// What became of a registration, as data: a status code and fixed phrases, never a word of what the platform said.
import { z } from "zod";
import { isMap } from "../../workload/validation.ts";

/** What is known of a connector's registration. */
export type Outcome =
  /** The connector does not run yet. */
  | { outcome: "waiting" }
  /** In the platform's inventory; without `registeredAt` when the uuid was given by the spec. */
  | { outcome: "registered"; uuid: string; status?: string | undefined; registeredAt?: string | undefined }
  /** The platform refused it: asking the same again would not help. */
  | { outcome: "rejected"; code: number }
  /** The platform, or what lies before it, did not do it now; the next run tries again. */
  | { outcome: "unavailable"; phrase: string; code?: number | undefined }
  /** The platform says that it did it, but not under which uuid. */
  | { outcome: "invalid"; phrase: string; code: number }
  /** A run was going to ask, and nobody knows what became of it. */
  | { outcome: "unknown"; phrase: string };

/** What a preview says of a connector whose platform the run is going to ask. */
export const ASKS = "registration: this run asks the platform to register the connector";

/** What a run knows of a connector's registration. */
export interface RegistrationFacts {
  outcome: Outcome;
  /** Fields that changed since it was registered. */
  changed: string[];
  /** Why its record does not have it. */
  unrecorded?: string | undefined;
}

/** A connector's entry in the inventory of its platform. */
export interface RegistrationEntry {
  /** The platform's own name for it. */
  uuid?: string | undefined;
  /** As the platform said it when it registered the connector, such as `waitingForApproval`; `failed` when it refused. */
  status?: string | undefined;
  /** When it was registered (RFC 3339, UTC); undefined when the spec names the uuid. */
  registeredAt?: string | undefined;
}

/** What is known of the entry; undefined where there is none. */
export function entryOf(outcome: Outcome): RegistrationEntry | undefined {
  switch (outcome.outcome) {
    case "registered": {
      const { uuid, status, registeredAt } = outcome;
      return { uuid, status, registeredAt };
    }
    case "rejected":
      return { status: "failed" };
    default:
      return undefined;
  }
}

/** An outcome as a record or the state holds it. */
export const outcomeSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("waiting") }),
  z.object({
    outcome: z.literal("registered"),
    uuid: z.string(),
    status: z.string().optional(),
    registeredAt: z.string().optional(),
  }),
  z.object({ outcome: z.literal("rejected"), code: z.number() }),
  z.object({ outcome: z.literal("unavailable"), phrase: z.string(), code: z.number().optional() }),
  z.object({ outcome: z.literal("invalid"), phrase: z.string(), code: z.number() }),
  z.object({ outcome: z.literal("unknown"), phrase: z.string() }),
]) satisfies z.ZodType<Outcome>;

/** What came back from the platform. */
export type Answer =
  | { answer: "response"; code: number; retryAfterSeconds?: number | undefined; body: string }
  /** More than anybody reads. */
  | { answer: "oversized"; code: number }
  /** Nothing; `transient` when trying again at once may help. */
  | { answer: "none"; phrase: string; transient: boolean };

/** Letters, digits and the marks between them; long enough for any identifier. */
export const UUID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
/** `waitingForApproval`, `connected` ...: a word of the platform's. */
const STATUS = /^[A-Za-z0-9_-]{1,64}$/;

/** What an answer to the call that registers means. */
export function classify(answer: Answer, registeredAt: string): Outcome {
  if (answer.answer === "none") return { outcome: "unavailable", phrase: answer.phrase };
  const { code } = answer;
  if (code === 408 || code === 429 || code >= 500)
    return { outcome: "unavailable", phrase: "the platform can't do it now", code };
  // A redirect is not followed, since the credentials would go along: a wrong address, as any other 4xx.
  if (code < 200 || code >= 300) return { outcome: "rejected", code };
  const invalid = (phrase: string): Outcome => ({ outcome: "invalid", phrase, code });
  if (answer.answer === "oversized") return invalid("its answer is larger than 1 MiB");
  if (answer.body.trim() === "") return invalid("its answer is empty");
  const body = parse(answer.body);
  if (!isMap(body)) return invalid("its answer is no JSON object");
  const { uuid, status } = body;
  if (typeof uuid !== "string" || !UUID.test(uuid)) return invalid("its answer has no uuid");
  const hasStatus = typeof status === "string" && STATUS.test(status);
  return { outcome: "registered", uuid, ...(hasStatus && { status }), registeredAt };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether trying again at once may help. */
export function isTransient(answer: Answer): boolean {
  if (answer.answer === "none") return answer.transient;
  return answer.code === 408 || answer.code === 429 || answer.code >= 500;
}

/** What to say of a registration that did not succeed, with the way on; undefined for one that did, or is yet to come. */
export function registrationProblem(outcome: Outcome): string | undefined {
  switch (outcome.outcome) {
    case "waiting":
    case "registered":
      return undefined;
    case "rejected":
      return (
        `the platform rejected the registration with status ${outcome.code}: look into its log for why; it is asked ` +
        "again when the registration changes, or registration.generation is raised"
      );
    case "unavailable": {
      const code = outcome.code === undefined ? "" : ` (status ${outcome.code})`;
      return `the connector is not registered yet: ${outcome.phrase}${code}; the next run tries again`;
    }
    case "invalid":
      return `the platform accepted the registration with status ${outcome.code}, but ${outcome.phrase}: ${LOOK_THERE}`;
    case "unknown":
      return `it is not known whether the connector is registered, ${outcome.phrase}: ${LOOK_THERE}`;
  }
}

const LOOK_THERE =
  "look for the connector in the platform's inventory; where it is there, give its uuid as registration.uuid, else " +
  "raise registration.generation";

/** What to say of a registration as it stands, whatever came of it. */
export function registrationWarnings({ changed, unrecorded }: RegistrationFacts): string[] {
  const isChanged =
    `registration: ${changed.join(", ")} changed since the connector was registered, and the platform still has the ` +
    "old: change it there, or raise registration.generation to register again";
  const isUnrecorded =
    `registration: what came of it stands in the state alone, since ${unrecorded}; until a run has written it, a lost ` +
    "state loses it";
  return [...(changed.length > 0 ? [isChanged] : []), ...(unrecorded !== undefined ? [isUnrecorded] : [])];
}
