import { z } from "zod";
import { only } from "./spec-rules.ts";
import { objectName, strict } from "./validation.ts";

/**
 * Security settings of a container. What the `restricted` Pod Security Standard asks for is laid over them: non-root,
 * no escalation, no capabilities, the runtime's seccomp profile. What would still break the standard is an error.
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export interface ContainerSecurityContextSpec {
  /** User of the process, 1 to 2147483647; never root. OpenShift assigns one when not given. */
  runAsUser?: number | undefined;
  /** Group of the process, 0 to 2147483647. */
  runAsGroup?: number | undefined;
  /**
   * Whether the container's root file system is read-only.
   * @default false
   */
  readOnlyRootFilesystem?: boolean | undefined;
  /** Accepted so that a container can be pasted; containers always run as non-root. */
  runAsNonRoot?: boolean | undefined;
  /** Accepted so that a container can be pasted; always false. */
  privileged?: boolean | undefined;
  /** Accepted so that a container can be pasted; always false. */
  allowPrivilegeEscalation?: boolean | undefined;
  /** Accepted so that a container can be pasted; all are dropped, none is added. */
  capabilities?:
    | {
        add?: string[] | undefined;
        drop?: string[] | undefined;
      }
    | undefined;
  /** Accepted so that a container can be pasted; always `RuntimeDefault`. */
  seccompProfile?:
    | {
        type: "RuntimeDefault" | "Localhost" | "Unconfined";
        localhostProfile?: string | undefined;
      }
    | undefined;
  /** Only `Default`. */
  procMount?: "Default" | undefined;
  /** SELinux labels. */
  seLinuxOptions?:
    | {
        /** `container_t`, `container_init_t`, `container_kvm_t`, or `container_engine_t` from Kubernetes 1.31 on. */
        type?: "" | "container_t" | "container_init_t" | "container_kvm_t" | "container_engine_t" | undefined;
        /** Level, such as `s0:c123,c456`. */
        level?: string | undefined;
        /** Only empty. */
        user?: "" | undefined;
        /** Only empty. */
        role?: "" | undefined;
      }
    | undefined;
  /** AppArmor profile. Kubernetes 1.30 or newer. */
  appArmorProfile?:
    | {
        /** `RuntimeDefault` or `Localhost`. */
        type: "RuntimeDefault" | "Localhost";
        /** Name of the profile on the node, with `Localhost`. */
        localhostProfile?: string | undefined;
      }
    | undefined;
  /** Settings that only Windows has. */
  windowsOptions?:
    | {
        /** Name of the GMSA credential spec. */
        gmsaCredentialSpecName?: string | undefined;
        /** The GMSA credential spec itself. */
        gmsaCredentialSpec?: string | undefined;
        /** User of the process: `user` or `domain\user`. */
        runAsUserName?: string | undefined;
        /** Only false. */
        hostProcess?: false | undefined;
      }
    | undefined;
}

const STANDARD = "the restricted Pod Security Standard allows nothing else";
const MAX_ID = 2147483647;
const LONGEST_PROFILE = 4095;
const LONGEST_CREDENTIAL_SPEC = 65536;
const userRule =
  "must be a Windows user name, or a domain and '\\' before it: a name of at most 104 characters without any of \"/\\:;|=,+*?<>@[], not only dots and spaces";

const appArmorProfile = strict({
  type: z.enum(["RuntimeDefault", "Localhost"], `must be RuntimeDefault or Localhost: ${STANDARD}`),
  localhostProfile: z
    .string()
    .max(LONGEST_PROFILE, `must be at most ${LONGEST_PROFILE} characters`)
    .regex(/^\S(.*\S)?$/s, "must be the name of a profile, without space around it")
    .optional(),
}).superRefine(({ type, localhostProfile }, context) => {
  const isLocalhost = type === "Localhost";
  if (isLocalhost === (localhostProfile !== undefined)) return;
  const message = isLocalhost ? "is required with type Localhost" : "has no meaning without type Localhost";
  context.addIssue({ code: "custom", path: ["localhostProfile"], message });
});

const windowsOptions = strict({
  gmsaCredentialSpecName: objectName.optional(),
  gmsaCredentialSpec: z
    .string()
    .min(1, "must not be empty")
    .max(LONGEST_CREDENTIAL_SPEC, `must be at most ${LONGEST_CREDENTIAL_SPEC} characters`)
    .optional(),
  runAsUserName: z
    .string()
    .regex(
      /^(?:(?:[^\\/:*?"<>|.\p{Cc}][^\\/:*?"<>|\p{Cc}]{0,14}|(?=[^\\]{1,255}\\)[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*)\\)?(?![. ]+$)[^"/\\:;|=,+*?<>@[\]\p{Cc}]{1,104}$/u,
      userRule,
    )
    .optional(),
  hostProcess: only(false, STANDARD),
});

export const containerSecurityContextSpec = strict({
  runAsUser: z
    .int()
    .min(1, "must be a user from 1 on: root breaks the restricted Pod Security Standard")
    .max(MAX_ID)
    .optional(),
  runAsGroup: z.int().min(0).max(MAX_ID).optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  runAsNonRoot: z.boolean().optional(),
  privileged: z.boolean().optional(),
  allowPrivilegeEscalation: z.boolean().optional(),
  capabilities: strict({
    add: z.array(z.string()).optional(),
    drop: z.array(z.string()).optional(),
  }).optional(),
  seccompProfile: strict({
    type: z.enum(["RuntimeDefault", "Localhost", "Unconfined"]),
    localhostProfile: z.string().optional(),
  }).optional(),
  procMount: only("Default", STANDARD),
  seLinuxOptions: strict({
    type: z
      .enum(
        ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"],
        `must be container_t, container_init_t, container_kvm_t or container_engine_t: ${STANDARD}`,
      )
      .optional(),
    level: z.string().optional(),
    user: only("", STANDARD),
    role: only("", STANDARD),
  }).optional(),
  appArmorProfile: appArmorProfile.optional(),
  windowsOptions: windowsOptions.optional(),
});
