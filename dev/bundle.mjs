// Builds the Kubernetes client into one file (npm's `prepare` script). Plain JavaScript: npm may run it on a Node
// that does not strip types.
import { build } from "esbuild";

// The client does not declare that its modules are free of side effects, so a bundler keeps its hundreds of API
// models. They are: leave out what KubeConfig does not use.
/** @type {import("esbuild").Plugin} */
const dropUnusedModels = {
  name: "drop-unused-models",
  setup(builder) {
    builder.onResolve({ filter: /^\./ }, async (args) => {
      if (args.pluginData === "resolved" || !args.importer.includes("/@kubernetes/client-node/"))
        return undefined;
      const { kind, importer, resolveDir } = args;
      const resolved = await builder.resolve(args.path, {
        kind,
        importer,
        resolveDir,
        pluginData: "resolved",
      });
      return { ...resolved, sideEffects: false };
    });
  },
};

// KubeConfig makes connections for `fetch` as well, which this project does not use: half of all that is bundled.
/** @type {import("esbuild").Plugin} */
const dropUndici = {
  name: "drop-undici",
  setup(builder) {
    builder.onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "dropped" }));
    builder.onLoad({ filter: /./, namespace: "dropped" }, () => ({
      contents: "export const Agent = undefined, ProxyAgent = undefined, fetch = undefined;",
    }));
  },
};

await build({
  entryPoints: ["components/cluster/kubernetes-client.ts"],
  outfile: "build/kubernetes-client.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minifySyntax: true,
  legalComments: "linked",
  plugins: [dropUnusedModels, dropUndici],
  // Bundled CommonJS packages call require() for Node's own modules.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
