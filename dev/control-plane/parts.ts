// What one control plane consists of: its folder and its processes, and how they all end.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endedEarly, lastLines, startBackground } from "../background.ts";
import type { Background } from "../background.ts";
import type { Watcher } from "../kubelet/watcher.ts";
import { keepFolder, removeFolder } from "../temporary.ts";

/** Processes are held in the order in which they were started. */
export class Parts {
  readonly dir: string;
  readonly logsDir: string;
  readonly processes: Background[] = [];
  readonly broken: Promise<Error>;
  watcher: Watcher | undefined;
  private readonly commands = new Map<string, { command: string; args: readonly string[] }>();
  private readonly restarting = new Set<string>();
  private stopped: Promise<void> | undefined;
  private breakDown: (reason: Error) => void = () => undefined;

  constructor(dir: string) {
    this.dir = dir;
    this.broken = new Promise((resolve) => (this.breakDown = resolve));
    this.logsDir = join(dir, "logs");
    mkdirSync(this.logsDir);
  }

  async run(name: string, command: string, args: readonly string[]): Promise<void> {
    this.commands.set(name, { command, args });
    this.processes.push(await this.start(name));
  }

  /** Ends a process, and starts it again with the same arguments after `awayMs` milliseconds. */
  async restart(name: string, awayMs: number): Promise<void> {
    const index = this.processes.findIndex((process) => process.name === name);
    const process = this.processes[index];
    if (process === undefined) throw new Error(`the local control plane has no part "${name}"`);
    this.restarting.add(name);
    try {
      await process.stop(1000);
      await sleep(awayMs);
      if (this.stopped === undefined) this.processes[index] = await this.start(name);
    } finally {
      this.restarting.delete(name);
    }
  }

  private async start(name: string): Promise<Background> {
    const { command = "", args = [] } = this.commands.get(name) ?? {};
    const logFile = join(this.logsDir, `${name}.log`);
    // kwok would else read the settings of a person who uses it.
    const env = { KWOK_WORKDIR: this.dir };
    const process = await startBackground({ name, command, args, logFile, env, cwd: this.dir });
    void process.end.then(() => {
      if (this.stopped === undefined && !this.restarting.has(name)) this.breakDown(endedEarly(process));
    });
    return process;
  }

  sawPortInUse(): boolean {
    return this.processes.some(
      (process) =>
        process.ended() !== undefined && lastLines(process.logFile, 30).includes("address already in use"),
    );
  }

  stop({ keepFiles = false }: { keepFiles?: boolean } = {}): Promise<void> {
    this.stopped ??= this.stopAll(keepFiles);
    return this.stopped;
  }

  private async stopAll(keepFiles: boolean): Promise<void> {
    await this.watcher?.stop();
    // Clients before servers, or their last words are complaints; all data is thrown away, so nobody is given
    // long.
    for (const process of this.processes.toReversed()) await process.stop(1000);
    if (keepFiles) keepFolder(this.dir);
    else await removeFolder(this.dir);
  }
}
