// What a resource becomes in a stack file: pure.
import { isMap, joinPath, type Problem } from "../components/workload/validation.ts";
import { type IlmResource, KINDS, typeOf } from "./resources.ts";

/** An entry of a stack file, and what people should know of it. */
export interface Entry {
  /** `proxies` or `connectors`. */
  key: string;
  name: string;
  value: unknown;
  notes: string[];
}

/** How a registration is carried over, for people. */
const UNFINISHED =
  "is not registered yet: `pulumi up` asks the platform, once its pods are ready and where the operator has not done so meanwhile";
const IN_CLEAR =
  "registration.authAttributes goes into the stack file in clear, as it stands in the resource: move what is secret to registrationSecrets";

/** The entries of resources, or what is wrong with a resource. Whether a spec is right is checked with the whole file. */
export function entriesOf(resources: readonly IlmResource[]): { entries: Entry[]; problems: Problem[] } {
  const problems = resources.flatMap((resource, index) => {
    const isTwice = resources.findIndex((other) => pathOf(other) === pathOf(resource)) !== index;
    return [
      ...(isTwice ? [{ path: pathOf(resource), message: "is given twice; keep one" }] : []),
      ...registrationProblems(resource),
    ];
  });
  return { entries: resources.map(entryOf), problems };
}

/** Path of a resource's entry in the stack file. */
export function pathOf({ kind, name }: Pick<IlmResource, "kind" | "name">): string {
  return joinPath(KINDS[kind].key, name);
}

function entryOf(resource: IlmResource): Entry {
  const { kind, name, spec, uuid } = resource;
  const key = KINDS[kind].key;
  if (!isMap(spec)) return { key, name, value: spec ?? null, notes: [] };
  const registration = registrationOf(resource);
  if (registration === undefined) return { key, name, value: { adopt: true, ...spec }, notes: [] };
  const given = registration["uuid"];
  const known = uuid ?? given;
  const value = {
    adopt: true,
    ...spec,
    registration: { ...registration, ...(known !== undefined && { uuid: known }) },
  };
  const attributes = registration["authAttributes"];
  const notes = [
    known === undefined
      ? UNFINISHED
      : `is registered as ${uuid ?? JSON.stringify(given)}, which goes with it: nothing is posted`,
    ...(Array.isArray(attributes) && attributes.length > 0 ? [IN_CLEAR] : []),
  ];
  return { key, name, value, notes };
}

/** A file without a status may be of a connector that the platform has already. */
function registrationProblems(resource: IlmResource): Problem[] {
  const { kind, name, hasStatus, namespace } = resource;
  const registration = registrationOf(resource);
  if (registration === undefined || hasStatus || registration["uuid"] !== undefined) return [];
  const save = `kubectl get ${typeOf(kind)} ${name} -n ${namespace ?? "<namespace>"} -o yaml`;
  return [
    {
      path: pathOf(resource),
      message:
        `has no status, which says whether the platform has it already: save it with \`${save}\`, or give ` +
        "registration.uuid; where it never was registered, give it `status: {}`",
    },
  ];
}

function registrationOf({ kind, spec }: IlmResource): Record<string, unknown> | undefined {
  const registration = kind === "Connector" && isMap(spec) ? spec["registration"] : undefined;
  return isMap(registration) ? registration : undefined;
}
