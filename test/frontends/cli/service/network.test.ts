import { afterEach, describe, expect, test } from "vitest";
import { HIDDEN_HOST, startProxy, startTlsFront } from "../../../service/network.ts";
import { type Project, oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();
const PASSWORD = "p@ss-word-of-the-proxy";
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A project whose service is behind TLS, and a proxy that wants a password. */
async function networked(host = HIDDEN_HOST) {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks\nsecret: { env: S }"));
  const front = await startTlsFront(Number(new URL(project.sandbox.baseUrl).port), host);
  const proxy = await startProxy({ credentials: `ada:${PASSWORD}` });
  open.push(front, proxy);
  Object.assign(project.environment, {
    S: "secret-of-the-hook",
    OUTREACH_BASE_URL: `https://${host}:${String(front.port)}/api`,
    HTTPS_PROXY: `http://ada:${encodeURIComponent(PASSWORD)}@127.0.0.1:${String(proxy.port)}`,
    OUTREACH_LOG: "debug",
  });
  return { project, front, proxy };
}

function expectNoPassword(project: Project, ...texts: readonly string[]): void {
  for (const text of [...texts, ...Object.values(project.files())])
    for (const form of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(text).not.toContain(form);
}

describe("behind a proxy", () => {
  test("a whole apply goes through few tunnels, and nothing shows the proxy's password", async () => {
    const { project, front, proxy } = await networked();
    project.write("ca.pem", front.certificate.certificate);
    const { code, out, err, sent } = await project.start("apply --auto-approve", {
      NODE_EXTRA_CA_CERTS: `${project.folder}/ca.pem`,
    }).ended;
    expect({ code, sent }).toEqual({ code: 0, sent: ["GET /hooks 200", "POST /hooks 200", "GET /hooks 200"] });
    expect(proxy.tunnels).toEqual([`${HIDDEN_HOST}:${String(front.port)}`]);
    expectNoPassword(project, out, err);
  });

  test("an unknown certificate: the message names the URL and NODE_EXTRA_CA_CERTS, after one attempt", async () => {
    const { project, proxy } = await networked();
    const { code, out, err, sent } = await project.run("plan");
    expect({ code, sent, tunnels: proxy.tunnels.length }).toEqual({ code: 1, sent: [], tunnels: 1 });
    expect(err).toContain(
      `${String(project.environment["OUTREACH_BASE_URL"])} has a certificate that no known authority signed (OUTREACH_BASE_URL).\n`,
    );
    expect(err).toContain("set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its authority.");
    expectNoPassword(project, out, err);
  });

  test("a wrong password: the message names the proxy and its variable, without the password", async () => {
    const { project, proxy } = await networked();
    const address = `127.0.0.1:${String(proxy.port)}`;
    const { code, out, err } = await project.run("plan", {
      HTTPS_PROXY: `http://bob:${encodeURIComponent(PASSWORD)}@${address}`,
    });
    expect(code).toBe(1);
    expect(err).toContain(
      `GET /hooks: the proxy http://${address} (HTTPS_PROXY) refused to connect, with status 407.\n`,
    );
    expectNoPassword(project, out, err);
  });

  test("a value that is no proxy is an error before anything is sent, and not printed", async () => {
    const { project, proxy } = await networked();
    const { code, out, err } = await project.run("plan", {
      HTTPS_PROXY: `socks5://ada:${encodeURIComponent(PASSWORD)}@127.0.0.1`,
    });
    expect({ code, tunnels: proxy.tunnels }).toEqual({ code: 1, tunnels: [] });
    expect(err).toContain(
      "Error: Invalid proxy [setting_invalid]\n\nHTTPS_PROXY names a proxy of the kind socks5; only http and https are supported.\n",
    );
    expectNoPassword(project, out, err);
  });

  test("NO_PROXY excludes the service, and this machine is always excluded", async () => {
    const hidden = await networked();
    expect((await hidden.project.run("plan", { NO_PROXY: "test" })).err).toMatch(
      /service\.test:\d+\/api has (an unknown host name|a host name that could not be looked up)/,
    );
    expect(hidden.proxy.tunnels).toEqual([]);
    const local = await networked("localhost");
    expect((await local.project.run("plan")).err).toContain("/api has a certificate that no known authority signed");
    expect(local.proxy.tunnels).toEqual([]);
  });
});
