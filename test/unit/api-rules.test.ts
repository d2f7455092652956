// What only the API server's own rules tell; arbitrary values against a real one found each row (test/cluster/fuzz.test.ts).
import * as availability from "../../components/workload/availability-specs.ts";
import * as network from "../../components/workload/network-specs.ts";
import * as specs from "../../components/workload/specs.ts";
import { accepted, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const cidr = (text: string): object => ({ allowFrom: [{ ipBlock: { cidr: text } }] });
const except = (outer: string, inner: string): object => ({
  allowFrom: [{ ipBlock: { cidr: outer, except: [inner] } }],
});
const interval = (text: string): object => ({
  enabled: true,
  serviceMonitor: { enabled: true, interval: text },
});

accepted(network.networkPolicySpec, [
  ["an IPv4 network", cidr("10.0.0.0/8")],
  ["a single IPv4 address", cidr("192.0.2.7/32")],
  ["every IPv4 address", cidr("0.0.0.0/0")],
  ["an IPv6 network", cidr("2001:db8::/33")],
  ["an IPv6 network in upper case", cidr("2001:DB8::/32")],
  ["an IPv6 network with every group", cidr("2001:db8:0:0:0:0:0:0/32")],
  ["a single IPv6 address that ends in an IPv4 address", cidr("2001:db8::192.0.2.7/128")],
  ["every IPv6 address", cidr("::/0")],
  ["an IPv4 network left out of a larger one", except("10.0.0.0/8", "10.1.0.0/16")],
  ["an IPv6 network left out of a larger one", except("2001:db8::/32", "2001:db8:1::/48")],
]);

const NETWORK = /such as 10\.0\.0\.0\/8/;
refused(network.networkPolicySpec, [
  [
    "an IPv4 address inside its network",
    cidr("10.0.0.1/8"),
    "p.allowFrom[0].ipBlock.cidr",
    /must end in zeros/,
  ],
  [
    "an IPv6 address inside its network",
    cidr("2001:db8::1/64"),
    "p.allowFrom[0].ipBlock.cidr",
    /must end in zeros/,
  ],
  [
    "an IPv4 network in the form of IPv6",
    cidr("::ffff:10.0.0.0/104"),
    "p.allowFrom[0].ipBlock.cidr",
    NETWORK,
  ],
  ["an IPv6 network of one interface", cidr("fe80::%eth0/64"), "p.allowFrom[0].ipBlock.cidr", NETWORK],
  ["a length with a leading zero", cidr("192.0.2.7/032"), "p.allowFrom[0].ipBlock.cidr", NETWORK],
  ["a length beyond the address", cidr("2001:db8::/129"), "p.allowFrom[0].ipBlock.cidr", NETWORK],
  [
    "an exception of the same size",
    except("10.0.0.0/8", "10.0.0.0/8"),
    "p.allowFrom[0].ipBlock.except[0]",
    /smaller network inside/,
  ],
  [
    "an exception elsewhere",
    except("2001:db8::/32", "2001:db9::/48"),
    "p.allowFrom[0].ipBlock.except[0]",
    /smaller network inside/,
  ],
  [
    "an exception of the other family",
    except("0.0.0.0/0", "2001:db8::/32"),
    "p.allowFrom[0].ipBlock.except[0]",
    /smaller network inside/,
  ],
]);

accepted(specs.metricsSpec, [
  ["an interval of one unit", interval("30s")],
  ["an interval of every unit", interval("1y2w3d4h5m6s7ms")],
]);

refused(specs.metricsSpec, [
  [
    "an interval with the smaller unit first",
    interval("30s1h"),
    "p.serviceMonitor.interval",
    /Prometheus duration/,
  ],
  ["an interval with a unit twice", interval("1m1m"), "p.serviceMonitor.interval", /Prometheus duration/],
  ["an empty interval", interval(""), "p.serviceMonitor.interval", /Prometheus duration/],
]);

accepted(specs.rolloutSpec, [["the longest deadline", { progressDeadlineSeconds: 2147483647 }]]);
refused(specs.rolloutSpec, [
  [
    "a deadline that would become a negative one",
    { progressDeadlineSeconds: 2147483648 },
    "p.progressDeadlineSeconds",
    /<=2147483647/,
  ],
]);

accepted(specs.envSpec, [
  ["a value with line break and tab", [{ name: "A", value: "a\r\n\tb" }]],
  ["a value in any script", [{ name: "A", value: "Größe 名前 🚇 \u2028 \u0085" }]],
]);

refused(specs.envSpec, [
  ["a value with NUL", [{ name: "A", value: `${CANARY}\0` }], "p[0].value", /control characters/],
  ["a value with DEL", [{ name: "A", value: `${CANARY}\x7f` }], "p[0].value", /control characters/],
  ["a value with a C1 control", [{ name: "A", value: `\x9b${CANARY}` }], "p[0].value", /control characters/],
  [
    "a value with a non-character",
    [{ name: "A", value: `\uffff${CANARY}` }],
    "p[0].value",
    /control characters/,
  ],
  ["a value with half a pair", [{ name: "A", value: `\ud800${CANARY}` }], "p[0].value", /control characters/],
]);

accepted(specs.annotationsSpec, [["many annotations", { a: "x".repeat(125_000), b: "y".repeat(124_998) }]]);
refused(specs.annotationsSpec, [
  ["more annotations than fit", { a: "ä".repeat(125_000), b: CANARY }, "p", /at most 250000 bytes/],
]);

const spread = (...matchLabelKeys: string[]): object[] => [
  { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway", matchLabelKeys },
];
accepted(availability.topologySpreadConstraintsSpec, [["two labels that select further", spread("a", "b")]]);
refused(availability.topologySpreadConstraintsSpec, [
  // Only the pods are refused, and only those that have the label.
  ["a label that selects further twice", spread("a", "b", "a"), "p[0].matchLabelKeys[2]", /is given twice/],
]);
