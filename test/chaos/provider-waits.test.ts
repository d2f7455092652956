// What the provider waits for when a single answer is missing: not for long, or not at all.
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { FILE, openBehindProxy } from "./support/faulty-runs.ts";
import { report } from "./support/form.ts";

const UP = ["up", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--yes", "--skip-preview"];
const NETWORK_POLICIES = Object.values(FILE).flatMap((components) => Object.keys(components)).length;

/** The two looks that the provider takes at a NetworkPolicy after its deletion; a third one ends its wait. */
function looksAfterDeletion(): (request: IncomingMessage) => boolean {
  const left = new Map<string, number>();
  return ({ method, url = "" }) => {
    const [path = ""] = url.split("?");
    if (method === "DELETE" && path.includes("/networkpolicies/")) left.set(path, 2);
    if (method !== "GET") return false;
    const looks = left.get(path) ?? 0;
    left.set(path, looks - 1);
    return looks > 0;
  };
}

/** The list of NetworkPolicies, by which the provider would see them go. */
function isList({ method, url = "" }: IncomingMessage): boolean {
  return method === "GET" && /\/networkpolicies(\?|$)/.test(url);
}

test("a provider that can't see the version of the cluster takes it for an old one, and waits for nothing all the same", async (t) => {
  const { runs, proxy, through } = await openBehindProxy(t);
  proxy.inflict({
    kinds: ["500"],
    rate: 1,
    chances: [0],
    only: ({ url = "" }) => url.startsWith("/version"),
  });
  const { code, output } = await runs.may(UP, through);
  assert.equal(code, 0, output);
  assert.ok((proxy.counts.get("500") ?? 0) > 0, "it has asked");
  proxy.inflict();
  await runs.converges();
  await runs.destroys();
  runs.assertNoSecret();
});

test("a destroy that can't see whether objects are gone ends well all the same", async (t) => {
  const { runs, proxy, through } = await openBehindProxy(t);
  await runs.converges();
  const all = { rate: 1, chances: [0.5] };
  proxy.inflict(
    { kinds: ["500"], ...all, only: looksAfterDeletion() },
    // Until they are gone.
    { kinds: ["delayed"], ...all, only: isList },
  );
  const begin = performance.now();
  const { code, output } = await runs.may(DESTROY, through);
  const seconds = Math.round((performance.now() - begin) / 1000);
  assert.equal(code, 0, output);
  const looks = proxy.counts.get("500") ?? 0;
  assert.equal(looks, 2 * NETWORK_POLICIES);
  proxy.inflict();
  await runs.destroys();
  runs.assertNoSecret();
  report(t, "deletions", {
    title: "A destroy that sees of no NetworkPolicy that it is gone",
    rows: [{ NetworkPolicies: NETWORK_POLICIES, "looks answered with 500": looks, seconds }],
  });
});
