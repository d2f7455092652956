/** What is wrong with a zone. */
export type FindingKind =
  /** Fields of an object of ours that somebody else wrote, changed or removed. */
  | "drift"
  /** An object that the state has and the cluster does not. */
  | "deleted"
  /** What pods read has changed since they were made. */
  | "rotation pending"
  /** A connector of which the platform still has to be asked to register it. */
  | "registration pending"
  /** The program or the stack file says something else than what was applied. */
  | "args pending"
  | "token expired"
  | "token expiring"
  /** A phase that is neither Running nor ScaledDown. */
  | "phase"
  | "warning"
  /** `up` was to mend the zone and failed. */
  | "fix failed";

/** The order in which they are told. */
export const KINDS: readonly FindingKind[] = [
  "fix failed",
  "token expired",
  "phase",
  "deleted",
  "drift",
  "rotation pending",
  "registration pending",
  "args pending",
  "token expiring",
  "warning",
];

export interface Component {
  kind: string;
  name: string;
}

/** Fields that one manager wrote in an object of ours. */
export interface FieldEdit {
  paths: string[];
  /** Undefined where nobody is known: what was removed has no manager any more. */
  manager?: string | undefined;
  /** When it last wrote any field of the object, RFC 3339. */
  time?: string | undefined;
}

export interface Finding {
  kind: FindingKind;
  /** Undefined of what belongs to the zone as a whole. */
  component?: Component | undefined;
  /** The object of the cluster, where it is about one. */
  object?: { kind: string; name: string } | undefined;
  what: string;
  /** What somebody can do. */
  todo: string;
  /** Whether `pulumi up` mends it. */
  mendable: boolean;
  edits?: FieldEdit[];
}

/** How a component stands, whether or not anything is wrong. */
export interface ComponentState extends Component {
  phase: string;
  /** Of the token that the pods have, RFC 3339. */
  tokenExpiresAt?: string | undefined;
}

export interface ZoneCheck {
  stack: string;
  /** Why it could not be checked, in one line; then at most fields of others are found of it. */
  failure?: string;
  findings: Finding[];
  components: ComponentState[];
  /** What a run warns of that is nobody's finding: about the zone as a whole. */
  notes: string[];
  /** What `up` has mended; undefined when it did not run. */
  mended?: Finding[];
}

/** Whether a run does away with anything that was found. */
export function canMend({ findings }: ZoneCheck): boolean {
  return findings.some(({ mendable }) => mendable);
}

/** The exit code over all zones: 1 when one could not be checked, 2 when anything is found, else 0. */
export function exitCode(zones: readonly ZoneCheck[]): 0 | 1 | 2 {
  if (zones.some(({ failure }) => failure !== undefined)) return 1;
  return zones.some(({ findings }) => findings.length > 0) ? 2 : 0;
}

/** Findings in the order in which they need attention, then by component and object. */
export function sorted(findings: readonly Finding[]): Finding[] {
  const key = ({ component, object }: Finding): string =>
    [component?.kind, component?.name, object?.kind, object?.name].join("\0");
  return findings.toSorted(
    (a, b) =>
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (key(a) < key(b) ? -1 : Number(key(a) > key(b))),
  );
}
