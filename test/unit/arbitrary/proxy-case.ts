// Proxies as people might write them, with all that their manifests depend on.
import * as fc from "fast-check";
import type { ProxySpec } from "../../../components/proxy/args.ts";
import { checkProxy, proxySpecSchema } from "../../../components/proxy/checks.ts";
import type { ProxyInput } from "../../../components/proxy/manifests.ts";
import { tokenSource } from "../../../components/proxy/token.ts";
import { bomImage } from "../../../components/workload/specs.ts";
import { componentName, type Problem } from "../../../components/workload/validation.ts";
import { type ZoneDefaults, zoneDefaultsSchema } from "../../../components/zone/config.ts";
import { allowedBy } from "./from-schema.ts";
import { NUMBERS, STRINGS, WRONG } from "./values.ts";

/** A proxy of a stack file, and what its zone adds. */
export interface ProxyCase {
  name: string;
  spec: unknown;
  /** Whether the stack file holds its token. */
  ownToken: boolean;
  defaults: ZoneDefaults;
  billOfMaterials: ProxyInput["billOfMaterials"];
  checksum: string | undefined;
  guarded: boolean;
}

/** One value of a spec in place of another. */
interface Mutation {
  /** Which one: counted through all values of the spec. */
  place: number;
  value: unknown;
}

const anyValue: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(...STRINGS, ...NUMBERS, ...WRONG);

const mutationTo = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Mutation> =>
  fc.record({ place: fc.nat(), value });

/** Cases whose spec validates. */
export const validCase: fc.Arbitrary<ProxyCase> = fc
  .record({
    name: allowedBy(componentName) as fc.Arbitrary<string>,
    spec: allowedBy(proxySpecSchema),
    ownToken: fc.boolean(),
    defaults: allowedBy(zoneDefaultsSchema) as fc.Arbitrary<ZoneDefaults>,
    billOfMaterials: (allowedBy(bomImage) as fc.Arbitrary<ProxyInput["billOfMaterials"]>).map((image) => ({
      name: "proxy",
      ...image,
    })),
    checksum: fc.constantFrom(undefined, "0f".repeat(32)),
    guarded: fc.boolean(),
  })
  .map((all) => ({ ...all, spec: repaired(all) }));

/** Cases of which most validate: one value in a quarter of them is any value at all. */
export const anyCase: fc.Arbitrary<ProxyCase> = fc
  .tuple(validCase, fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, mutationTo(anyValue)))
  .map(([valid, change]) => (change === undefined ? valid : { ...valid, spec: mutated(valid.spec, change) }));

/** A valid case, and the same with one of its values changed. */
export function mutatedWith(
  values: fc.Arbitrary<unknown> = anyValue,
): fc.Arbitrary<{ valid: ProxyCase; changed: ProxyCase }> {
  return fc
    .tuple(validCase, mutationTo(values))
    .map(([valid, change]) => ({ valid, changed: { ...valid, spec: mutated(valid.spec, change) } }));
}

/** What validation says of a case. */
export function checkCase({ name, spec, ownToken }: ProxyCase): ReturnType<typeof checkProxy> {
  return checkProxy(name, spec, ownToken, "proxy");
}

/** What the manifests of a case are rendered from, in the given namespace. */
export function inputOf(given: ProxyCase, spec: ProxySpec, namespace: string): ProxyInput {
  const { name, defaults, billOfMaterials, checksum, guarded } = given;
  const whole = [...(spec.secretRefs ?? []), ...(spec.configMapRefs ?? [])]
    .filter(({ type, keys }) => type === "env" && keys === undefined)
    .flatMap((ref) => [`Secret/${ref.name}`, `ConfigMap/${ref.name}`]);
  return {
    identity: { name, namespace, component: "proxy", labels: defaults.labels ?? {} },
    spec,
    token: tokenSource(name, spec),
    zone: { ...defaults, clusterDomain: "cluster.local" },
    billOfMaterials,
    checksum,
    guarded: guarded ? Object.fromEntries(whole.map((reference) => [reference, ["KEY", "other.key"]])) : {},
    annotations:
      checksum === undefined ? {} : { "pulumi-proxies.dev/token-expires-at": "2027-01-01T00:00:00Z" },
  };
}

/**
 * A spec without what does not go together: validation says where, and that is taken out. So rules over several fields
 * need not be known here.
 */
function repaired(given: Omit<ProxyCase, "defaults">): unknown {
  let spec = structuredClone(given.spec) as Record<string, unknown>;
  if (given.ownToken) delete spec["configTokenSecretRef"];
  else spec["configTokenSecretRef"] ??= { name: "dc-east-config" };
  const firstProblem = (of: unknown): Problem | undefined =>
    checkProxy(given.name, of, given.ownToken, "").problems[0];
  for (let problem = firstProblem(spec); problem !== undefined; problem = firstProblem(spec)) {
    if (takeOut(spec, stepsOf(problem.path))) continue;
    // What is wrong is a default: another field is, then, which does not go with it.
    const { path } = problem;
    const others = Object.keys(spec).map((key) => Object.fromEntries(entriesBut(spec, key)));
    const better = others.find((other) => firstProblem(other)?.path !== path);
    if (better === undefined) throw new Error(`no field explains that ${path} ${problem.message}`);
    spec = better;
  }
  return spec;
}

const entriesBut = (map: object, without: string): [string, unknown][] =>
  Object.entries(map).filter(([key]) => key !== without);

/** `env[0].name`, `nodeSelector["a/b"]` -> the steps of a path. */
function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\["(.*?)"\]|\[(\d+)\]|([^.[\]]+)/gs)].map(([, quoted, index, plain]) =>
    index === undefined ? (quoted ?? plain ?? "") : Number(index),
  );
}

/** Takes out what lies at a path; where that is missing, what it is missing from. Whether there was anything. */
function takeOut(root: Record<string, unknown>, path: (string | number)[]): boolean {
  const way: unknown[] = [root];
  for (const step of path) way.push((way.at(-1) as Record<string | number, unknown> | undefined)?.[step]);
  const depth = way.findLastIndex((part) => part !== undefined);
  if (depth === 0) return false;
  const [parent, step] = [way[depth - 1], path[depth - 1]];
  if (Array.isArray(parent)) parent.splice(Number(step), 1);
  else Reflect.deleteProperty(parent as object, step ?? "");
  return true;
}

/** A copy with one value changed. */
function mutated(spec: unknown, { place, value }: Mutation): unknown {
  const copy = structuredClone(spec);
  const places = allPlaces(copy);
  const at = places[place % Math.max(1, places.length)];
  if (at !== undefined) Reflect.set(at.parent, at.key, value);
  return copy;
}

function allPlaces(value: unknown): { parent: object; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ parent: value, key }, ...allPlaces(inner)]);
}
