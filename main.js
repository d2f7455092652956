// Where Pulumi starts the program: what makes it start and run faster, and with less memory, and nothing else. It is
// JavaScript so that Node need not even load its TypeScript compiler. docs/performance.md has the figures.
import { enableCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";

// What is loaded from here on, Node compiles once and keeps: in the temporary folder, or where NODE_COMPILE_CACHE says.
// Where it can't be written all works the same.
enableCompileCache();

// By itself V8 lets the heap grow to up to four times what was alive when it last looked at all of it. In a large zone most
// of that is garbage: now it looks again when the heap has grown by 70 percent.
setFlagsFromString("--heap-growing-percent=70");

// With each promise and resource Pulumi's SDK asks for the stack of an Error without a message, and has it mapped through
// source maps; what comes of it stands in the state with the paths of this machine. An Error that says something keeps its
// stack, whose lines are those of the source: what runs here is not compiled to others.
Error.prepareStackTrace = (error, frames) =>
  error.message === "" ? String(error) : [error, ...frames].map(String).join("\n    at ");

/** The stack's outputs are what the program exports. */
export default await import("./index.ts");
