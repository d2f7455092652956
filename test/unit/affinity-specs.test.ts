import { affinitySpec } from "../../components/workload/affinity-specs.ts";
import { accepted, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

/** Nodes that must satisfy one condition. */
const node = (...matchExpressions: object[]): object => ({
  nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchExpressions }] } },
});

const field = (condition: object): object => ({
  nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchFields: [condition] }] } },
});

/** Pods that must be near. */
const pods = (term: object): object => ({
  podAffinity: { [REQUIRED]: [{ topologyKey: "kubernetes.io/hostname", ...term }] },
});

const expression = `p.nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchExpressions[0]`;
const condition = `p.nodeAffinity.${REQUIRED}.nodeSelectorTerms[0].matchFields[0]`;
const term = `p.podAffinity.${REQUIRED}[0]`;

accepted(affinitySpec, [
  ["no affinity", {}],
  ["empty affinities", { nodeAffinity: {}, podAffinity: {}, podAntiAffinity: {} }],
  ["a term without conditions", { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{}] } } }],
  [
    "every operator on nodes",
    node(
      { key: "zone", operator: "In", values: ["a", ""] },
      { key: "example.com/zone", operator: "NotIn", values: ["a"] },
      { key: "a", operator: "Exists" },
      { key: "b", operator: "DoesNotExist", values: [] },
      { key: "c", operator: "Gt", values: ["0"] },
      { key: "d", operator: "Lt", values: ["64"] },
    ),
  ],
  ["a node by name", field({ key: "metadata.name", operator: "In", values: ["node-1.example"] })],
  [
    "nodes that are preferred",
    {
      nodeAffinity: {
        [PREFERRED]: [
          { weight: 1, preference: {} },
          { weight: 100, preference: { matchExpressions: [{ key: "ssd", operator: "Exists" }] } },
        ],
      },
    },
  ],
  ["pods without selector", pods({})],
  [
    "pods of other namespaces",
    pods({
      labelSelector: {
        matchLabels: { app: "a", "example.com/b": "" },
        matchExpressions: [
          { key: "c", operator: "In", values: ["1"] },
          { key: "d", operator: "NotIn", values: ["1", "2"] },
          { key: "e", operator: "Exists" },
          { key: "f", operator: "DoesNotExist", values: [] },
        ],
      },
      namespaces: ["other"],
      namespaceSelector: {},
    }),
  ],
  [
    "keys that match and mismatch",
    pods({
      labelSelector: { matchLabels: { app: "a" } },
      matchLabelKeys: ["pod-template-hash"],
      mismatchLabelKeys: ["tenant", "app"],
    }),
  ],
  ["empty lists of keys without selector", pods({ matchLabelKeys: [], mismatchLabelKeys: [] })],
  [
    "pods that are rather far",
    { podAntiAffinity: { [PREFERRED]: [{ weight: 50, podAffinityTerm: { topologyKey: "zone" } }] } },
  ],
]);

refused(affinitySpec, [
  ["an affinity as text", CANARY, "p", /expected object/],
  [
    "a misspelt affinity",
    { podAntiafinity: { x: CANARY } },
    "p",
    /unknown field "podAntiafinity"; did you mean "podAntiAffinity"\?/,
  ],
  [
    "a misspelt rule",
    { podAffinity: { requiredDuringSchedulingIgnoreDuringExecution: [CANARY] } },
    "p.podAffinity",
    /did you mean "requiredDuringSchedulingIgnoredDuringExecution"\?/,
  ],
  [
    "node terms as a list",
    { nodeAffinity: { [REQUIRED]: [CANARY] } },
    `p.nodeAffinity.${REQUIRED}`,
    /expected object/,
  ],
  [
    "no node terms",
    { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [] } } },
    `p.nodeAffinity.${REQUIRED}.nodeSelectorTerms`,
    /at least one term/,
  ],
  ["an expression without key", node({ operator: "Exists" }), `${expression}.key`, /expected string/],
  ["a bad key", node({ key: `${CANARY}!`, operator: "Exists" }), `${expression}.key`, /at most 63 letters/],
  ["an expression without operator", node({ key: "a" }), `${expression}.operator`, /"In"\|"NotIn"/],
  ["an operator in lower case", node({ key: "a", operator: CANARY }), `${expression}.operator`, /"Gt"\|"Lt"/],
  [
    "a comparison without values",
    node({ key: "a", operator: "In" }),
    `${expression}.values`,
    /at least one value with operator In/,
  ],
  [
    "a comparison with no values",
    node({ key: "a", operator: "NotIn", values: [] }),
    `${expression}.values`,
    /at least one/,
  ],
  [
    "existence with values",
    node({ key: "a", operator: "Exists", values: [CANARY] }),
    `${expression}.values`,
    /no meaning with operator Exists/,
  ],
  [
    "absence with values",
    node({ key: "a", operator: "DoesNotExist", values: [CANARY] }),
    `${expression}.values`,
    /no meaning/,
  ],
  [
    "a value that is a number",
    node({ key: "a", operator: "In", values: [1] }),
    `${expression}.values[0]`,
    /string/,
  ],
  [
    "a bad value",
    node({ key: "a", operator: "In", values: [`${CANARY}!`] }),
    `${expression}.values[0]`,
    /letters, digits/,
  ],
  [
    "more without a number",
    node({ key: "a", operator: "Gt" }),
    `${expression}.values`,
    /exactly one whole number/,
  ],
  [
    "less than two numbers",
    node({ key: "a", operator: "Lt", values: ["1", "2"] }),
    `${expression}.values`,
    /exactly one whole number/,
  ],
  [
    "more than a word",
    node({ key: "a", operator: "Gt", values: [CANARY] }),
    `${expression}.values`,
    /exactly one whole number/,
  ],
  [
    "another field of a node",
    field({ key: "metadata.uid", operator: "In", values: [CANARY] }),
    `${condition}.key`,
    /must be metadata\.name/,
  ],
  [
    "two names of a node",
    field({ key: "metadata.name", operator: "In", values: ["a", "b"] }),
    `${condition}.values`,
    /exactly one name/,
  ],
  [
    "a bad name of a node",
    field({ key: "metadata.name", operator: "In", values: [`${CANARY}_`] }),
    `${condition}.values[0]`,
    /lower-case/,
  ],
  [
    "a name of a node that exists",
    field({ key: "metadata.name", operator: "Exists", values: ["a"] }),
    `${condition}.operator`,
    /"In"\|"NotIn"/,
  ],
  ...[0, 101, -1, 1.5].map((weight): [string, unknown, string, RegExp] => [
    `the weight ${weight}`,
    { nodeAffinity: { [PREFERRED]: [{ weight, preference: {} }] } },
    `p.nodeAffinity.${PREFERRED}[0].weight`,
    /from 1 to 100|expected int/,
  ]),
  [
    "a preference without weight",
    { podAntiAffinity: { [PREFERRED]: [{ podAffinityTerm: { topologyKey: "zone" } }] } },
    `p.podAntiAffinity.${PREFERRED}[0].weight`,
    /expected number/,
  ],
  [
    "a preferred term that stands without its frame",
    {
      podAntiAffinity: {
        [PREFERRED]: [{ weight: 1, topologyKey: CANARY, podAffinityTerm: { topologyKey: "a" } }],
      },
    },
    `p.podAntiAffinity.${PREFERRED}[0]`,
    /unknown field "topologyKey"/,
  ],
  [
    "a term without topologyKey",
    { podAffinity: { [REQUIRED]: [{}] } },
    `${term}.topologyKey`,
    /expected string/,
  ],
  ["an empty topologyKey", pods({ topologyKey: "" }), `${term}.topologyKey`, /must be a name/],
  ["a bad topologyKey", pods({ topologyKey: `${CANARY}!` }), `${term}.topologyKey`, /must be a name/],
  ["a bad namespace", pods({ namespaces: [`${CANARY}_`] }), `${term}.namespaces[0]`, /lower-case/],
  ["a namespace by itself", pods({ namespaces: CANARY }), `${term}.namespaces`, /expected array/],
  [
    "a bad selector of pods",
    pods({ labelSelector: { app: CANARY } }),
    `${term}.labelSelector`,
    /unknown field "app"/,
  ],
  [
    "a bad selector of namespaces",
    pods({ namespaceSelector: { matchExpressions: [{ key: "a", operator: "In" }] } }),
    `${term}.namespaceSelector.matchExpressions[0].values`,
    /at least one value/,
  ],
  [
    "keys that match without selector",
    pods({ matchLabelKeys: ["a"] }),
    `${term}.matchLabelKeys`,
    /labelSelector/,
  ],
  [
    "keys that mismatch without selector",
    pods({ mismatchLabelKeys: ["a"] }),
    `${term}.mismatchLabelKeys`,
    /needs a labelSelector/,
  ],
  [
    "a bad key that matches",
    pods({ labelSelector: {}, matchLabelKeys: [`${CANARY}!`] }),
    `${term}.matchLabelKeys[0]`,
    /must be a name/,
  ],
  [
    "a key that matches and is selected by label",
    pods({ labelSelector: { matchLabels: { app: CANARY } }, matchLabelKeys: ["app"] }),
    `${term}.matchLabelKeys[0]`,
    /stands in labelSelector too/,
  ],
  [
    "a key that matches and is selected by expression",
    pods({
      labelSelector: { matchExpressions: [{ key: "app", operator: "Exists" }] },
      matchLabelKeys: ["b", "app"],
    }),
    `${term}.matchLabelKeys[1]`,
    /stands in labelSelector too/,
  ],
  [
    "a key that matches twice",
    pods({ labelSelector: {}, matchLabelKeys: ["a", "b", "a"] }),
    `${term}.matchLabelKeys[2]`,
    /is given twice/,
  ],
  [
    "a key that matches and mismatches",
    pods({ labelSelector: {}, matchLabelKeys: ["a"], mismatchLabelKeys: ["a"] }),
    `${term}.matchLabelKeys[0]`,
    /stands in mismatchLabelKeys too/,
  ],
]);
