// Which corporate proxy a call goes through.
import { BlockList, isIP } from "node:net";
import type { EgressSpec } from "../../workload/network-specs.ts";

/** The proxy for an address; undefined where none is set, or an exception names its host. */
export function proxyFor(address: string, egress: EgressSpec | undefined): string | undefined {
  if (egress === undefined || egress.enabled === false) return undefined;
  const url = new URL(address);
  const proxy = url.protocol === "https:" ? egress.httpsProxy : egress.httpProxy;
  if (!proxy) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const exceptions = ["localhost", "127.0.0.0/8", "::1", ...(egress.noProxy ?? [])];
  return exceptions.some((exception) => matches(exception.toLowerCase(), host, port)) ? undefined : proxy;
}

/** A network, an address, a host with all below it, any of these with a port, or `*`. */
function matches(exception: string, host: string, port: string): boolean {
  if (exception === "*") return true;
  if (exception.includes("/")) return isIn(exception, host);
  if (isIP(exception) !== 0) return exception === host;
  const [, name = exception, only] = /^(.+):(\d+)$/.exec(exception) ?? [];
  if (only !== undefined && only !== port) return false;
  const domain = name.replace(/^\*?\./, "");
  // With a dot before it, only what is below: the host itself is another.
  return host.endsWith(`.${domain}`) || (host === domain && domain === name);
}

function isIn(network: string, host: string): boolean {
  const [address = "", bits = ""] = network.split("/");
  const [version, hostVersion] = [isIP(address), isIP(host)];
  const most = version === 4 ? 32 : 128;
  if (version === 0 || version !== hostVersion || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
    return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family);
  return list.check(host, family);
}
