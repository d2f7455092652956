/** A fleet as stacks' outputs tell it, at a moment of its own. */
export const NOW = new Date("2026-11-29T12:00:00Z");

interface Made {
  phase?: string;
  ready?: number;
  /** Days from NOW to the token's end. */
  days?: number;
  /** Reason and message of Degraded. */
  degraded?: [reason: string, message: string];
  version?: string;
}

/** A proxy's output, as index.ts exports it. */
export function proxy({
  phase = "Running",
  ready = 2,
  days,
  degraded,
  version = "1.4.2",
}: Made = {}): object {
  const end = days === undefined ? undefined : at(days);
  const state = days === undefined ? undefined : days < 0 ? "Expired" : days <= 14 ? "Expiring" : "Valid";
  const since = { lastTransitionTime: "2026-11-01T08:00:00Z" };
  const [reason, message] = degraded ?? ["Running", "the proxy runs normally"];
  return {
    phase,
    summary: `${phase}, as it were`,
    version,
    ready,
    ...(end !== undefined && { tokenExpiresAt: end }),
    configChecksum: "0123456789abcdef".repeat(4),
    conditions: [
      {
        type: "Progressing",
        status: phase === "Running" ? "False" : "True",
        reason: phase === "Running" ? "DeploymentComplete" : "RolloutInProgress",
        message: `${ready}/2 replicas ready`,
        ...since,
      },
      {
        type: "Available",
        status: "True",
        reason: "AllReplicasReady",
        message: `${ready}/2 replicas ready`,
        ...since,
      },
      { type: "Degraded", status: degraded ? "True" : "False", reason, message, ...since },
      ...(end !== undefined
        ? [
            {
              type: "TokenExpiring",
              status: state === "Valid" ? "False" : "True",
              reason: `ConfigToken${state}`,
              message: `the config token ${state === "Valid" ? "is valid until" : "expires at"} ${end}`,
              ...since,
            },
          ]
        : []),
    ],
  };
}

/** A moment some days from NOW, as outputs write it. */
export function at(days: number): string {
  return new Date(NOW.getTime() + days * 86_400_000).toISOString().replace(".000", "");
}

/** Zones of every sort. */
export const ZONES: Record<string, unknown> = {
  "prod-dc-east": {
    proxies: {
      "dc-east-a": proxy({ days: 90 }),
      "dc-east-b": proxy({ days: 9 }),
      "dc-east-c": proxy({ phase: "ScaledDown", ready: 0, days: 200 }),
    },
  },
  "prod-dc-west": {
    proxies: {
      "dc-west": proxy({
        phase: "Failed",
        ready: 0,
        days: 40,
        degraded: ["MissingSecret", 'Secret "dc-west-config" not found'],
      }),
      "dc-west-standby": proxy({
        days: -9,
        degraded: ["ConfigTokenExpired", `the config token expired at ${at(-9)}`],
      }),
    },
  },
  "prod-partner-site": {
    proxies: { partner: proxy({ phase: "Updating", ready: 1, days: 91 }), "partner-b": proxy({ days: 93 }) },
  },
  "prod-lab": {
    proxies: { lab: proxy({ days: 500 }), "lab-endless": proxy(), "lab-new": proxy({ days: 30 }) },
  },
  "staging-dc-east": { proxies: { "dc-east-a": proxy({ days: 3.2, version: "1.5.0-rc.1" }) } },
  "staging-dc-north": {},
};
