import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Inputs } from "../../children/inputs.ts";
import { dataKey, objectName, strict } from "../../workload/validation.ts";
import { UUID } from "./outcome.ts";
import { type Attribute, platformUrlProblem } from "./request.ts";

/** A key of a Secret in the connector's namespace, which the run reads itself: its value is in no state. */
export interface SecretKeySpec {
  /** Name of the Secret. */
  secretName: string;
  /** Key in it. */
  key: string;
}

/** How the call identifies itself to the platform: `bearerToken` or `basic`, and a client certificate with or without them. */
export interface CredentialsSpec {
  /** Token for `Authorization: Bearer`: a key of a Secret, or a Pulumi secret. */
  bearerToken?: string | SecretKeySpec | undefined;
  /** User and password for `Authorization: Basic` (RFC 7617): keys of Secrets, or Pulumi secrets. */
  basic?:
    | {
        /** The user. */
        username: string | SecretKeySpec;
        /** The user's password. */
        password: string | SecretKeySpec;
      }
    | undefined;
  /** Client certificate and its private key, both PEM: keys of Secrets, or Pulumi secrets. */
  clientCertificate?:
    | {
        /** The certificate, with those of its issuers behind it where the platform needs them. */
        certificate: string | SecretKeySpec;
        /** Its private key, not encrypted. */
        key: string | SecretKeySpec;
      }
    | undefined;
}

/**
 * The connector's entry in the platform's inventory, made once, in the first run in which it runs. A later change of
 * what was posted is a warning: only `generation` registers again.
 * @effect none on the pods
 */
export interface ConnectorRegistrationSpec {
  /** The platform's base URL, with its `/api`. A Service of the cluster (`*.svc`) is called through the API server. */
  platformUrl: string;
  /** Name of the connector in the platform's inventory. */
  name: string;
  /** How the platform authenticates itself to the connector: `none`, `basic`, `certificate`, `apiKey` or `jwt`. */
  authType: "none" | "basic" | "certificate" | "apiKey" | "jwt";
  /** What that takes; a secret `content` is a Pulumi secret, in a stack file under `registrationSecrets`. */
  authAttributes?: Attribute[] | undefined;
  /** What else the platform should know. */
  customAttributes?: Attribute[] | undefined;
  /**
   * Registers again when it is raised: the platform then has two entries, unless somebody takes the old one out.
   * @default 1
   */
  generation?: number | undefined;
  /** The uuid under which the platform has the connector already: then nothing is posted. */
  uuid?: string | undefined;
  /**
   * Whether a run fails when it could not register.
   * @default false, a warning and the condition Degraded
   */
  required?: boolean | undefined;
  /**
   * Whether deleting the connector takes it out of the platform's inventory as well.
   * @default false, as with the operator
   */
  deregisterOnDelete?: boolean | undefined;
  /** How the call identifies itself; in a stack file values that are no Secrets stand under `registrationSecrets`. */
  credentials?: CredentialsSpec | undefined;
  /** Certificates (PEM) of the authorities to trust in place of the well-known ones. */
  caBundle?: string | undefined;
  /**
   * Seconds for which one run tries again where the platform can't do it now, from 0 (once) on.
   * @default 60
   */
  timeoutSeconds?: number | undefined;
}

/** The same with Inputs; credentials may be one as a whole. */
export interface ConnectorRegistrationArgs extends Omit<Inputs<ConnectorRegistrationSpec>, "credentials"> {
  credentials?: pulumi.Input<Inputs<CredentialsSpec>> | undefined;
}

const secretValue = z.union(
  [z.string().min(1), strict({ secretName: objectName, key: dataKey })],
  "must be secretName and key of a Secret, or a Pulumi secret",
);

export const credentialsSpec = strict({
  bearerToken: secretValue.optional(),
  basic: strict({ username: secretValue, password: secretValue }).optional(),
  clientCertificate: strict({ certificate: secretValue, key: secretValue }).optional(),
}).refine(
  ({ bearerToken, basic }) => bearerToken === undefined || basic === undefined,
  "has both bearerToken and basic: keep one",
);

const anyJson = z.custom<unknown>((content) => content !== undefined, "must be given: any JSON");
const attributesSpec = z.array(strict({ name: z.string().min(1), content: anyJson }));

export const registrationSpec = strict({
  platformUrl: z.string().superRefine((text, context) => {
    const message = platformUrlProblem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  }),
  name: z.string().min(1),
  authType: z.enum(["none", "basic", "certificate", "apiKey", "jwt"]),
  authAttributes: attributesSpec.optional(),
  customAttributes: attributesSpec.optional(),
  generation: z.int().min(1).optional(),
  uuid: z
    .string()
    .regex(UUID, "must be 1 to 128 letters, digits and ._:-, as the platform shows it")
    .optional(),
  required: z.boolean().optional(),
  deregisterOnDelete: z.boolean().optional(),
  credentials: credentialsSpec.optional(),
  caBundle: z.string().includes("-----BEGIN CERTIFICATE-----", "must be certificates in PEM form").optional(),
  timeoutSeconds: z.int().min(0).optional(),
});
