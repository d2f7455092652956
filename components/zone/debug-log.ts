import * as pulumi from "@pulumi/pulumi";

let shortened = false;

/**
 * Cuts the SDK's own debug messages before the response of the engine that they quote: it holds the data of Secrets in
 * clear, and `pulumi up --json` and `--debug` print it. Configured secrets are masked there, but not their base64.
 * It must be called before anything is asked of the engine.
 */
export function keepResponsesOutOfDebugLog(): void {
  if (shortened) return;
  shortened = true;
  const { debug } = pulumi.log;
  const quiet: typeof debug = (message, ...rest) => debug(message.replace(/, resp: .*$/s, ""), ...rest);
  Object.assign(pulumi.log, { debug: quiet });
}
