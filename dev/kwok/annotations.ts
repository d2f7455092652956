// The annotations on pods through which tests, the watcher (../kubelet) and the Stages of kwok talk to each
// other.

/** What a pod shall do instead of becoming ready; set by tests, on the pod template or on a running pod. */
export const BEHAVIOUR = "dev.pulumi-proxies/behaviour";

/** The values of {@link BEHAVIOUR}; `slow:<seconds>` is the one with an argument. */
export const BEHAVIOURS = ["never-ready", "image-pull-error", "crash-loop", "slow"] as const;

/**
 * Set by the watcher: may the containers start? One of {@link Verdict}. A pod without it stays as it was
 * scheduled.
 */
export const VERDICT = "dev.pulumi-proxies/verdict";

/**
 * Set by the watcher beside a verdict other than `start`: the kubelet's messages, a JSON object {@link
 * Messages}.
 */
export const MESSAGES = "dev.pulumi-proxies/messages";

export type Verdict =
  | "start"
  /** A container names a Secret, a ConfigMap or a key that does not exist. */
  | "config-missing"
  /** A volume does. */
  | "volume-missing";

/** Messages by container name for `config-missing`; one message under "" for `volume-missing`. */
export type Messages = Readonly<Record<string, string>>;
