import pulumi from "@pulumi/eslint-plugin";
import { importX } from "eslint-plugin-import-x";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

/**
 * An import runs down the floors of design, never up: what a room may not import.
 *
 * @param {string} room
 * @param {string[]} forbidden
 */
const floor = (room, forbidden) => ({
  files: [`${room}/**/*.ts`],
  rules: {
    "import-x/no-restricted-paths": [
      "error",
      {
        zones: [
          {
            target: `./${room}`,
            from: forbidden,
            message: "Imports run down the floors, never up or across workloads.",
          },
        ],
      },
    ],
  },
});

const workloads = ["proxy", "connector", "sbproxy", "egress", "kubeapi"].map((name) => `components/${name}`);
const above = ["./adopt", "./ci", "./dev", "./test", "./bench", "./stacks", "./index.ts"];
const upstairs = [...above, ...workloads.map((workload) => `./${workload}`), "./components/index.ts"];
const [children, zone, workload, cluster] = ["children", "zone", "workload", "cluster"].map(
  (name) => `components/${name}`,
);

const clientOnlyInCluster = {
  name: "@kubernetes/client-node",
  message: "Only components/cluster talks to the API server.",
};

export default defineConfig(
  globalIgnores(["build/", "node_modules/", "dev/tools/"]),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ["*.js", "dev/*.mjs", "bench/startup/*.js"] } },
    },
  },
  { plugins: { "import-x": importX, "@pulumi": pulumi } },
  {
    rules: {
      "@pulumi/no-output-in-template-literal": "error",
      // Numbers and counts read well in messages.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // The Kubernetes client's types are classes that nobody constructs: its objects are literals.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      // Index signatures of the process environment and of raw objects are read by name on purpose.
      "@typescript-eslint/dot-notation": "off",
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      // node:test collects tests itself; awaiting each `test` at the top level would run them one by one.
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          allowForKnownSafeCalls: [
            { from: "package", package: "node:test", name: ["test", "it", "describe", "suite"] },
          ],
        },
      ],
    },
  },
  {
    files: ["components/**/*.ts", "stacks/**/*.ts", "index.ts"],
    ignores: ["components/cluster/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [clientOnlyInCluster],
        },
      ],
    },
  },
  {
    files: ["components/workload/**/*.ts", "components/*/{manifests,status,token}.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [clientOnlyInCluster],
          patterns: [{ group: ["@pulumi/*"], message: "Plain values in, plain values out: no Pulumi here." }],
        },
      ],
    },
  },
  {
    files: ["components/cluster/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["@pulumi/*"], message: "The cluster is read without the engine." }] },
      ],
    },
  },
  floor(cluster, [...upstairs, `./${children}`, `./${zone}`, `./${workload}`]),
  floor(workload, [...upstairs, `./${children}`, `./${zone}`, `./${cluster}`]),
  floor(zone, [...upstairs, `./${children}`]),
  floor(children, upstairs),
  ...workloads.map((own) =>
    floor(
      own,
      upstairs.filter((room) => room !== `./${own}`),
    ),
  ),
  floor("stacks", ["./adopt", "./ci", "./dev", "./test", "./bench", "./index.ts"]),
);
