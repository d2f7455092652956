// A repository as docs/own-repository.md describes it: its commands and files, as they stand there.
import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Identity } from "../../../ci/roles/roles.ts";
import { parseChanges } from "./changes.ts";
import type { Run, TestZone } from "./zone.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Block {
  language: string;
  text: string;
}

/** The code blocks under a heading of the page. */
export function blocksUnder(heading: string): Block[] {
  const page = readFileSync(`${root}docs/own-repository.md`, "utf8");
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/own-repository.md has no heading "${heading}"`);
  return [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

export class OwnRepository {
  readonly folder: string;
  /** Its namespace is that of the repository's zone, and its stack file says which rights there are. */
  readonly zone: TestZone;
  readonly #env: Record<string, string>;

  constructor(zone: TestZone, env: Record<string, string> = {}) {
    this.zone = zone;
    this.folder = `${zone.workspace.dir}/zones`;
    this.#env = {
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_prefer_offline: "true",
      ...env,
    };
    mkdirSync(this.folder);
  }

  /** A text of the page, about this zone. */
  adapted(text: string, { namespace, stack, context } = this.zone): string {
    return text
      .replaceAll(/(?<=namespace: "?)proxies/g, namespace)
      .replaceAll("my-context", context)
      .replaceAll("prod-dc-west", stack);
  }

  /** Adds to a file, which need not be there; `text` is adapted to the zone. */
  write(path: string, text: string, zone = this.zone): void {
    const file = `${this.folder}/${this.adapted(path, zone)}`;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, this.adapted(text, zone));
  }

  /** Makes the file of a block that begins with its name, or adds it to that. */
  writeBlock({ text }: Block): void {
    const path = /^(?:#|\/\/) (\S+)\n/.exec(text)?.[1];
    if (path === undefined) throw new Error(`no name of a file before: ${text}`);
    this.write(path, text);
  }

  /** Runs commands as an identity of CI, whatever their exit code. */
  async run(commands: string, identity: Identity = "update", cwd = this.folder): Promise<Run> {
    const { zone } = this;
    const env = { ...(await zone.envOf(identity)), PULUMI_SKIP_CONFIRMATIONS: "true", ...this.#env };
    const text = this.adapted(commands);
    const run = await new Promise<Run>((resolve) => {
      execFile("bash", ["-ec", text], { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
        const output = stdout + stderr;
        resolve({ code: error === null ? 0 : Number(error.code), output, changes: parseChanges(output) });
      });
    });
    appendFileSync(zone.log, `$ ${text}\n${run.output}\n(exit code ${run.code})\n\n`);
    return run;
  }

  /** Runs commands that must succeed. */
  async passes(commands: string, identity?: Identity, cwd?: string): Promise<Run> {
    const run = await this.run(commands, identity, cwd);
    if (run.code !== 0) throw new Error(`${commands}\n${run.output}`);
    return run;
  }
}
