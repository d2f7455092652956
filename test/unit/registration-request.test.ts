// What a registration asks of its platform, and where.
import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyFor } from "../../components/connector/registration/corporate-proxy.ts";
import { registrationWarnings } from "../../components/connector/registration/outcome.ts";
import {
  changedFields,
  deregisterUrl,
  fieldDigests,
  inClusterService,
  platformUrlProblem,
  platformUrlWarnings,
  registerBody,
  type RegistrationRequest,
  registerUrl,
  requestFields,
} from "../../components/connector/registration/request.ts";

const request: RegistrationRequest = {
  platformUrl: "https://ilm.example.com/api",
  name: "X.509",
  authType: "none",
  url: "http://x.proxies.svc.cluster.local:8080",
  authAttributes: [],
  customAttributes: [{ name: "description", content: "text" }],
};

test("the path is joined to the base once, with and without a slash at its end", () => {
  for (const base of ["https://h/api", "https://h/api/", "https://h/api//"])
    assert.equal(registerUrl(base), "https://h/api/v2/connector/register");
  assert.equal(registerUrl("https://h/ilm/api/"), "https://h/ilm/api/v2/connector/register");
  assert.equal(registerUrl("https://h"), "https://h/v2/connector/register");
  assert.equal(deregisterUrl("https://h/api/", "a/b"), "https://h/api/v1/connectors/a%2Fb");
});

test("the body says what the platform's API wants, contents as they are", () => {
  const contents = ["text", 7, true, null, ["a"], { a: { b: 1 } }];
  const customAttributes = contents.map((content, index) => ({ name: `a${index}`, content }));
  assert.deepEqual(JSON.parse(registerBody({ ...request, customAttributes })), {
    name: "X.509",
    version: "v2",
    url: "http://x.proxies.svc.cluster.local:8080",
    authType: "none",
    authAttributes: [],
    customAttributes,
  });
});

test("an address that can't be a platform's is told why, and never repeated", () => {
  for (const good of [
    "https://h/api",
    "http://h:8080",
    "http://[::1]:80/api/",
    "http://core.ilm.svc.cluster.local/api",
  ])
    assert.equal(platformUrlProblem(good), undefined);
  for (const [bad, why] of [
    ["", /http/],
    ["ilm.example.com/api", /http/],
    ["ftp://h/api", /http/],
    ["https://user:c4n4ry@h/api", /credentials/],
    ["https://h/api?x=c4n4ry", /query/],
    ["https://h/api?", /query/],
    ["https://h/api#", /fragment/],
  ] as const) {
    const problem = platformUrlProblem(bad) ?? "";
    assert.match(problem, why, bad);
    assert.doesNotMatch(problem, /c4n4ry/);
  }
});

test("an address without /api at its end, and credentials in clear, are warned of", () => {
  assert.deepEqual(platformUrlWarnings("https://h/api", true), []);
  assert.deepEqual(platformUrlWarnings("https://h/ilm/api/", true), []);
  assert.match(platformUrlWarnings("https://h", false).join(), /does not end in \/api/);
  assert.match(platformUrlWarnings("https://h/rest/api2", false).join(), /does not end in \/api/);
  assert.match(platformUrlWarnings("http://h/api", true).join(), /in clear/);
  assert.deepEqual(platformUrlWarnings("http://h/api", false), []);
});

test("a Service of the cluster is told from all other hosts", () => {
  const core = { name: "core", namespace: "ilm" };
  for (const host of ["core.ilm.svc", "core.ilm.svc.corp.local", "CORE.ilm.SVC.corp.local", "core.ilm.svc."])
    assert.deepEqual(inClusterService(`http://${host}:8080/api`, "corp.local"), core);
  for (const host of [
    "core.ilm",
    "svc",
    "ilm.svc",
    "a.core.ilm.svc",
    "core.ilm.svc.cluster.local",
    "10.0.0.1",
    "[::1]",
  ])
    assert.equal(inClusterService(`http://${host}/api`, "corp.local"), undefined, host);
});

test("every field that differs from what was posted is named, whatever the order of keys", () => {
  const attribute = (content: unknown): RegistrationRequest => ({
    ...request,
    authAttributes: [{ name: "a", content }],
  });
  const posted = fieldDigests(requestFields(attribute({ a: 1, b: [1, 2] })));
  assert.deepEqual(changedFields(posted, requestFields(attribute({ b: [1, 2], a: 1 }))), []);
  assert.deepEqual(changedFields(posted, requestFields(attribute({ a: 1, b: [2, 1] }))), ["authAttributes"]);
  const all: RegistrationRequest = {
    platformUrl: "https://other/api",
    name: "other",
    authType: "basic",
    url: "http://other",
    authAttributes: [],
    customAttributes: [],
  };
  assert.deepEqual(changedFields(posted, requestFields(all)), Object.keys(all));
  const warnings = (changed: string[]): string[] =>
    registrationWarnings({ outcome: { outcome: "waiting" }, changed });
  assert.match(warnings(["name", "url"]).join(), /^registration: name, url changed/);
  assert.deepEqual(warnings([]), []);
});

test("digests are salted, and too short to tell a secret by", () => {
  const [one, other] = [fieldDigests(requestFields(request)), fieldDigests(requestFields(request))];
  assert.notEqual(one.salt, other.salt);
  assert.notDeepEqual(one.fields, other.fields);
  for (const digest of Object.values(one.fields)) assert.match(digest, /^[0-9a-f]{4}$/);
});

test("the corporate proxy is asked unless an exception names the host", () => {
  const egress = { httpsProxy: "http://proxy:3128", noProxy: [] as string[] };
  const goesThrough = (url: string, ...noProxy: string[]): boolean =>
    proxyFor(url, { ...egress, noProxy }) !== undefined;
  assert.equal(goesThrough("https://ilm.example.com/api"), true);
  assert.equal(goesThrough("http://ilm.example.com/api"), false);
  assert.equal(proxyFor("http://h", { httpProxy: "http://proxy:3128" }), "http://proxy:3128");
  assert.equal(proxyFor("https://h", { ...egress, enabled: false }), undefined);
  assert.equal(proxyFor("https://h", undefined), undefined);
  for (const url of ["https://localhost:1", "https://127.0.0.1", "https://[::1]"])
    assert.equal(goesThrough(url), false, url);
  for (const exception of [
    "example.com",
    ".example.com",
    "*.example.com",
    "ILM.example.com",
    "*",
    "ilm.example.com:443",
  ])
    assert.equal(goesThrough("https://ilm.example.com", exception), false, exception);
  for (const exception of [
    "ample.com",
    ".ilm.example.com",
    "ilm.example.com:8443",
    "other.example.com",
    "10.0.0.0/8",
  ])
    assert.equal(goesThrough("https://ilm.example.com", exception), true, exception);
  assert.equal(goesThrough("https://10.1.2.3", "10.0.0.0/8"), false);
  assert.equal(goesThrough("https://11.1.2.3", "10.0.0.0/8"), true);
  assert.equal(goesThrough("https://[fd00::1]", "fd00::/8"), false);
  assert.equal(goesThrough("https://10.1.2.3", "10.1.2.3"), false);
  assert.equal(goesThrough("https://10.1.2.3", "10.0.0.0/99", "fd00::/8", "10.0.0.0/"), true);
});
