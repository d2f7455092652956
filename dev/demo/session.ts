// What the demo has started and made, and how that ends, whatever happens.

export type End = "done" | "interrupted" | "failed";

/** Somebody has asked the demo to stop. */
export class Interrupted extends Error {}

export class Session {
  /** Files and folders that tell more of a failure; they are kept when there is one. */
  readonly logs: string[] = [];
  /** What would be left, and how to remove it, if this process ended now. */
  readonly remains = new Set<string>();
  readonly #stop = new AbortController();
  readonly #endings: ((end: End) => Promise<void>)[] = [];
  #listening = false;

  /** Aborted when the demo shall stop; the reason says why. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Makes everything that is under way stop, because of `reason`. */
  stop(reason: Error): void {
    this.#stop.abort(reason);
  }

  /** From now on Ctrl-C stops in order what was started. A second one leaves that to the guard, at once. */
  stopOnSignals(): void {
    if (this.#listening) return;
    this.#listening = true;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (this.signal.aborted) {
          for (const each of this.remains) console.error(each);
          process.exit(130);
        }
        console.error("\nstopping everything");
        this.stop(new Interrupted(signal));
      });
    }
    // `make demo | head`, or a terminal that was closed.
    process.stdout.on("error", () => {
      this.stop(new Interrupted("nobody reads the output any more"));
    });
  }

  /** Has `ending` called at the end; what was started last ends first. */
  atEnd(ending: (end: End) => Promise<void>): void {
    this.#endings.push(ending);
  }

  /** Ends everything, even when some of it fails to end; safe to call again. Throws the first such failure. */
  async close(end: End): Promise<void> {
    let failure: { error: unknown } | undefined;
    for (let ending = this.#endings.pop(); ending !== undefined; ending = this.#endings.pop()) {
      try {
        await ending(end);
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
  }
}
