import { isIP } from "node:net";
import { z } from "zod";
import { type LabelSelectorSpec, labelSelectorSpec } from "./selector-specs.ts";
import { portNumber, portNumberOrName } from "./spec-rules.ts";
import { strict } from "./validation.ts";

/** Pods or addresses: `ipBlock` alone, or one or both selectors. */
export interface NetworkPolicyPeerSpec {
  /** Pods of the component's namespace, or of those that `namespaceSelector` names. */
  podSelector?: LabelSelectorSpec | undefined;
  /** Namespaces by their labels; every one carries `kubernetes.io/metadata.name`. */
  namespaceSelector?: LabelSelectorSpec | undefined;
  /** Addresses outside the cluster. */
  ipBlock?:
    | {
        /** Network such as `10.0.0.0/8` or `2001:db8::/32`. */
        cidr: string;
        /** Networks inside it that are left out. */
        except?: string[] | undefined;
      }
    | undefined;
}

/** A port, or a range of them. */
export interface NetworkPolicyPortSpec {
  /** Number 1 to 65535, or name of a container port; every port when not given. */
  port?: number | string | undefined;
  /** Last port of a range that starts with the number `port`. */
  endPort?: number | undefined;
  /**
   * Protocol of the port.
   * @default TCP
   */
  protocol?: "TCP" | "UDP" | "SCTP" | undefined;
}

/** Where the pods may connect to. */
export interface NetworkPolicyEgressRuleSpec {
  /** Anywhere when not given. */
  to?: NetworkPolicyPeerSpec[] | undefined;
  /** Every port when not given. */
  ports?: NetworkPolicyPortSpec[] | undefined;
}

/**
 * Who may reach the pods, and whom they may reach.
 * https://kubernetes.io/docs/concepts/services-networking/network-policies/
 * @effect none on the pods
 */
export interface NetworkPolicySpec {
  /**
   * Whether a NetworkPolicy admits only pods of the zone's namespace, and `allowFrom`.
   * @default true
   */
  enabled?: boolean | undefined;
  /** Who else may reach the ports of the Service, such as Prometheus in its own namespace. */
  allowFrom?: NetworkPolicyPeerSpec[] | undefined;
  /**
   * Where the pods may connect to, beside DNS servers (ports 53 and 5353), which are always allowed; an empty list
   * allows nothing else.
   * @default anywhere
   */
  egress?: NetworkPolicyEgressRuleSpec[] | undefined;
}

const network = z.string().superRefine((text, context) => {
  const cidr = parseCidr(text);
  if (cidr === undefined) {
    context.addIssue({ code: "custom", message: "must be a network such as 10.0.0.0/8 or 2001:db8::/32" });
  } else if (BigInt.asUintN(cidr.length - cidr.bits, cidr.address) !== 0n) {
    const message = "is an address inside a network: it must end in zeros, such as 10.0.0.0/8 for 10.0.0.1/8";
    context.addIssue({ code: "custom", message });
  }
});

const peer = strict({
  podSelector: labelSelectorSpec.optional(),
  namespaceSelector: labelSelectorSpec.optional(),
  ipBlock: strict({ cidr: network, except: z.array(network).optional() })
    .superRefine(({ cidr, except = [] }, context) => {
      for (const [index, inner] of except.entries()) {
        if (isInside(inner, cidr)) continue;
        context.addIssue({
          code: "custom",
          path: ["except", index],
          message: "must be a smaller network inside cidr",
        });
      }
    })
    .optional(),
})
  .refine(
    ({ ipBlock, podSelector, namespaceSelector }) => ipBlock ?? podSelector ?? namespaceSelector,
    "needs a podSelector, a namespaceSelector or an ipBlock",
  )
  .refine(
    ({ ipBlock, podSelector, namespaceSelector }) =>
      ipBlock === undefined || (podSelector ?? namespaceSelector) === undefined,
    "has both an ipBlock and a selector: make two entries",
  );

const policyPort = strict({
  port: portNumberOrName.optional(),
  endPort: portNumber.optional(),
  protocol: z.enum(["TCP", "UDP", "SCTP"]).optional(),
}).refine(
  ({ port: first, endPort }) => endPort === undefined || (typeof first === "number" && endPort >= first),
  { error: "needs a number in port, and must be at least that", path: ["endPort"] },
);

export const networkPolicySpec = strict({
  enabled: z.boolean().optional(),
  allowFrom: z.array(peer).optional(),
  egress: z.array(strict({ to: z.array(peer).optional(), ports: z.array(policyPort).optional() })).optional(),
});

interface Cidr {
  /** As one number. */
  address: bigint;
  /** Bits of the network. */
  bits: number;
  /** Bits of an address: 32 or 128. */
  length: number;
}

/** IPv4 addresses in the form of IPv6 are no networks to Kubernetes. */
const IPV4_MAPPED = 0xffffn;

function parseCidr(text: string): Cidr | undefined {
  const [host = "", bits = ""] = text.split("/", 2);
  const version = isIP(host);
  const isCanonical = /^(0|[1-9]\d*)$/.test(bits) && text === `${host}/${bits}`;
  // A zone index is an interface of one host.
  if (version === 0 || !isCanonical || host.includes("%")) return undefined;
  const length = version === 4 ? 32 : 128;
  const address = version === 4 ? ipv4(host) : ipv6(host);
  if (Number(bits) > length || (version === 6 && address >> 32n === IPV4_MAPPED)) return undefined;
  return { address, bits: Number(bits), length };
}

function ipv4(host: string): bigint {
  return host.split(".").reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
}

function ipv6(host: string): bigint {
  // A URL writes every address in groups of hex digits.
  const [head = [], tail = []] = new URL(`http://[${host}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter(Boolean));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

/** Whether a network is a real part of another; what is no network is another check's business. */
function isInside(inner: string, outer: string): boolean {
  const [small, large] = [parseCidr(inner), parseCidr(outer)];
  if (small === undefined || large === undefined) return true;
  if (small.length !== large.length || small.bits <= large.bits) return false;
  const rest = BigInt(large.length - large.bits);
  return small.address >> rest === large.address >> rest;
}

/** A corporate proxy through which the pods reach the outside. */
export interface EgressSpec {
  /**
   * Whether pods go through it.
   * @default true
   * @effect rolls the pods
   */
  enabled?: boolean | undefined;
  /**
   * URL for plain HTTP, such as `http://proxy.example.com:3128`.
   * @effect rolls the pods
   */
  httpProxy?: string | undefined;
  /**
   * URL for HTTPS.
   * @effect rolls the pods
   */
  httpsProxy?: string | undefined;
  /**
   * Hosts, domains and networks that bypass it, a component's before those of its zone; the cluster's own names and
   * addresses are added behind them.
   * @effect rolls the pods
   */
  noProxy?: string[] | undefined;
}

const proxyUrl = z.string().superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  const message = !isHttp
    ? "must be an http:// or https:// URL"
    : (url.username || url.password) && "must not hold credentials: they would be readable in the pods";
  if (message) context.addIssue({ code: "custom", message });
});

export const egressSpec = strict({
  enabled: z.boolean().optional(),
  httpProxy: proxyUrl.optional(),
  httpsProxy: proxyUrl.optional(),
  noProxy: z
    .array(z.string().regex(/^[^,\s]+$/, "must be one host, domain or network, without comma or space"))
    .optional(),
});
