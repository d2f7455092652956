// Waiting for the parts of a control plane, without waiting for one that has already ended.

import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { CoreV1Api } from "@kubernetes/client-node";
import { ApiException } from "@kubernetes/client-node";
import { endedEarly, lastLines } from "../background.ts";
import type { Background } from "../background.ts";
import { NODE_NAME } from "./node.ts";

/** Each part is up after a few seconds; a machine that is busy building may take much longer. */
const PATIENCE_MS = 120_000;

/**
 * Asks `check` every 50 ms until it says true. Throws when one of `processes` has ended, when `signal` is
 * aborted, or after two minutes, each time naming what was waited for and the end of the log of the last
 * process.
 */
async function until(
  what: string,
  processes: readonly Background[],
  signal: AbortSignal | undefined,
  check: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await check())) {
    signal?.throwIfAborted();
    const ended = processes.find((process) => process.ended() !== undefined);
    if (ended !== undefined) throw endedEarly(ended);
    if (Date.now() > deadline) {
      const last = processes.at(-1);
      const log = last === undefined ? "" : `; ${last.logFile} ends with:\n${lastLines(last.logFile, 15)}`;
      throw new Error(`the local control plane did not come up in ${PATIENCE_MS / 1000} s: ${what}${log}`);
    }
    await sleep(50);
  }
}

/** Waits for the certificate that the API server makes for itself, and returns it. */
export async function servingCertificate(
  file: string,
  processes: readonly Background[],
  signal: AbortSignal | undefined,
): Promise<string> {
  let certificate = "";
  await until("no serving certificate", processes, signal, async () => {
    try {
      certificate = await readFile(file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    // The server's own certificate and the one that signed it, both complete.
    return certificate.split("-----END CERTIFICATE-----").length > 2;
  });
  return certificate;
}

export async function apiServerReady(
  server: string,
  certificate: string,
  token: string,
  processes: readonly Background[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await until("the API server is not ready", processes, signal, () =>
    answersOk(`${server}/readyz`, certificate, token),
  );
}

function answersOk(url: string, ca: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(
      url,
      { ca, headers: { Authorization: `Bearer ${token}` }, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    call.setTimeout(5000, () => call.destroy());
    call.once("error", () => {
      resolve(false);
    }); // it does not listen yet; asked again until the time is over
    call.end();
  });
}

/**
 * Waits until pods can be created and scheduled: the node is ready, and the default ServiceAccount exists.
 */
export async function podsCanRun(
  api: CoreV1Api,
  processes: readonly Background[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await until("the node is not ready", processes, signal, async () => {
    const node = await api.readNode({ name: NODE_NAME });
    const ready =
      node.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
    return ready && (node.spec?.taints ?? []).length === 0;
  });
  await until("no default ServiceAccount", processes, signal, async () => {
    try {
      await api.readNamespacedServiceAccount({ namespace: "default", name: "default" });
      return true;
    } catch (error) {
      if (error instanceof ApiException && error.code === 404) return false;
      throw error;
    }
  });
}
