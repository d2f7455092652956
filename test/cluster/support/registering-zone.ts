// A zone with a connector that registers itself and one that never answers, and what the commands of CI tell of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { SERVER } from "../../support/certificates.ts";
import { type Platform, startPlatform } from "../../support/platform.ts";
import { ciCommand } from "./ci-command.ts";
import type { CheckedZone, DriftReport, PreviewReport, ReportedZone } from "./reports.ts";
import { assertAbsent } from "./secrets.ts";
import { freePodPort } from "./stub.ts";
import { TestZone } from "./zone.ts";

export interface RegisteringZone {
  zone: TestZone;
  platform: Platform;
  /** Writes the stack file, the registration of x509 with these differences; without any, x509 has none. */
  write: (registration?: object) => Promise<void>;
  report: () => Promise<{ code: number; told: ReportedZone }>;
  drift: (...more: string[]) => Promise<{ code: number; checked: CheckedZone }>;
  /** Of each connector in `status` name, reason of Healthy, and warnings. */
  status: (...more: string[]) => Promise<string[]>;
  /** No secret of the registration stands in anything that a command has told. */
  assertSilent: () => void;
}

const KEY = "registrationSecrets";
/** What the stack file holds encrypted of the registration. */
const SECRETS = { "credentials.bearerToken": "held-bearer", "authAttributes.apiKey": "held-attribute" };

/** Opens the zone, without a stack file yet, and starts its platform. */
export async function openRegisteringZone(t: TestContext): Promise<RegisteringZone> {
  const platform = await startPlatform(t, { cert: SERVER.certificate, key: SERVER.key });
  const zone = await TestZone.open(t, {});
  const port = await freePodPort();
  const image = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };
  const common = { name: "X.509", authType: "apiKey", caBundle: SERVER.certificate, timeoutSeconds: 0 };
  const config = async (verb: string, path: string, more: string[] = [], input?: string): Promise<void> => {
    const { code, output } = await zone.pulumi(
      ["config", verb, "--path", path, ...more],
      input === undefined ? {} : { input },
    );
    assert.equal(code, 0, output);
  };
  const write = async (more?: object): Promise<void> => {
    const registration = more && { platformUrl: platform.url, ...common, ...more };
    const x509 = { image, healthCheck: { enabled: false }, registration };
    // Nothing listens on that port.
    zone.write({ connectors: { x509, silent: { image, service: { port } } } });
    if (more === undefined) await config("rm", KEY);
    else
      for (const [path, input] of Object.entries(SECRETS))
        await config("set", `${KEY}.x509.${path}`, ["--secret"], input);
  };
  const texts: string[] = [];
  const command = async (name: string, ...more: string[]): Promise<{ code: number; document: unknown }> => {
    const [json, comment] = [`${zone.workspace.dir}/${name}.json`, `${zone.workspace.dir}/${name}.md`];
    const args = ["--stack", zone.stack, "--json", json, "--markdown", comment, ...more];
    const { code, stdout, stderr } = await ciCommand(zone, name, ...args);
    const written = readFileSync(json, "utf8");
    texts.push(stdout, stderr, written, readFileSync(comment, "utf8"));
    return { code, document: JSON.parse(written) };
  };
  return {
    zone,
    platform,
    write,
    report: async () => {
      const { code, document } = await command("preview-report");
      return { code, told: only((document as PreviewReport).zones) };
    },
    drift: async (...more) => {
      const { code, document } = await command("drift", ...more);
      return { code, checked: only((document as DriftReport).zones) };
    },
    status: async (...more) => {
      const args = ["--stack", zone.stack, "--output", "json", ...more];
      const { stdout, stderr } = await ciCommand(zone, "status", ...args);
      texts.push(stdout, stderr);
      return (JSON.parse(stdout) as { components: Shown[] }).components.map(shownText);
    },
    assertSilent: () => {
      for (const text of texts) assertAbsent(text, Object.values(SECRETS), "what a command of CI tells");
    },
  };
}

interface Shown {
  name: string;
  conditions: { type: string; reason: string }[];
  warnings: string[];
}

function shownText({ name, conditions, warnings }: Shown): string {
  const healthy = conditions.find(({ type }) => type === "Healthy")?.reason;
  return [name, healthy ?? "-", ...warnings].join(" | ");
}

function only<Zone>(zones: readonly Zone[]): Zone {
  const [zone, ...others] = zones;
  assert.ok(zone !== undefined && others.length === 0);
  return zone;
}
