// What connectors register with and nobody may read: it stands apart in a stack file, since secretness is per key.
import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { ConnectorArgs, ConnectorSpec } from "../components/connector/args.ts";
import { type CredentialsSpec, credentialsSpec } from "../components/connector/registration/specs.ts";
import {
  check,
  joinPath,
  ownValue,
  type Problem,
  strict,
  unknownField,
} from "../components/workload/validation.ts";

/** Key of the stack's configuration: connector -> its secrets. */
export const REGISTRATION_SECRETS = "registrationSecrets";

/** The secrets of one connector's registration. */
export interface RegistrationSecrets {
  /** In place of `registration.credentials`. */
  credentials?: CredentialsSpec | undefined;
  /** Name -> content of further attributes. */
  authAttributes?: Record<string, unknown> | undefined;
  customAttributes?: Record<string, unknown> | undefined;
}

/** Which of them there are: no secret itself. */
export interface SecretFields {
  credentials: boolean;
  authAttributes: string[];
  customAttributes: string[];
}

const KINDS = ["authAttributes", "customAttributes"] as const;

const contents = z.record(z.string().min(1), z.unknown());
const secretsSpec = strict({
  credentials: credentialsSpec.optional(),
  authAttributes: contents.optional(),
  customAttributes: contents.optional(),
});

/** Checks the secrets against the connectors that they are for; `given` are all that the stack file names. */
export function checkRegistrationSecrets(
  secrets: Record<string, unknown>,
  connectors: Record<string, ConnectorSpec>,
  given: Record<string, unknown> | undefined,
): { fields: Record<string, SecretFields>; problems: Problem[] } {
  const fields: Record<string, SecretFields> = {};
  const problems: Problem[] = [];
  for (const [name, own] of Object.entries(secrets)) {
    const path = joinPath(REGISTRATION_SECRETS, name);
    if (given !== undefined && !Object.hasOwn(given, name)) {
      problems.push({ path, message: unknownField(name, Object.keys(given)) });
      continue;
    }
    const checked = check<RegistrationSecrets>(secretsSpec, own, path);
    problems.push(...checked.problems);
    const spec = ownValue(connectors, name);
    if (checked.value === undefined || spec === undefined) continue;
    fields[name] = fieldsOf(checked.value);
    problems.push(...clashes(spec, fields[name], path));
  }
  return { fields, problems };
}

function fieldsOf({
  credentials,
  authAttributes = {},
  customAttributes = {},
}: RegistrationSecrets): SecretFields {
  return {
    credentials: credentials !== undefined,
    authAttributes: Object.keys(authAttributes),
    customAttributes: Object.keys(customAttributes),
  };
}

/** Nothing may be said twice, and there must be a registration that needs it. */
function clashes({ registration }: ConnectorSpec, fields: SecretFields, path: string): Problem[] {
  if (registration === undefined) return [{ path, message: "is of a connector without registration" }];
  const twice = "stands in the connector's registration, too: keep one";
  const credentials = fields.credentials && registration.credentials !== undefined;
  return [
    ...(credentials ? [{ path: joinPath(path, "credentials"), message: twice }] : []),
    ...KINDS.flatMap((kind) =>
      fields[kind]
        .filter((name) => registration[kind]?.some((attribute) => attribute.name === name))
        .map((name) => ({ path: joinPath(joinPath(path, kind), name), message: twice })),
    ),
  ];
}

/** Credentials that stand in clear in the stack file. */
export function plainCredentials({ registration }: ConnectorSpec, path: string): Problem[] {
  const { bearerToken, basic, clientCertificate } = registration?.credentials ?? {};
  const secrets = {
    bearerToken,
    "basic.password": basic?.password,
    "clientCertificate.key": clientCertificate?.key,
  };
  return Object.entries(secrets)
    .filter(([, value]) => typeof value === "string")
    .map(([field]) => ({
      path: `${path}.registration.credentials.${field}`,
      message:
        "stands here in clear: name a Secret with secretName and key, or set registrationSecrets.<connector>.credentials " +
        "with `pulumi config set --secret --path`, and replace what stood here",
    }));
}

/** The args of a connector with its secrets, each where it belongs. */
export function withSecrets(
  spec: ConnectorSpec,
  fields: SecretFields,
  secrets: pulumi.Output<RegistrationSecrets>,
): Omit<ConnectorArgs, "zone"> {
  const { registration } = spec;
  if (registration === undefined) return spec;
  const attributes = (kind: (typeof KINDS)[number]) => [
    ...(registration[kind] ?? []),
    ...fields[kind].map((name) => ({ name, content: secrets.apply((own) => own[kind]?.[name]) })),
  ];
  const credentials = fields.credentials
    ? secrets.apply((own) => own.credentials ?? {})
    : registration.credentials;
  return {
    ...spec,
    registration: {
      ...registration,
      authAttributes: attributes("authAttributes"),
      customAttributes: attributes("customAttributes"),
      credentials,
    },
  };
}
