// A watch that goes on until it is told to stop.

import { setTimeout as sleep } from "node:timers/promises";
import { Watch } from "@kubernetes/client-node";
import type { KubeConfig } from "@kubernetes/client-node";

/**
 * Watches `path` until `signal` is aborted, then resolves. A watch that starts without a resource version
 * first tells all objects that exist, as added: so after an interruption nothing is lost, and `onEvent` must
 * bear repetition. `onEvent` must not throw (the client would swallow it).
 */
export async function watchForever(options: {
  config: KubeConfig;
  path: string;
  /** Query parameters, such as a fieldSelector. */
  selector: Record<string, string>;
  onEvent: (type: string, object: object) => void;
  onProblem: (line: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { config, path, selector, onEvent, onProblem, signal } = options;
  const watch = new Watch(config);
  const stopped = (): boolean => signal.aborted;
  let request: AbortController | undefined;
  const stop = (): void => request?.abort();
  signal.addEventListener("abort", stop);
  while (!stopped()) {
    const problem = await new Promise<unknown>((resolve) => {
      const listener = (type: string, object: object): void => {
        // An ERROR event ends the watch; the client reports the end by itself.
        if (type !== "ERROR") onEvent(type, object);
      };
      watch.watch(path, selector, listener, resolve).then((started) => {
        request = started;
        if (stopped()) stop();
      }, resolve);
    });
    // The client ends a watch on which nothing happened for half a minute: nothing to tell, the next one
    // starts at once.
    if (problem instanceof DOMException && problem.name === "TimeoutError") continue;
    if (stopped()) break;
    onProblem(
      `watch of ${path} ended: ${problem instanceof Error ? problem.message : "closed by the server"}`,
    );
    await sleep(200, undefined, { signal }).catch(() => undefined); // stopped meanwhile
  }
  signal.removeEventListener("abort", stop);
}
