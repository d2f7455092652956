import { counted } from "./preview/words.ts";

/** How long a command may take with one zone, in minutes, and what tells it to stop altogether. */
export interface Limits {
  /** For a look at it. */
  timeout: number;
  stop: AbortSignal;
}

/** What ends the runs of the CLI that look at a zone. */
export function lookLimit({ timeout, stop }: Limits): AbortSignal {
  const time = counted(timeout, "minute");
  const late = new Error(
    `no answer in ${time}: look whether its API server and the state's backend answer, or raise --timeout`,
  );
  return within(timeout, late, stop);
}

/** What ends the run of the CLI that updates a zone. */
export function updateLimit(minutes: number, stop: AbortSignal): AbortSignal {
  const late = new Error(`no end in ${counted(minutes, "minute")}, which --fix-timeout gives it`);
  return within(minutes, late, stop);
}

function within(minutes: number, late: Error, stop: AbortSignal): AbortSignal {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(late);
  }, minutes * 60_000);
  // A zone that is done must not keep the command from ending.
  timer.unref();
  return AbortSignal.any([stop, limit.signal]);
}
