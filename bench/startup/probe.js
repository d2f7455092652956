// Loaded before Pulumi's SDK into the processes of a run: notes when the program's parts begin. Milliseconds since 1970.
import { writeFileSync } from "node:fs";
import { subscribe } from "node:diagnostics_channel";
import process from "node:process";

const file = process.env["BENCH_MARKS"];
if (file !== undefined && process.argv[1]?.includes("@pulumi/pulumi/cmd/run") === true) {
  const marks = {
    start: Math.round(performance.timeOrigin),
    loading: 0,
    firstRequest: 0,
    lastRequest: 0,
    end: 0,
  };
  subscribe("tracing:module.import:start", (message) => {
    if (String(/** @type {{ url: unknown }} */ (message).url).endsWith("/main.js"))
      marks.loading = Date.now();
  });
  // Of the zone; what is asked for later belongs to the components, which come after the last of them was answered.
  subscribe("http.client.request.start", () => (marks.firstRequest ||= Date.now()));
  subscribe("http.client.response.finish", () => (marks.lastRequest = Date.now()));
  process.on("exit", () => {
    marks.end = Date.now();
    writeFileSync(file, JSON.stringify(marks));
  });
}
