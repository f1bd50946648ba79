import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createCertificate } from "../../../src/frontends/terraform/plugin/certificate.ts";
import { chooseEndpoint, handshakeLine, readInvitation } from "../../../src/frontends/terraform/plugin/handshake.ts";

const COOKIE = { TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2" };
const CERTIFICATE = { PLUGIN_CLIENT_CERT: createCertificate().certificate };

describe("readInvitation", () => {
  const refusals: readonly [string, { readonly [name: string]: string }, RegExp][] = [
    ["a person who starts it by hand", {}, /provider "outreach-as-code\/outreach" for Terraform[^]*required_providers/],
    ["another program's cookie", { TF_PLUGIN_MAGIC_COOKIE: "other", ...CERTIFICATE }, /Terraform starts it/],
    [
      "a caller of older protocols only",
      { ...COOKIE, ...CERTIFICATE, PLUGIN_PROTOCOL_VERSIONS: "4,5" },
      /speaks version 6[^]*speaks 4,5/,
    ],
    ["a caller without a certificate", COOKIE, /mutual TLS/],
    [
      "a caller with an invalid certificate",
      { ...COOKIE, PLUGIN_CLIENT_CERT: "nothing" },
      /does not hold a certificate in PEM/,
    ],
  ];
  it.each(refusals)("refuses %s", (_who, environment, message) => {
    const invitation = readInvitation(environment);
    expect(invitation.kind).toBe("refuse");
    expect(invitation.kind === "refuse" && invitation.message).toMatch(message);
  });

  it("takes the certificate that the caller will show", () => {
    expect(readInvitation({ ...COOKIE, ...CERTIFICATE, PLUGIN_PROTOCOL_VERSIONS: "5,6" })).toEqual({
      kind: "serve",
      clientCertificate: CERTIFICATE.PLUGIN_CLIENT_CERT,
    });
    expect(readInvitation({ ...COOKIE, ...CERTIFICATE }).kind).toBe("serve");
  });
});

describe("chooseEndpoint", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "endpoint-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("makes a socket's folder that only the user can enter, and takes it away", () => {
    const endpoint = chooseEndpoint("linux", [folder]);
    if (endpoint.network !== "unix") throw new Error("no socket");
    expect(endpoint.path.startsWith(folder)).toBe(true);
    expect(statSync(path.dirname(endpoint.path)).mode & 0o777).toBe(0o700);
    endpoint.dispose();
    expect(existsSync(path.dirname(endpoint.path))).toBe(false);
  });

  it("passes over a folder whose path would be cut off, and one that is not there", () => {
    const endpoint = chooseEndpoint("darwin", [`/${"long/".repeat(25)}`, "/does/not/exist", folder]);
    expect(endpoint.network === "unix" && endpoint.path.startsWith(folder)).toBe(true);
    endpoint.dispose();
  });

  it("takes a port on the loopback interface where no socket can be, and on Windows", () => {
    expect(chooseEndpoint("linux", ["/does/not/exist"])).toMatchObject({ network: "tcp", host: "127.0.0.1" });
    expect(chooseEndpoint("win32", [folder])).toMatchObject({ network: "tcp", host: "127.0.0.1" });
  });
});

it("handshakeLine has the certificate in base64 without padding", () => {
  expect(handshakeLine("unix", "/tmp/s", new Uint8Array([1]))).toBe("1|6|unix|/tmp/s|grpc|AQ\n");
});
