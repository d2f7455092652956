import * as pulumi from "@pulumi/pulumi";
import { OperationsResource } from "../../children/operations.ts";
import { objectLabels, type Identity } from "../../workload/labels.ts";
import type { Zone } from "../../zone/zone.ts";
import { ASKS, type Outcome } from "./outcome.ts";
import { decide } from "./decide.ts";
import { recordName, registeredSchema } from "./record.ts";
import { type CallSpec, type Registered, wantedOf } from "./register.ts";
import { changedFields, type RegistrationRequest, requestFields } from "./request.ts";

/** What a connector registers itself with. Contents of attributes and credentials may be secret. */
export interface RegistrationArgs {
  request: Each<RegistrationRequest>;
  /** Whether the connector runs: before that the platform is not asked. */
  ready: pulumi.Input<boolean>;
  /** Raised to register again. */
  generation: pulumi.Input<number>;
  /** The uuid under which the platform has the connector already: then it is not asked. */
  uuid?: pulumi.Input<string | undefined>;
  deregisterOnDelete: pulumi.Input<boolean>;
  call: Each<CallSpec>;
}

/** Field by field, so that a secret one leaves the others readable. */
type Each<T> = { [Key in keyof T]: pulumi.Input<T[Key]> };

/** Whose registration it is. */
export interface Registrant {
  component: pulumi.ComponentResource;
  zone: Zone;
  identity: Identity;
}

/**
 * A connector's entry in the inventory of its platform, made once. What became of it is data: a registration that did
 * not succeed does not fail the run.
 */
export class Registration extends OperationsResource {
  /** What is known of it, as the state keeps it. */
  declare readonly registration: pulumi.Output<Registered>;
  /** What became of it. */
  readonly outcome: pulumi.Output<Outcome>;
  /** Fields that changed since it was registered. */
  readonly changed: pulumi.Output<string[]>;
  /** Why its record does not have it. */
  readonly unrecorded: pulumi.Output<string | undefined>;

  constructor({ component, zone, identity }: Registrant, args: RegistrationArgs) {
    const { name, namespace } = identity;
    const { clusterDomain } = zone.parts;
    const { request, call, ready, generation, uuid, deregisterOnDelete } = args;
    const [owner, formerOwners] = [zone.owner("Connector", name), zone.formerOwners("Connector", name)];
    const place = { namespace, name: recordName(name), owner, formerOwners, labels: objectLabels(identity) };
    const inputs = { ...request, ...call, ready, generation, uuid, deregisterOnDelete, place };
    super(
      "Registration",
      name,
      new URL(`./operations${import.meta.url.slice(-3)}`, import.meta.url),
      { connector: name, cluster: zone.parts.access, clusterDomain, ...inputs, registration: undefined },
      {
        parent: component,
        dependsOn: zone.parts.dependsOn,
        additionalSecretOutputs: ["credentials"],
      },
    );
    const known = zone.parts.dryRun ? this.#before(zone) : this.registration;
    this.outcome = known.apply((registered): Outcome => registered?.outcome ?? { outcome: "waiting" });
    this.unrecorded = known.apply((registered) => registered?.unrecorded);
    // Names of fields alone: where a content is secret, they are not.
    this.changed = pulumi.unsecret(
      pulumi
        .all([known, pulumi.output(request)])
        .apply(([registered, now]) =>
          registered?.outcome.outcome === "registered" && registered.posted !== undefined
            ? changedFields(registered.posted, requestFields(now as RegistrationRequest))
            : [],
        ),
    );
    if (zone.parts.dryRun) {
      pulumi.all([known, component.urn, pulumi.output(inputs)]).apply(([registered, urn, wanted]) => {
        // Of a component that was never there, or a state that can't be read, nothing is known.
        if (!zone.parts.previous.has(urn)) return;
        const decision = decide(registered, wantedOf(wanted));
        if (decision === "post") void pulumi.log.info(ASKS, component);
      });
    }
  }

  /** What the run before left; the engine knows no outputs of what this run is going to do. */
  #before(zone: Zone): pulumi.Output<Registered | undefined> {
    return this.urn.apply(
      (urn) => registeredSchema.safeParse(zone.parts.previous.get(urn)?.registration).data,
    );
  }
}
