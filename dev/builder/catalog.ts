// The tools that running and testing here needs: how to build each, and which installed ones will do as well.
// Versions to build are pinned by the go.mod files in ../tools, and only there.

export const TOOL_NAMES = [
  "actionlint",
  "etcd",
  "gojq",
  "helm",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubectl",
  "kwok",
  "pulumi",
  "pulumi-resource-kubernetes",
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

/** The version of the Kubernetes provider that ../tools/pulumi-resource-kubernetes/main.go says it is. */
export const PROVIDER_VERSION = "4.25.0";

/** A Go module below ../tools; one `go build` makes all of its tools that are wanted. */
export interface Module {
  readonly folder: string;
  /** The module whose version counts, as required in go.mod. */
  readonly requires: string;
  /** Linker settings beside the common ones, from the version of `requires`. */
  readonly ldflags?: (version: string) => string;
  /** The Go toolchain to fetch and use; by default the installed one if it is new enough. */
  readonly toolchain?: string;
  /** What to expect of a first build, on 2 cores. */
  readonly minutes: string;
}

export interface Tool {
  readonly module: Module;
  /** The package in the module. */
  readonly main: string;
  /** How to ask an installed one for its version, and which versions fit: from (inclusive) to (exclusive). */
  readonly installed?: { readonly args: readonly string[]; readonly from: string; readonly to: string };
}

const ACTIONLINT: Module = { folder: "actionlint", requires: "github.com/rhysd/actionlint", minutes: "10 s" };

const ETCD: Module = { folder: "etcd", requires: "go.etcd.io/etcd/server/v3", minutes: "1 min" };

const GOJQ: Module = { folder: "gojq", requires: "github.com/itchyny/gojq", minutes: "5 s" };

const HELM: Module = { folder: "helm", requires: "helm.sh/helm/v4", minutes: "2 min" };

const KUBERNETES: Module = {
  folder: "kubernetes",
  requires: "k8s.io/kubernetes",
  // Clients compare the version of the server, which a plain build does not know.
  ldflags: (version) => {
    const [major = "", minor = ""] = version.replace(/^v/, "").split(".");
    const at = "-X k8s.io/component-base/version";
    return `${at}.gitVersion=${version} ${at}.gitMajor=${major} ${at}.gitMinor=${minor}`;
  },
  minutes: "4 to 8 min",
};

const KWOK: Module = { folder: "kwok", requires: "sigs.k8s.io/kwok", minutes: "2 min" };

const PULUMI: Module = {
  folder: "pulumi",
  requires: "github.com/pulumi/pulumi/pkg/v3",
  ldflags: (version) => `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`,
  toolchain: "go1.27.3",
  minutes: "6 to 11 min",
};

const PROVIDER: Module = {
  folder: "pulumi-resource-kubernetes",
  requires: "github.com/pulumi/pulumi-kubernetes/provider/v4",
  toolchain: "go1.27.3",
  minutes: "9 to 16 min",
};

// What the parts of a control plane may differ in, see https://kubernetes.io/releases/version-skew-policy/.
const SAME_MINOR = { args: ["--version"], from: "1.36.0", to: "1.37.0" };

export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  // Newer ones know more, and would find what nobody here has changed.
  actionlint: {
    module: ACTIONLINT,
    main: "github.com/rhysd/actionlint/cmd/actionlint",
    installed: { args: ["--version"], from: "1.7.12", to: "1.7.13" },
  },
  etcd: {
    module: ETCD,
    main: "go.etcd.io/etcd/server/v3",
    installed: { args: ["--version"], from: "3.6.0", to: "3.7.0" },
  },
  // What `gh --jq` is made of.
  gojq: {
    module: GOJQ,
    main: "github.com/itchyny/gojq/cmd/gojq",
    installed: { args: ["--version"], from: "0.12.0", to: "0.13.0" },
  },
  // Compared with by the benchmark.
  helm: {
    module: HELM,
    main: "helm.sh/helm/v4/cmd/helm",
    installed: { args: ["version", "--short"], from: "4.2.0", to: "5.0.0" },
  },
  "kube-apiserver": {
    module: KUBERNETES,
    main: "k8s.io/kubernetes/cmd/kube-apiserver",
    installed: SAME_MINOR,
  },
  "kube-controller-manager": {
    module: KUBERNETES,
    main: "k8s.io/kubernetes/cmd/kube-controller-manager",
    installed: SAME_MINOR,
  },
  "kube-scheduler": {
    module: KUBERNETES,
    main: "k8s.io/kubernetes/cmd/kube-scheduler",
    installed: SAME_MINOR,
  },
  kubectl: {
    module: KUBERNETES,
    main: "k8s.io/kubernetes/cmd/kubectl",
    installed: { args: ["version", "--client"], from: "1.35.0", to: "1.38.0" },
  },
  kwok: {
    module: KWOK,
    main: "sigs.k8s.io/kwok/cmd/kwok",
    // Our Stages are of the form that 0.8 reads.
    installed: { args: ["--version"], from: "0.8.0", to: "0.9.0" },
  },
  pulumi: {
    module: PULUMI,
    main: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    // Resource hooks, `refresh --run-program` and `options.refresh` have all settled by then.
    installed: { args: ["version"], from: "3.200.0", to: "4.0.0" },
  },
  // Looked for among the installed plugins instead, where its folder names its version.
  "pulumi-resource-kubernetes": { module: PROVIDER, main: "." },
};
