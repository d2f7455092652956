// What is asked again when the API server is busy, restarts or drops a connection, and for how long.
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, NoAnswerError } from "./request.ts";

/**
 * Milliseconds after which no read is begun anew. An API server that restarts is back by then; with the last attempt a
 * read takes 25 s at most.
 */
const PATIENCE = 15_000;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 3_000;

/** How connections end when a server is busy, restarts, or lies behind a network with gaps. */
const PASSING = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "timeout"],
  ...["EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"],
]);

type Attempt = () => Promise<Answer | NoAnswerError>;

export interface Retries {
  /** Asks until there is an answer that counts, or patience is over. */
  read(attempt: Attempt): Promise<Answer | NoAnswerError>;
  /** Asks again only when the API server has certainly not done what it was asked for. */
  write(attempt: Attempt): Promise<Answer | NoAnswerError>;
}

/**
 * The retries of one run: once a read has waited in vain, later ones are tried once each, until one is answered. So a
 * cluster that is away costs a run half a minute, however much it wants to read.
 */
export function retries(patienceMs = PATIENCE): Retries {
  let left = patienceMs;
  const insist = async (attempt: Attempt, again: (answer: Answer | NoAnswerError) => boolean) => {
    const end = performance.now() + left;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const answer = await attempt();
      if (!again(answer)) {
        left = patienceMs;
        return answer;
      }
      // With chance in it, so that what failed together does not come back together.
      const own = pause * (0.5 + Math.random());
      const asked = answer instanceof NoAnswerError ? 0 : (answer.retryAfterMs ?? 0);
      if (performance.now() + Math.max(own, asked) > end) {
        left = 0;
        return answer;
      }
      await sleep(Math.max(own, asked));
    }
  };
  return {
    read: (attempt) => insist(attempt, isPassing),
    write: (attempt) => insist(attempt, isUntouched),
  };
}

function isPassing(answer: Answer | NoAnswerError): boolean {
  // An answer that can't be parsed as HTTP (HPE_...) was cut or garbled on its way.
  if (answer instanceof NoAnswerError) return PASSING.has(answer.code) || answer.code.startsWith("HPE_");
  const isCut = answer.status === 200 && answer.isJson && answer.body === undefined;
  return isCut || answer.status === 429 || answer.status >= 500;
}

/** Whether a request was turned away before anything was done: too many of them, or nobody there to take it. */
function isUntouched(answer: Answer | NoAnswerError): boolean {
  return answer instanceof NoAnswerError ? answer.code === "ECONNREFUSED" : answer.status === 429;
}
