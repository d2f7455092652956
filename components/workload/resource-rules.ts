import { z } from "zod";
import { isWhole, milliUnits } from "./quantities.ts";
import { qualifiedName, quantity } from "./validation.ts";

const HUGE_PAGES = "hugepages-";

/** Not a device of a node: what Kubernetes itself knows. The same test as the API server's. */
const isNative = (name: string): boolean => !name.includes("/") || name.includes("kubernetes.io/");

/** Quotas count devices under this prefix and the name together. */
const QUOTA = "requests.";
const LONGEST_DOMAIN = 253;

/** The API server counts in thousandths, and takes what does not fit into 64 bits for a fraction. */
const MOST_MILLI_UNITS = 2n ** 63n - 1n;

const resourceName = qualifiedName.refine((name) => {
  if (!name.includes("/")) return ["cpu", "memory", "ephemeral-storage"].includes(name) || isHugePages(name);
  return isNative(name) || (!name.startsWith(QUOTA) && name.indexOf("/") <= LONGEST_DOMAIN - QUOTA.length);
}, "must be cpu, memory, ephemeral-storage, hugepages-<size>, or a device's name with its domain such as example.com/device");

/** Amounts by resource, as `requests` and `limits` hold them. */
export const amounts = z.record(resourceName, quantity);

function isHugePages(name: string): boolean {
  const size = name.startsWith(HUGE_PAGES) ? name.slice(HUGE_PAGES.length) : "";
  return isWhole(size) && milliUnits(size) !== 0n;
}

interface Amounts {
  requests?: Record<string, string> | undefined;
  limits?: Record<string, string> | undefined;
}

/** What the API server asks of requests and limits together: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/ */
export function checkAmounts({ requests = {}, limits = {} }: Amounts, context: z.RefinementCtx): void {
  const issue = (message: string, ...path: string[]): void => {
    context.addIssue({ code: "custom", message, path });
  };
  for (const [field, amounts] of Object.entries({ requests, limits })) {
    for (const [name, amount] of Object.entries(amounts)) {
      if (!isNative(name) && !(isWhole(amount) && (milliUnits(amount) ?? 0n) <= MOST_MILLI_UNITS))
        issue("must be a whole number below 9223372036854776: it counts devices", field, name);
      if (isHugePages(name) && !isMultiple(amount, name.slice(HUGE_PAGES.length)))
        issue("must be a multiple of the page size", field, name);
    }
  }
  for (const [name, request] of Object.entries(requests)) {
    const [requested, limit] = [milliUnits(request), milliUnits(limits[name] ?? "")];
    if (!isNative(name) || isHugePages(name)) {
      if (requested !== limit)
        issue("must be the same in requests and limits: it can't be overcommitted", "requests", name);
    } else if (requested !== undefined && limit !== undefined && requested > limit) {
      issue("must be at most the limit", "requests", name);
    }
  }
  const names = [...Object.keys(requests), ...Object.keys(limits)];
  if (names.some(isHugePages) && !names.some((name) => name === "cpu" || name === "memory"))
    issue("has huge pages: they need an amount of cpu or memory beside them");
}

function isMultiple(amount: string, of: string): boolean {
  const [dividend, divisor] = [milliUnits(amount), milliUnits(of)];
  return dividend !== undefined && divisor !== undefined && divisor !== 0n && dividend % divisor === 0n;
}
