#!/usr/bin/env node
// The commands where the package is installed: `npx pulumi-proxies <command>`.
import { closest } from "fastest-levenshtein";

/** Each reads the rest of the command line, and runs. */
const COMMANDS: Record<string, () => Promise<unknown>> = {
  "preview-report": () => import("./preview-report.ts"),
  drift: () => import("./drift.ts"),
  status: () => import("./status.ts"),
  roles: () => import("./roles.ts"),
  adopt: () => import("../adopt/adopt.ts"),
};
const NAMES = Object.keys(COMMANDS);

const HELP = `pulumi-proxies <command> [options], in the project's folder

  preview-report   what the next run changes in every zone, for a pull request
  drift            where zones differ from what was applied, and who did it
  status           the fleet at a glance
  roles            the rights that CI's identities need in a zone
  adopt            moves the ILM operator's resources into a zone

Each says all of its options with --help. Where a script of package.json has the command's name, \`npm run\` does the same.`;

const [name = "--help"] = process.argv.splice(2, 1);
if (Object.hasOwn(COMMANDS, name)) await COMMANDS[name]?.();
else if (["--help", "-h"].includes(name)) console.log(HELP);
else {
  console.error(`error: there is no command ${name}; did you mean ${closest(name, NAMES)}?`);
  process.exitCode = 1;
}
