import assert from "node:assert/strict";
import { test } from "node:test";
import { networkPolicySpec, type NetworkPolicySpec } from "../../components/workload/network-specs.ts";
import { CANARY, render } from "./support.ts";
import { accepted, refused } from "./spec-rows.ts";

const PORTS = [
  { port: 8080, protocol: "TCP" },
  { port: 8081, protocol: "TCP" },
];
const DNS = {
  ports: [
    { port: 53, protocol: "UDP" },
    { port: 53, protocol: "TCP" },
    { port: 5353, protocol: "UDP" },
    { port: 5353, protocol: "TCP" },
  ],
};
const MONITORING = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } };
const CORPORATE = { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } };

const spec = (networkPolicy: NetworkPolicySpec): object => {
  const { policyTypes, ingress, egress } = render({ networkPolicy }).networkPolicy.spec;
  return { policyTypes, ingress, ...(egress && { egress }) };
};

test("peers of one's own stand behind the pods of the namespace, in their order, for the same ports", () => {
  assert.deepEqual(spec({ allowFrom: [MONITORING, CORPORATE] }), {
    policyTypes: ["Ingress"],
    ingress: [{ ports: PORTS, from: [{ podSelector: {} }, MONITORING, CORPORATE] }],
  });
});

test("egress rules stand behind the one for DNS servers, and make the policy one of egress too", () => {
  const rule = { to: [CORPORATE], ports: [{ port: 443 }, { port: 8000, endPort: 8999 }] };
  assert.deepEqual(spec({ egress: [rule] }), {
    policyTypes: ["Ingress", "Egress"],
    ingress: [{ ports: PORTS, from: [{ podSelector: {} }] }],
    egress: [DNS, rule],
  });
});

test("an empty list of egress rules leaves DNS alone", () => {
  assert.deepEqual(spec({ egress: [] }), {
    policyTypes: ["Ingress", "Egress"],
    ingress: [{ ports: PORTS, from: [{ podSelector: {} }] }],
    egress: [DNS],
  });
});

test("empty peers change nothing", () => {
  assert.deepEqual(spec({ enabled: true, allowFrom: [] }), spec({}));
});

const expressions = (...matchExpressions: object[]): object => ({
  allowFrom: [{ podSelector: { matchExpressions } }],
});

accepted(networkPolicySpec, [
  [
    "peers of every kind",
    {
      allowFrom: [
        { podSelector: {} },
        MONITORING,
        { podSelector: { matchLabels: { a: "b" } }, ...MONITORING },
        CORPORATE,
        { ipBlock: { cidr: "2001:db8::/32", except: ["2001:db8:1::/48"] } },
        { ipBlock: { cidr: "0.0.0.0/0" } },
      ],
    },
  ],
  ["rules that say little", { egress: [{}, { to: [] }, { ports: [{ protocol: "SCTP" }] }] }],
  ["ports by name and by range", { egress: [{ ports: [{ port: "https" }, { port: 1, endPort: 65535 }] }] }],
  [
    "expressions of every kind",
    expressions(
      { key: "a", operator: "In", values: ["b", ""] },
      { key: "a", operator: "NotIn", values: ["c"] },
      { key: "a", operator: "Exists" },
      { key: "a", operator: "DoesNotExist", values: [] },
    ),
  ],
]);

const from = (peer: object): object => ({ allowFrom: [peer] });
const port = (value: object): object => ({ egress: [{ ports: [value] }] });
const PEER = "p.allowFrom[0]";
const EXPRESSION = `${PEER}.podSelector.matchExpressions[0]`;

refused(networkPolicySpec, [
  ["a peer that is nobody", from({}), PEER, /^needs a podSelector, a namespaceSelector or an ipBlock$/],
  [
    "addresses and pods in one peer",
    from({ ...CORPORATE, podSelector: {} }),
    PEER,
    /^has both an ipBlock and a selector: make two entries$/,
  ],
  ["an address", from({ ipBlock: { cidr: "10.0.0.1" } }), `${PEER}.ipBlock.cidr`, /network such as/],
  ["a long prefix", from({ ipBlock: { cidr: "10.0.0.0/33" } }), `${PEER}.ipBlock.cidr`, /network such as/],
  ["an odd prefix", from({ ipBlock: { cidr: "10.0.0.0/08" } }), `${PEER}.ipBlock.cidr`, /network such as/],
  ["no network at all", from({ ipBlock: { cidr: CANARY } }), `${PEER}.ipBlock.cidr`, /network such as/],
  [
    "an exception outside",
    from({ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16", "11.0.0.0/16"] } }),
    `${PEER}.ipBlock.except[1]`,
    /^must be a smaller network inside cidr$/,
  ],
  [
    "an exception of everything",
    from({ ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/8"] } }),
    `${PEER}.ipBlock.except[0]`,
    /smaller network/,
  ],
  [
    "an exception of the other family",
    from({ ipBlock: { cidr: "::/0", except: ["10.0.0.0/8"] } }),
    `${PEER}.ipBlock.except[0]`,
    /smaller network/,
  ],
  [
    "a port beyond the last",
    port({ port: 65536 }),
    "p.egress[0].ports[0].port",
    /port number from 1 to 65535/,
  ],
  ["a port that is no name", port({ port: `${CANARY}_` }), "p.egress[0].ports[0].port", /lower-case letters/],
  [
    "a range that starts with a name",
    port({ port: "https", endPort: 444 }),
    "p.egress[0].ports[0].endPort",
    /^needs a number in port, and must be at least that$/,
  ],
  ["a range without start", port({ endPort: 444 }), "p.egress[0].ports[0].endPort", /needs a number in port/],
  ["a range backwards", port({ port: 9, endPort: 8 }), "p.egress[0].ports[0].endPort", /at least that/],
  [
    "a protocol of another layer",
    port({ protocol: CANARY }),
    "p.egress[0].ports[0].protocol",
    /"TCP"\|"UDP"/,
  ],
  [
    "an expression of one value that has none",
    expressions({ key: "a", operator: "In" }),
    `${EXPRESSION}.values`,
    /^must have at least one value with operator In or NotIn$/,
  ],
  [
    "values that nothing compares with",
    expressions({ key: "a", operator: "Exists", values: [CANARY] }),
    `${EXPRESSION}.values`,
    /^has no meaning with operator Exists or DoesNotExist$/,
  ],
  [
    "a key that is none",
    expressions({ key: `${CANARY}/`, operator: "Exists" }),
    `${EXPRESSION}.key`,
    /DNS prefix/,
  ],
  [
    "an egress rule with from",
    { egress: [{ from: [] }] },
    "p.egress[0]",
    /unknown field "from"; known: to, ports/,
  ],
]);
