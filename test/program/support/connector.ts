// A program of one connector, and what it told.
import assert from "node:assert/strict";
import { Connector, type ConnectorArgs } from "../../../components/index.ts";
import type { Outcome } from "../../../components/connector/registration/outcome.ts";
import { type Recorded, run, valueOf } from "./engine.ts";
import { connectorRunning, openZone, type World } from "./zone.ts";

const URN = "urn:pulumi:prod-dc-east::pulumi-proxies::proxies:index:Connector::dc-east";
const REGISTRATION_URN = URN.replace("Connector::", "Connector$pulumi-nodejs:dynamic/proxies:Registration::");

export interface Told {
  summary: string;
  conditions: Record<string, string>;
  healthy: string | undefined;
  registration: unknown;
  warnings: string[];
  infos: string[];
  asked: string[];
  recorded: Recorded;
}

export type Args = Partial<Omit<ConnectorArgs, "zone">>;

/** Runs a program of one connector that runs, and of which a run before has told what `world.parts.previous` has. */
export async function told(
  preview: boolean,
  args: Args,
  world: World = {},
  outcome?: Outcome,
): Promise<Told> {
  let seen: Omit<Told, "warnings" | "infos" | "recorded"> | undefined;
  const body = async (): Promise<void> => {
    const { zone, cluster } = openZone(preview, { ...connectorRunning(), ...world });
    const image = { repository: "hub.example.com/ilm/x509", tag: "1.3.1" };
    const connector = new Connector("dc-east", { image, ...args, zone });
    const conditions = await valueOf(connector.conditions);
    seen = {
      summary: await valueOf(connector.summary),
      conditions: Object.fromEntries(
        conditions.map(({ type, status, reason }) => [type, `${status}/${reason}`]),
      ),
      healthy: await valueOf(connector.healthy),
      registration: await valueOf(connector.registration),
      asked: cluster.asked.filter((what) => what.includes(":")),
    };
  };
  const recorded = await run(preview, body, undefined, undefined, outcome);
  assert.ok(seen);
  const said = (wanted: string): string[] =>
    recorded.logs.flatMap(({ severity, message }) => (severity === wanted ? [message] : []));
  return { ...seen, warnings: said("warning"), infos: said("info"), recorded };
}

/** A run before that told these conditions, and this of a registration. */
export const before = (conditions: object[], registration?: unknown): World => ({
  parts: {
    previous: new Map([
      [URN, { conditions: conditions as never }],
      ...(registration === undefined
        ? []
        : ([[REGISTRATION_URN, { conditions: [], registration }]] as const)),
    ]),
  },
});
