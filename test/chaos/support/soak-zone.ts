// A zone that is edited by chance, again and again: by its stack file, by its tokens, and by others.
import type { TestContext } from "node:test";
import fc from "fast-check";
import { makeToken } from "../../cluster/support/token.ts";
import { TestZone } from "../../cluster/support/zone.ts";
import { draw } from "./form.ts";
import { without } from "./objects.ts";

type Proxies = Record<string, Record<string, unknown>>;

export interface SoakZone {
  zone: TestZone;
  /** What the stack file says now. */
  proxies: Proxies;
  /** Says something else in the stack file. */
  write: (proxies: Proxies) => Promise<void>;
  /** Puts the other token of two in place. */
  rotate: (name: string) => Promise<void>;
  secrets: string[];
}

export type Edit = (soak: SoakZone) => Promise<void>;

const NAMES = ["west", "north", "south"] as const;

const proxy = (name: string): Record<string, unknown> => ({
  configTokenSecretRef: { name: `${name}-config` },
  replicas: 1,
});

/** What the zone comes back to. */
export const HOME: Proxies = Object.fromEntries(NAMES.map((name) => [name, proxy(name)]));

/** A proxy that comes and goes. */
const GUEST = "guest";

export async function openSoakZone(t: TestContext): Promise<SoakZone> {
  const zone = await TestZone.open(t, {});
  const secrets: string[] = [];
  const tokens = new Map<string, string[]>();
  for (const name of [...NAMES, GUEST]) {
    const both = [await makeToken("30d"), await makeToken("30d")];
    tokens.set(name, both);
    secrets.push(...both);
  }
  const rotate = async (name: string): Promise<void> => {
    const [next = "", other = ""] = tokens.get(name) ?? [];
    tokens.set(name, [other, next]);
    await zone.apply({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: `${name}-config` },
      stringData: { configToken: next },
    });
  };
  for (const name of tokens.keys()) await rotate(name);
  const soak: SoakZone = {
    zone,
    proxies: HOME,
    secrets,
    rotate,
    write: (proxies) => {
      soak.proxies = proxies;
      zone.write({ proxies });
      return Promise.resolve();
    },
  };
  await soak.write(HOME);
  const made = await zone.up();
  if (made.code !== 0) throw new Error(made.output);
  return soak;
}

const changed = (name: string, more: object): Edit => {
  return (soak) => soak.write({ ...soak.proxies, [name]: { ...soak.proxies[name], ...more } });
};

/** Kinds of edits: of the proxy `name`, the `n`th. */
const EDITS: readonly ((name: string, n: number) => Edit)[] = [
  (name, n) => changed(name, { replicas: 1 + (n % 3) }),
  (name, n) => changed(name, { env: [{ name: `RUN_${n % 7}`, value: String(n) }] }),
  (name, n) => changed(name, { image: { tag: `1.0.${n}` } }),
  (name, n) => changed(name, { podLabels: { team: `team-${n}` } }),
  () => (soak) => soak.write({ ...soak.proxies, [GUEST]: proxy(GUEST) }),
  () => (soak) => soak.write(without(soak.proxies, GUEST) as Proxies),
  (name) => (soak) => soak.rotate(name),
  (name, n) => async (soak) => {
    await soak.zone.kube("set", "env", `deployment/${name}`, `BY_HAND=${n}`);
  },
  (name, n) => async (soak) => {
    await soak.zone.kube("label", "service", name, `by-hand=${n}`, "--overwrite");
  },
  (name) => async (soak) => {
    await soak.zone.kube("delete", "networkpolicy", name);
  },
];

/** One edit for each of `count` runs. */
export function editsByChance(count: number): Edit[] {
  const choices = fc.record({ edit: fc.nat(EDITS.length - 1), name: fc.constantFrom(...NAMES) });
  return draw("soak", choices, count).map(
    ({ edit, name }, n) => EDITS[edit]?.(name, n) ?? (() => Promise.resolve()),
  );
}
