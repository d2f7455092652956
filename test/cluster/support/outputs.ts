// The outputs of a test zone's stack.

/** What the stack exports of a proxy or connector; the fields of the one are not there with the other. */
export interface ProxyOutput {
  phase: string;
  summary: string;
  version: string;
  ready: number;
  tokenExpiresAt?: string;
  healthy?: string;
  registration?: { uuid?: string; status?: string; registeredAt?: string };
  configChecksum?: string;
  conditions: { type: string; status: string; reason: string; message: string; lastTransitionTime: string }[];
}

/** A condition as `type=status/reason`. */
export function conditionsOf(output: ProxyOutput | undefined): string[] {
  return (output?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status}/${reason}`).sort();
}
