// What `npm run adopt` finds between a resource and `pulumi up`, and what it prints of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkObjects, type Checked } from "../../adopt/checks.ts";
import type { LiveObjects } from "../../adopt/live.ts";
import { readOptions } from "../../adopt/options.ts";
import { resourceLines, stepLines } from "../../adopt/report.ts";
import type { IlmResource } from "../../adopt/resources.ts";
import { type Move, steps } from "../../adopt/steps.ts";
import { OWNER_ANNOTATION } from "../../components/children/owner.ts";
import { controlledBy, IMAGE, live, resource, TOKEN, west } from "./adopt-support.ts";

const USUAL = ["Deployment", "Service", "ServiceAccount", "NetworkPolicy"];
const STACK = { project: "pulumi-proxies", name: "dc-west" };
const owned = { ownerReferences: controlledBy("Proxy", "west") };

function check(objects: LiveObjects, spec: object = TOKEN, of: IlmResource = west()): Checked {
  return checkObjects(of, spec, objects, STACK);
}

function fates(checked: Checked): string[] {
  return [...checked.fates].map(([kind, fate]) => `${kind} ${fate}`);
}

test("objects that the resource controls wait for step 1, those of nobody are taken over, others are made", () => {
  const before = check(live(USUAL, "west", owned));
  assert.deepEqual(
    fates(before),
    USUAL.map((kind) => `${kind} controlled`),
  );
  const after = check(live(["Deployment", "Service"], "west"));
  assert.deepEqual(fates(after), [
    "Deployment free",
    "Service free",
    "ServiceAccount absent",
    "NetworkPolicy absent",
  ]);
  const mine = { annotations: { [OWNER_ANNOTATION]: "pulumi-proxies/dc-west/Proxy/west" } };
  assert.ok(fates(check(live(USUAL, "west", mine))).every((fate) => fate.endsWith(" ours")));
  for (const { problems } of [before, after]) assert.deepEqual(problems, []);
});

test("a connector's budget stands under lifecycle; what an entry does not ask for stays behind", () => {
  const budget = { podDisruptionBudget: { enabled: true } };
  const monitor = { metrics: { enabled: true, serviceMonitor: { enabled: true } } };
  const of = resource("Connector", "west", { image: IMAGE });
  assert.deepEqual(fates(check(live([], "west"), { lifecycle: budget, ...monitor }, of)).slice(-2), [
    "PodDisruptionBudget absent",
    "ServiceMonitor absent",
  ]);
  const all = live(["NetworkPolicy", "PodDisruptionBudget"], "west", owned);
  const checked = check(all, { ...TOKEN, networkPolicy: { enabled: false } });
  assert.deepEqual(fates(checked).slice(-2), ["NetworkPolicy left", "PodDisruptionBudget left"]);
  // Somebody's own, which has the name.
  assert.ok(!check(live(["PodDisruptionBudget"], "west")).fates.has("PodDisruptionBudget"));
});

test("an account that was asked for by name is used, once the resource has let go of it", () => {
  const spec = { ...TOKEN, serviceAccount: { name: "egress" } };
  const fateOf = (metadata: object): string | undefined =>
    check(live(["ServiceAccount"], "egress", metadata), spec).fates.get("ServiceAccount");
  assert.equal(fateOf(owned), "controlled");
  assert.equal(fateOf({}), "used");
});

function problemsOf(metadata: object, of: IlmResource = west()): string[] {
  return check(live(["Deployment"], "west", metadata), TOKEN, of).problems.map(
    ({ path, message }) => `${path}: ${message}`,
  );
}

test("what `pulumi up` would refuse in the end is a problem now", () => {
  const [others] = problemsOf({ annotations: { [OWNER_ANNOTATION]: "pulumi-proxies/other/Proxy/west" } });
  assert.match(
    others ?? "",
    /^Proxy west: Deployment ilm\/west belongs to pulumi-proxies\/other\/Proxy\/west: choose/,
  );
  const [helm] = problemsOf({ ownerReferences: controlledBy("Chart", "x") });
  assert.match(helm ?? "", /belongs to Chart x, whose deletion would delete it/);
  const [going] = problemsOf({ ...owned, deletionTimestamp: "2026-01-01T00:00:00Z" });
  assert.match(going ?? "", /is still being deleted: run again when it is gone/);
});

test("a selector that is not ours can't be taken over", () => {
  const objects = live(["Deployment"], "west", owned);
  const renamed = new Map([
    ["Deployment", (objects.get("Deployment") ?? []).map((one) => ({ ...one, spec: {} }))],
  ]);
  const [problem] = check(renamed).problems;
  assert.match(problem?.message ?? "", /^the selector of its Deployment is not the operator's/);
});

test("a resource that is being deleted is a problem while it controls anything, with the command that saves it", () => {
  const deleted = west({ deletionTimestamp: "2026-01-01T00:00:00Z" });
  const [problem, ...more] = problemsOf(owned, deleted);
  assert.deepEqual(more, []);
  assert.match(
    problem ?? "",
    /^Proxy west: is being deleted.*`kubectl delete proxies\.otilm\.com west -n ilm --cascade=orphan --wait=false`, then run this again$/,
  );
  assert.deepEqual(problemsOf({}, deleted), []);
});

const MOVE: Move = {
  stack: "dc-west",
  file: "stacks/Pulumi.dc-west.yaml",
  isNew: true,
  namespace: "ilm",
  context: "prod",
  resources: [west()],
  hasMonitors: false,
  letGo: [],
};
const commands = (move: Partial<Move>): string[][] =>
  steps({ ...MOVE, ...move }).map((step) => step.commands);

test("the steps have the names filled in", () => {
  assert.deepEqual(commands({}), [
    ["kubectl delete proxies.otilm.com west -n ilm --context prod --cascade=orphan --wait=false"],
    [
      "kubectl patch proxies.otilm.com west -n ilm --context prod --type=json -p " +
        `'[{"op":"test","path":"/metadata/finalizers/0","value":"otilm.com/finalizer"},{"op":"remove","path":"/metadata/finalizers/0"}]'`,
    ],
    [
      "kubectl get deploy,svc,sa,pdb,netpol -l otilm.com/proxy=west -n ilm --context prod -o " +
        "custom-columns='KIND:.kind,NAME:.metadata.name,OWNER:.metadata.ownerReferences[*].name'",
    ],
    [
      "pulumi stack init dc-west # where there is no such stack yet",
      "pulumi preview --diff --stack dc-west",
      "pulumi up --stack dc-west",
    ],
    ["pulumi preview --expect-no-changes --stack dc-west"],
    [
      "kubectl get proxies.otilm.com,connectors.otilm.com --all-namespaces --context prod",
      "kubectl delete crd proxies.otilm.com connectors.otilm.com --context prod",
    ],
  ]);
  const [first] = steps(MOVE);
  assert.match(
    first?.text ?? "",
    /This comes before `pulumi up`, which refuses an object that a resource still controls/,
  );
});

test("several resources are one command per kind; each finalizer is taken from where it stands", () => {
  const resources = [
    west(),
    resource("Proxy", "east", TOKEN),
    resource("Connector", "x509", {}, { finalizers: ["a", "otilm.com/finalizer"] }),
    resource("Connector", "bare", {}, { finalizers: [] }),
  ];
  const [remove, patch, owners, up] = commands({
    resources,
    isNew: false,
    context: undefined,
    hasMonitors: true,
  });
  assert.deepEqual(remove, [
    "kubectl delete proxies.otilm.com west east -n ilm --cascade=orphan --wait=false",
    "kubectl delete connectors.otilm.com x509 bare -n ilm --cascade=orphan --wait=false",
  ]);
  assert.match(
    patch?.[0] ?? "",
    /^for name in west east; do kubectl patch proxies\.otilm\.com "\$name" .*; done$/,
  );
  assert.match(
    patch?.[1] ?? "",
    /^kubectl patch connectors\.otilm\.com x509 .*"path":"\/metadata\/finalizers\/1"/,
  );
  assert.equal(patch?.length, 2);
  assert.match(
    owners?.[0] ?? "",
    /get deploy,svc,sa,pdb,netpol,servicemonitors -l 'otilm\.com\/proxy in \(west, east\)'/,
  );
  assert.equal(up?.length, 2);
});

test("what has let go is not deleted again, and a context is quoted for the shell", () => {
  const [step] = steps({ ...MOVE, letGo: MOVE.resources });
  assert.deepEqual(step?.commands, []);
  assert.match(step.text, /^Done already/);
  assert.match(commands({ context: "it's mine" })[0]?.[0] ?? "", /--context 'it'\\''s mine' /);
});

test("the report is a line per fate, and a numbered list", () => {
  const note = { key: "proxies", name: "west", value: {}, notes: ["a note"] };
  const checked = check(live(["Deployment", "Service"], "west", owned));
  assert.deepEqual(resourceLines(west(), note, checked), [
    "Proxy west",
    "  Deployment, Service: belong to it until step 1",
    "  ServiceAccount, NetworkPolicy: not there: `pulumi up` makes them",
    "  a note",
  ]);
  assert.deepEqual(stepLines([{ text: "Do it.", commands: ["x"] }]), ["1. Do it.", "     x"]);
});

test("options: a cluster or files, and one stack", () => {
  const place = { stack: "s", context: "c", namespace: "n" };
  assert.deepEqual(readOptions(["--stack", "s", "--context", "c", "-n", "n"]), { ...place, files: [] });
  assert.deepEqual(readOptions(["--stack", "s", "-f", "a", "--file", "b", "c"]), {
    stack: "s",
    context: undefined,
    namespace: undefined,
    files: ["a", "b", "c"],
  });
  assert.equal(readOptions(["-h"]), "help");
  const wrong: [string[], RegExp][] = [
    [["--context", "c", "-n", "n"], /^give --stack/],
    [["--stack", "../x", "-f", "a"], /^--stack takes the name of a stack/],
    [
      ["--stack", "s", "--context", "c"],
      /^give --context and --namespace, to read the resources there, or --file$/,
    ],
    [["--stack", "s", "a.yaml"], /^"a\.yaml" belongs to no option: give --file before it$/],
    [["--contxt", "c"], /^there is no option --contxt; did you mean --context\?/],
  ];
  for (const [args, message] of wrong) assert.throws(() => readOptions(args), { message });
});
