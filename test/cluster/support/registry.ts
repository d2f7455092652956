// A registry as npm knows it: it has what was published to it, and sends for all else to the one of this machine.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { promisify } from "node:util";

/** What `npm publish` sends; registries keep all of it but the attachments. */
interface Published {
  name: string;
  "dist-tags": Record<string, string>;
  versions: Record<string, object>;
  _attachments: Record<string, { data: string }>;
}

/** Starts a registry that ends with the test; returns its address. */
export async function startRegistry(t: TestContext): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
  const upstream = stdout.trim().replace(/\/$/, "");
  const packages = new Map<string, Omit<Published, "_attachments">>();
  const files = new Map<string, Buffer>();

  const server = createServer((incoming, response) => {
    const path = decodeURIComponent(incoming.url ?? "");
    if (incoming.method === "PUT") {
      void bodyOf(incoming).then((body) => {
        const { _attachments, ...sent } = JSON.parse(body) as Published;
        const known = packages.get(path)?.versions;
        packages.set(path, { ...sent, versions: { ...known, ...sent.versions } });
        for (const [file, { data }] of Object.entries(_attachments))
          files.set(`${path}/-/${file}`, Buffer.from(data, "base64"));
        response.writeHead(201).end("{}");
      });
      return;
    }
    const found = files.get(path) ?? packages.get(path);
    if (found === undefined) response.writeHead(302, { Location: `${upstream}${incoming.url}` }).end();
    else response.writeHead(200).end(Buffer.isBuffer(found) ? found : JSON.stringify(found));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server[Symbol.asyncDispose]());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
