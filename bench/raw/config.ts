// What both programs are told by their stack file.
import * as pulumi from "@pulumi/pulumi";

export interface RawConfig {
  namespace: string;
  context: string;
  /** Name -> checksum of its token, which whoever rotates it puts there. */
  proxies: Record<string, string>;
}

export function readConfig(): RawConfig {
  const config = new pulumi.Config();
  return {
    namespace: config.require("namespace"),
    context: config.require("context"),
    proxies: config.requireObject<Record<string, string>>("proxies"),
  };
}
