import { containersSpec } from "../../components/workload/container-specs.ts";
import { accepted, container, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const secured = (securityContext: unknown): object[] => container({ securityContext });
const at = (field: string): string => `p[0].securityContext.${field}`;

accepted(containersSpec, [
  ["an empty security context", secured({})],
  [
    "what the hardening lays over anyway",
    secured({
      privileged: true,
      allowPrivilegeEscalation: true,
      runAsNonRoot: false,
      capabilities: { add: ["NET_ADMIN", "CAP_SYS_ADMIN"], drop: ["CHOWN"] },
      seccompProfile: { type: "Localhost", localhostProfile: "p.json" },
    }),
  ],
  ["users", secured({ runAsUser: 1, runAsGroup: 0, readOnlyRootFilesystem: true, procMount: "Default" })],
  ["the highest users", secured({ runAsUser: 2147483647, runAsGroup: 2147483647 })],
  [
    "SELinux options",
    secured({ seLinuxOptions: { type: "container_t", level: "s0:c1,c2", user: "", role: "" } }),
  ],
  ["another SELinux type", secured({ seLinuxOptions: { type: "container_engine_t" } })],
  ["no SELinux type", secured({ seLinuxOptions: { type: "" } })],
  ["the runtime's AppArmor profile", secured({ appArmorProfile: { type: "RuntimeDefault" } })],
  [
    "an AppArmor profile of the node",
    secured({ appArmorProfile: { type: "Localhost", localhostProfile: "p" } }),
  ],
  [
    "Windows options",
    secured({
      windowsOptions: {
        gmsaCredentialSpecName: "spec.a",
        gmsaCredentialSpec: "{}",
        runAsUserName: "ContainerUser",
        hostProcess: false,
      },
    }),
  ],
  [
    "a Windows user of a NetBios domain",
    secured({ windowsOptions: { runAsUserName: "NT AUTHORITY\\a b.c" } }),
  ],
  [
    "a Windows user of a DNS domain",
    secured({ windowsOptions: { runAsUserName: "a-long-domain.example.com\\u" } }),
  ],
]);

refused(containersSpec, [
  ["a security context as text", secured(CANARY), "p[0].securityContext", /expected object/],
  [
    "a field of the pod's security context",
    secured({ runAsNonroot: CANARY }),
    "p[0].securityContext",
    /unknown field "runAsNonroot"; did you mean "runAsNonRoot"\?/,
  ],
  ["root", secured({ runAsUser: 0 }), at("runAsUser"), /from 1 on: root breaks the restricted/],
  ["a negative user", secured({ runAsUser: -1 }), at("runAsUser"), /from 1 on/],
  ["a user beyond the highest", secured({ runAsUser: 2147483648 }), at("runAsUser"), /<=2147483647/],
  ["a user by name", secured({ runAsUser: CANARY }), at("runAsUser"), /expected number/],
  ["a negative group", secured({ runAsGroup: -1 }), at("runAsGroup"), />=0/],
  ["a group beyond the highest", secured({ runAsGroup: 2147483648 }), at("runAsGroup"), /<=2147483647/],
  [
    "truth as text",
    secured({ readOnlyRootFilesystem: "true" }),
    at("readOnlyRootFilesystem"),
    /expected boolean/,
  ],
  ["capabilities as a list", secured({ capabilities: [CANARY] }), at("capabilities"), /expected object/],
  [
    "a seccomp profile without type",
    secured({ seccompProfile: {} }),
    at("seccompProfile.type"),
    /"RuntimeDefault"/,
  ],
  [
    "an open /proc",
    secured({ procMount: "Unmasked" }),
    at("procMount"),
    /must be Default or left out: the restricted/,
  ],
  [
    "an SELinux type that escapes",
    secured({ seLinuxOptions: { type: "spc_t" } }),
    at("seLinuxOptions.type"),
    /must be container_t, .*: the restricted/,
  ],
  [
    "an SELinux user",
    secured({ seLinuxOptions: { user: CANARY } }),
    at("seLinuxOptions.user"),
    /must be empty or/,
  ],
  [
    "an SELinux role",
    secured({ seLinuxOptions: { role: CANARY } }),
    at("seLinuxOptions.role"),
    /must be empty or/,
  ],
  [
    "no AppArmor",
    secured({ appArmorProfile: { type: "Unconfined" } }),
    at("appArmorProfile.type"),
    /must be RuntimeDefault or Localhost: the restricted/,
  ],
  [
    "an AppArmor profile without name",
    secured({ appArmorProfile: { type: "Localhost" } }),
    at("appArmorProfile.localhostProfile"),
    /is required with type Localhost/,
  ],
  [
    "an AppArmor profile with an empty name",
    secured({ appArmorProfile: { type: "Localhost", localhostProfile: "" } }),
    at("appArmorProfile.localhostProfile"),
    /must be the name of a profile/,
  ],
  [
    "an AppArmor profile with space around its name",
    secured({ appArmorProfile: { type: "Localhost", localhostProfile: ` ${CANARY}` } }),
    at("appArmorProfile.localhostProfile"),
    /without space around it/,
  ],
  [
    "an AppArmor profile with a name too long",
    secured({ appArmorProfile: { type: "Localhost", localhostProfile: CANARY.repeat(400) } }),
    at("appArmorProfile.localhostProfile"),
    /at most 4095/,
  ],
  [
    "a name for the runtime's AppArmor profile",
    secured({ appArmorProfile: { type: "RuntimeDefault", localhostProfile: CANARY } }),
    at("appArmorProfile.localhostProfile"),
    /no meaning without type Localhost/,
  ],
  [
    "a Windows process of the host",
    secured({ windowsOptions: { hostProcess: true } }),
    at("windowsOptions.hostProcess"),
    /must be false or left out/,
  ],
  [
    "a bad name of a credential spec",
    secured({ windowsOptions: { gmsaCredentialSpecName: `${CANARY}_` } }),
    at("windowsOptions.gmsaCredentialSpecName"),
    /lower-case/,
  ],
  [
    "an empty credential spec",
    secured({ windowsOptions: { gmsaCredentialSpec: "" } }),
    at("windowsOptions.gmsaCredentialSpec"),
    /must not be empty/,
  ],
  [
    "a credential spec too long",
    secured({ windowsOptions: { gmsaCredentialSpec: CANARY.repeat(6000) } }),
    at("windowsOptions.gmsaCredentialSpec"),
    /at most 65536/,
  ],
  ...[
    "",
    ". .",
    `a@${CANARY}`,
    `a\\b\\${CANARY}`,
    `a\\`,
    `.a\\${CANARY}`,
    `${CANARY}\n`,
    "u".repeat(105),
  ].map((runAsUserName): [string, unknown, string, RegExp] => [
    `the Windows user ${JSON.stringify(runAsUserName)}`,
    secured({ windowsOptions: { runAsUserName } }),
    at("windowsOptions.runAsUserName"),
    /must be a Windows user name/,
  ]),
]);
