import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as pulumi from "@pulumi/pulumi";

/**
 * The provider of a resource whose operations are code of this package: the text that the engine keeps in the state and
 * runs for each of them, in a process of its own. It only finds and loads the module that the input `operations` names,
 * and so never changes; all else is that module's. Where nothing is at the path there is the installed package.
 */
const PROVIDER = `"use strict";
const load = async ({ operations: { path, inPackage } }) => {
  const { existsSync } = await import("node:fs");
  const { createRequire } = await import("node:module");
  const { resolve } = await import("node:path");
  const { pathToFileURL } = await import("node:url");
  const find = () => {
    if (existsSync(resolve(path))) return resolve(path);
    try {
      return createRequire(resolve("package.json")).resolve("pulumi-proxies/" + inPackage);
    } catch {
      throw new Error(path + " is missing, and pulumi-proxies is not installed: run npm ci in the project");
    }
  };
  return import(pathToFileURL(find()).href);
};
exports.handler = () => ({
  diff: async (id, state, inputs) => (await load(inputs)).diff(id, state, inputs),
  create: async (inputs) => (await load(inputs)).create(inputs),
  update: async (id, state, inputs) => (await load(inputs)).update(id, state, inputs),
  delete: async (id, state) => (await load(state)).delete(id, state),
});
`;

/** Where a module of operations is: from the project's folder, since a state is shared, and in its package. */
export interface OperationsModule {
  path: string;
  inPackage: string;
}

/**
 * A resource whose operations are functions of this package: `diff`, `create`, `update` and `delete` of a module, in the
 * forms of `pulumi.dynamic.ResourceProvider`. A dynamic resource as the engine knows it, but nothing is serialized:
 * changed code is no change of the resource, and no program pays for reading its own source.
 */
export class OperationsResource extends pulumi.CustomResource {
  /** `module` is the URL of the module; what it returns beyond `props` must be named there as undefined. */
  constructor(
    type: string,
    name: string,
    module: URL,
    props: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions,
  ) {
    const operations = locate(fileURLToPath(module));
    super(
      `pulumi-nodejs:dynamic/proxies:${type}`,
      name,
      { ...props, operations, __provider: PROVIDER },
      opts,
    );
  }
}

function locate(file: string): OperationsModule {
  const from = (folder: string): string => relative(folder, file).split(sep).join("/");
  return { path: from(process.cwd()), inPackage: from(packageOf(dirname(file))) };
}

/** The folder of the package that a folder belongs to. */
function packageOf(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : packageOf(dirname(folder));
}
