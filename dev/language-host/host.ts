// A stand-in for pulumi-language-nodejs, the part of Pulumi that runs Node programs, which only Pulumi's own
// installers bring: the CLI that is built here (../tools) has none. It serves the CLI the few calls that a
// run needs; everything else is answered as not implemented. The program is run by @pulumi/pulumi itself, as
// ever.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ServerUnaryCall, ServerWritableStream, sendUnaryData } from "@grpc/grpc-js";
import services from "@pulumi/pulumi/proto/language_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/language_pb.js";
import type { RunRequest, RunResponse } from "@pulumi/pulumi/proto/language_pb.js";
import plugins from "@pulumi/pulumi/proto/plugin_pb.js";

// The very copies that the generated code above uses.
const requireOfPulumi = createRequire(import.meta.resolve("@pulumi/pulumi"));
const grpc = requireOfPulumi("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
const { Empty } = requireOfPulumi("google-protobuf/google/protobuf/empty_pb.js") as {
  Empty: new () => unknown;
};

/** By this exit code @pulumi/pulumi says that it has told the user what went wrong. */
const ALREADY_REPORTED = 32;

// The CLI gives flags first and the address of its engine last. A debugger that attaches gives it in a
// Handshake instead.
let engine = process.argv.at(-1) ?? "";
const programs = new Set<ChildProcess>();

function run(request: RunRequest): Promise<RunResponse> {
  const info = request.getInfo();
  const folder = info?.getProgramDirectory() ?? request.getPwd();
  const options = info?.getOptions()?.toJavaScript() ?? {};
  const response = new messages.RunResponse();
  let runner: string;
  try {
    runner = createRequire(join(folder, "package.json")).resolve("@pulumi/pulumi/cmd/run");
  } catch {
    response.setError(`@pulumi/pulumi is not installed in ${folder}: run npm install there`);
    return Promise.resolve(response);
  }
  const nodeArgs =
    typeof options["nodeargs"] === "string" ? options["nodeargs"].split(" ").filter(Boolean) : [];
  const args = [
    ...nodeArgs,
    runner,
    `--monitor=${request.getMonitorAddress()}`,
    `--engine=${engine}`,
    `--organization=${request.getOrganization()}`,
    `--project=${request.getProject()}`,
    `--stack=${request.getStack()}`,
    `--root-directory=${info?.getRootDirectory() ?? folder}`,
    `--pwd=${request.getPwd()}`,
    `--parallel=${request.getParallel()}`,
    ...(request.getDryrun() ? ["--dry-run"] : []),
    info?.getEntryPoint() ?? request.getProgram(),
    ...request.getArgsList(),
  ];
  return new Promise((resolve) => {
    const program = spawn(process.execPath, args, {
      // Its output goes where ours goes: to the CLI, which shows it below the stack.
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...process.env,
        PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toObject())),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
        PULUMI_NODEJS_TYPESCRIPT: String(options["typescript"] !== false),
      },
    });
    programs.add(program);
    program.once("error", (error) => {
      response.setError(`Node could not be started: ${error.message}`);
      resolve(response);
    });
    program.once("exit", (code, signal) => {
      programs.delete(program);
      if (code === ALREADY_REPORTED) response.setBail(true);
      else if (signal !== null) response.setError(`Program was ended by ${signal}`);
      else if (code !== 0) response.setError(`Program exited with non-zero exit code: ${code}`);
      resolve(response);
    });
  });
}

function endPrograms(): void {
  for (const program of programs) program.kill("SIGKILL");
}

type Call<Request> = ServerUnaryCall<Request, unknown>;

/** A handler that always gives this answer. */
function always<Response>(answer: Response): (call: Call<unknown>, done: sendUnaryData<Response>) => void {
  return (_call, done) => {
    done(null, answer);
  };
}

const about = new messages.AboutResponse();
about.setExecutable(process.execPath);
about.setVersion(process.versions.node);
const pluginInfo = new plugins.PluginInfo();
pluginInfo.setVersion("0.0.0");

const server = new grpc.Server();
server.addService(services.LanguageRuntimeService, {
  handshake: (
    call: Call<InstanceType<typeof messages.LanguageHandshakeRequest>>,
    done: sendUnaryData<InstanceType<typeof messages.LanguageHandshakeResponse>>,
  ) => {
    engine = call.request.getEngineAddress();
    done(null, new messages.LanguageHandshakeResponse());
  },
  getPluginInfo: always(pluginInfo),
  about: always(about),
  // None: the CLI finds the provider by what the program asks for.
  getRequiredPackages: always(new messages.GetRequiredPackagesResponse()),
  getProgramDependencies: always(new messages.GetProgramDependenciesResponse()),
  // npm has done it: this file runs from node_modules' own Node.
  installDependencies: (call: ServerWritableStream<unknown, unknown>) => call.end(),
  run: (call: Call<RunRequest>, done: sendUnaryData<RunResponse>) => {
    call.on("cancelled", endPrograms);
    void run(call.request).then((response) => {
      done(null, response);
    });
  },
  cancel: (_call: Call<unknown>, done: sendUnaryData<unknown>) => {
    endPrograms();
    done(null, new Empty());
  },
});

server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  // The CLI reads the port from the first line.
  console.log(port);
});

function end(): void {
  endPrograms();
  process.exit();
}
process.on("SIGINT", end);
process.on("SIGTERM", end);
// A CLI that was killed can tell nobody; but then the pipe to our standard input closes.
process.stdin.on("end", end).resume();
