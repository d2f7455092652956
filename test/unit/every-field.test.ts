// The sample zone that shows every field.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadYaml } from "@kubernetes/client-node";
import { z } from "zod";
import { proxySpecSchema } from "../../components/proxy/checks.ts";
import { zoneConfigSchema } from "../../components/zone/config.ts";
import { checkStackConfig } from "../../stacks/config.ts";
import { unshownFields } from "./arbitrary/schema-fields.ts";

const file = readFileSync(new URL("../../stacks/Pulumi.staging-every-field.yaml", import.meta.url), "utf8");
const { config } = loadYaml<{ config: Record<string, object> }>(file);

test("the sample zone is one", () => {
  const values = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace("pulumi-proxies:", ""), JSON.stringify(value)]),
  );
  assert.deepEqual(checkStackConfig({ values, secretKeys: new Set() }).problems, []);
});

test("the sample zone shows every field of a zone and of a proxy", () => {
  const schema = z.object({ zone: zoneConfigSchema, proxies: z.record(z.string(), proxySpecSchema) });
  const { "pulumi-proxies:zone": zone, "pulumi-proxies:proxies": proxies } = config;
  assert.deepEqual(unshownFields(schema, { zone, proxies }), []);
});

test("every line of the sample zone that sets a value for the first time says something of it", () => {
  const seen = new Set<string>();
  const unsaid = file.split("\n").filter((line) => {
    const [, key] = /^ *(?:- )?([\w.]+): ?/.exec(line) ?? [];
    if (key === undefined || seen.has(key)) return false;
    seen.add(key);
    return !line.includes(" #") && !/: *$/.test(line);
  });
  assert.deepEqual(unsaid, []);
});
