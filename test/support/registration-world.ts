// The world of a registration, without network and cluster: what it holds, and what a platform answers.
import assert from "node:assert/strict";
import type { Call, Route } from "../../components/connector/registration/http.ts";
import type { Answer } from "../../components/connector/registration/outcome.ts";
import type {
  Outside,
  Registered,
  RegistrationSpec,
} from "../../components/connector/registration/register.ts";
import { memoryCluster, type MemoryCluster } from "./memory-cluster.ts";

export const CANARY = "c4n4ry-s3cr3t";
export const OK: Answer = { answer: "response", code: 200, body: '{"uuid":"u-1","status":"connected"}' };
export const BUSY: Answer = { answer: "response", code: 503, body: "" };
export const GONE: Answer = { answer: "none", phrase: "the connection broke", transient: true };
export const KEY = "ConfigMap/x-registration";
export const DENIED = { outcome: "forbidden", detail: "no" } as const;

export const spec: RegistrationSpec = {
  platformUrl: "https://ilm.example.com/api",
  name: "X.509",
  authType: "none",
  url: "http://x.proxies.svc:8080",
  authAttributes: [{ name: "secret", content: CANARY }],
  customAttributes: [],
  generation: 1,
  ready: true,
  place: { namespace: "proxies", name: "x-registration", owner: "p/s/Connector/x", labels: { a: "b" } },
};

export interface World extends Outside {
  cluster: MemoryCluster;
  calls: Call[];
  routes: Route[];
  /** Seconds that were slept. */
  slept: number[];
}

/** A platform that gives these answers, the last one for ever; what is not told is not asked. */
export function world(...answers: Answer[]): World {
  let time = Date.parse("2027-01-01T00:00:00Z");
  const made: World = {
    cluster: memoryCluster(),
    calls: [],
    routes: [],
    slept: [],
    now: () => new Date(time),
    sleep: (seconds) => {
      made.slept.push(seconds);
      time += seconds * 1000;
      return Promise.resolve();
    },
    sendTo: (_url, route) => (call) => {
      made.routes.push(route);
      made.calls.push(call);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      assert.ok(answer, "the platform must not be asked");
      return Promise.resolve(answer);
    },
  };
  return made;
}

/** The same cluster, another platform. */
export function later(before: World, ...answers: Answer[]): World {
  return { ...world(...answers), cluster: before.cluster };
}

export function recorded({ cluster }: World): { outcome: { outcome: string }; generation: number } {
  const data = cluster.objects.get(KEY)?.["data"] as Record<string, string>;
  return JSON.parse(data["registration.json"] ?? "") as never;
}

export const outcomeOf = ({ outcome }: Registered): string => outcome.outcome;
