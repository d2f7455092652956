// What one control plane consists of: its folder and its processes, and how they all end.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
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
  private stopped: Promise<void> | undefined;
  private breakDown: (reason: Error) => void = () => undefined;

  constructor(dir: string) {
    this.dir = dir;
    this.broken = new Promise((resolve) => (this.breakDown = resolve));
    this.logsDir = join(dir, "logs");
    mkdirSync(this.logsDir);
  }

  async run(name: string, command: string, args: readonly string[]): Promise<void> {
    const logFile = join(this.logsDir, `${name}.log`);
    // kwok would else read the settings of a person who uses it.
    const env = { KWOK_WORKDIR: this.dir };
    const process = await startBackground({ name, command, args, logFile, env, cwd: this.dir });
    this.processes.push(process);
    void process.end.then(() => {
      if (this.stopped === undefined) this.breakDown(endedEarly(process));
    });
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
