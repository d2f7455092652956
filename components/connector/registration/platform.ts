// Registers a connector as its args say, and tells what came of it.
import * as pulumi from "@pulumi/pulumi";
import { failRun } from "../../children/failing.ts";
import { checkedSpec, type Inputs } from "../../children/inputs.ts";
import { check } from "../../workload/validation.ts";
import { type RegistrationFacts, registrationProblem } from "./outcome.ts";
import type { RegistrationRequest } from "./request.ts";
import { type Registrant, Registration } from "./resource.ts";
import { type ConnectorRegistrationArgs, type ConnectorRegistrationSpec, registrationSpec } from "./specs.ts";

const FIRST_GENERATION = 1;

/** The platform that a connector registers with, as far as the connector itself depends on it. */
export interface Platform {
  url: string;
  sendsCredentials: boolean;
}

/**
 * Checks a registration, at once when it is plain. What comes of it is no secret, whatever else the registration holds.
 * @throws pulumi.ResourceError for a plain one with problems; one that only resolves to them fails the run later
 */
export function checkedPlatform(
  component: pulumi.Resource,
  path: string,
  args: ConnectorRegistrationArgs,
): pulumi.Output<Platform> {
  const spec = args as Inputs<ConnectorRegistrationSpec>;
  const checked = checkedSpec<ConnectorRegistrationSpec>(component, spec, (plain) => {
    const { value, problems } = check<ConnectorRegistrationSpec>(registrationSpec, plain, path);
    return value === undefined ? { spec: undefined, problems } : { spec: value, problems: [] };
  });
  return pulumi.unsecret(
    checked.apply(({ platformUrl, credentials }) => ({
      url: platformUrl,
      sendsCredentials: credentials !== undefined,
    })),
  );
}

/**
 * Registers a connector that runs, with args that were checked. `url` is where the platform reaches it. A run that could
 * not is told so by the outcome, and fails where registration is required.
 */
export function registerConnector(
  registrant: Registrant,
  args: ConnectorRegistrationArgs,
  { running, url }: { running: pulumi.Output<boolean>; url: pulumi.Input<string> },
): pulumi.Output<RegistrationFacts> {
  const { component, zone } = registrant;
  // Field by field: one secret would make all of it secret.
  const { platformUrl, name, authType, authAttributes = [], customAttributes = [] } = args;
  const request = { platformUrl, name, authType, url, authAttributes, customAttributes };
  const { credentials, caBundle, timeoutSeconds, generation, uuid } = args;
  const { outcome, changed, unrecorded } = new Registration(registrant, {
    request: request as { [Key in keyof RegistrationRequest]: pulumi.Input<RegistrationRequest[Key]> },
    call: {
      ...(credentials && { credentials: pulumi.secret(credentials) }),
      ...(caBundle !== undefined && { caBundle }),
      egress: zone.parts.defaults.egress,
      limits: pulumi.output(timeoutSeconds).apply((totalSeconds) => ({ totalSeconds })),
    },
    ready: running,
    generation: pulumi.output(generation).apply((given) => given ?? FIRST_GENERATION),
    ...(uuid !== undefined && { uuid }),
    deregisterOnDelete: args.deregisterOnDelete ?? false,
  });
  return pulumi.all([outcome, changed, unrecorded]).apply(async ([came, fields, why]) => {
    const problem = registrationProblem(came);
    if (problem !== undefined && args.required === true && !zone.parts.dryRun)
      await failRun(`registration is required: ${problem}`, component);
    return { outcome: came, changed: fields, unrecorded: why };
  });
}
