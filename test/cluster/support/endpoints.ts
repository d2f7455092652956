// What a client of a Service could reach, at every moment.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import type { TestZone } from "./zone.ts";

/** Ready endpoints per Service, as they were at each moment of a watch. */
export interface Endpoints {
  /** Service -> each count that there was, oldest first. */
  counts: Map<string, number[]>;
  stop: () => void;
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes */
interface SliceEvent {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: {
    metadata: { name: string; labels: Record<string, string> };
    endpoints?: { conditions: { ready?: boolean } }[] | null;
  };
}

/** Watches the endpoints of every Service: the API server tells each change of them, however short. */
export function watchEndpoints(t: TestContext, zone: TestZone): Endpoints {
  const path = `/apis/discovery.k8s.io/v1/namespaces/${zone.namespace}/endpointslices?watch=true`;
  const args = [
    "--kubeconfig",
    zone.cluster.kubeconfig,
    "--context",
    zone.cluster.context,
    "get",
    "--raw",
    path,
  ];
  const child = spawn(zone.cluster.tools.kubectl, args, { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill());
  const slices = new Map<string, Map<string, number>>();
  const counts = new Map<string, number[]>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { type, object } = JSON.parse(line) as SliceEvent;
    const { name, labels } = object.metadata;
    const service = labels["kubernetes.io/service-name"] ?? "";
    const of = slices.get(service) ?? new Map<string, number>();
    slices.set(service, of);
    const ready = (object.endpoints ?? []).filter(({ conditions }) => conditions.ready === true);
    of.set(name, type === "DELETED" ? 0 : ready.length);
    const count = [...of.values()].reduce((sum, each) => sum + each, 0);
    counts.set(service, [...(counts.get(service) ?? []), count]);
  });
  return { counts, stop: () => child.kill() };
}
