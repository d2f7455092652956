// The rights of CI's two identities in a zone, for whoever grants them: `npm run roles -- --help`.
import { runProgram } from "./program.ts";
import { zoneNeeds } from "./roles/needs.ts";
import { HELP, readOptions } from "./roles/options.ts";
import { rolesText } from "./roles/roles.ts";
import { chosenStacks, stackFile } from "./stacks.ts";

function main(): number {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(HELP);
    return 0;
  }
  const [stack = ""] = chosenStacks([options.stack], false);
  process.stdout.write(rolesText(stack, zoneNeeds(stackFile(stack))));
  return 0;
}

await runProgram(main);
