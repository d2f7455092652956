// Whether the platform is asked: pure, so that a preview decides as an update does.
import type { Outcome } from "./outcome.ts";
import type { Posted } from "./request.ts";

/** What is known of a registration from a run before. */
export interface Known {
  /** The `registration.generation` that it answers. */
  generation: number;
  /** `intent`: a run was going to ask, and did not say what became of it. */
  outcome: Outcome | { outcome: "intent" };
  posted?: Posted | undefined;
  /** Where it was registered. */
  platformUrl: string;
}

/** What is wanted now. */
export interface Wanted {
  generation: number;
  /** The uuid under which the platform has the connector already. */
  uuid?: string | undefined;
  /** Whether the connector runs. */
  ready: boolean;
  /** Whether anything that decides over the call differs from what was posted. */
  changed: (posted: Posted | undefined) => boolean;
}

/** `give`: the spec says the uuid. `post`: ask. `keep`: nothing to do. `wait`: not yet. `doubt`: nobody knows. */
export type Decision = "give" | "post" | "keep" | "wait" | "doubt";

export function decide(known: Known | undefined, wanted: Wanted): Decision {
  const outcome = known?.outcome;
  if (wanted.uuid !== undefined)
    return outcome?.outcome === "registered" && outcome.uuid === wanted.uuid ? "keep" : "give";
  if (known === undefined || outcome === undefined || outcome.outcome === "waiting")
    return wanted.ready ? "post" : "wait";
  // A raised generation asks for another registration, whatever has become of the one before.
  if (wanted.ready && wanted.generation > known.generation) return "post";
  switch (outcome.outcome) {
    case "intent":
      return "doubt";
    case "unavailable":
      return wanted.ready ? "post" : "keep";
    case "rejected":
      return wanted.ready && wanted.changed(known.posted) ? "post" : "keep";
    case "registered":
    case "invalid":
    case "unknown":
      return "keep";
  }
}
