import { describe, expect, test } from "vitest";
import { connectionProblem, noConnectionWithin, proxyProblem } from "../../src/service/api/connection-problem.ts";
import { TunnelRefused } from "../../src/service/api/tunnel-agent.ts";

const failure = (code: string, message = "failed"): NodeJS.ErrnoException =>
  Object.assign(new Error(message), { code });

describe("a connection that fails", () => {
  test.each([
    ["ECONNREFUSED", "refused", "refused the connection", true],
    ["ENOTFOUND", "unknown-host", "has an unknown host name", false],
    ["EAI_AGAIN", "unreachable", "could not be looked up", true],
    ["EHOSTUNREACH", "unreachable", "cannot be reached", true],
    ["ENETUNREACH", "unreachable", "cannot be reached", true],
    ["ETIMEDOUT", "unreachable", "cannot be reached", true],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate", "no known authority", false],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate", "no known authority", false],
    ["CERT_HAS_EXPIRED", "certificate", "has expired", false],
    ["CERT_NOT_YET_VALID", "certificate", "not valid yet", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate", "another host name", false],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "no-tls", "does not speak TLS", false],
    ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "no-tls", "does not speak TLS", false],
  ])("with %s is a problem of the kind %s", (code, kind, text, isTemporary) => {
    expect(connectionProblem(failure(code))).toMatchObject({
      kind,
      text: expect.stringContaining(text) as string,
      isTemporary,
    });
  });

  test("by what OpenSSL says does not speak TLS", () => {
    expect(connectionProblem(new Error("ssl routines: wrong version number"))).toMatchObject({
      kind: "no-tls",
      isTemporary: false,
    });
  });

  test("for another reason is no known problem", () => {
    expect(connectionProblem(failure("EPIPE"))).toBeNull();
    expect(connectionProblem(new Error("failed"))).toBeNull();
  });

  test("for lack of an answer may work later", () => {
    expect(noConnectionWithin(2500)).toMatchObject({
      kind: "unreachable",
      text: "accepted no connection within 2.5 s",
      isTemporary: true,
    });
  });
});

describe("a way through a proxy that fails", () => {
  const proxy = { shown: "http://proxy.example.com:3128", from: "HTTPS_PROXY" };
  const CREDENTIALS = "Write a valid user name and password into HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT.";
  const CHECK = "Check HTTPS_PROXY, or exclude the host of the service with NO_PROXY.";

  test.each([
    ["with status 407", new TunnelRefused(407), "refused to connect, with status 407", false, CREDENTIALS],
    ["with status 403", new TunnelRefused(403), "refused to connect, with status 403", false, CHECK],
    ["with status 499", new TunnelRefused(499), "refused to connect, with status 499", false, CHECK],
    ["with status 500", new TunnelRefused(500), "refused to connect, with status 500", true, CHECK],
    ["for an unknown reason", new Error("failed"), "closed the connection", true, CHECK],
    ["because nobody listens", failure("ECONNREFUSED"), "refused the connection", true, CHECK],
    ["because nobody knows its name", failure("ENOTFOUND"), "has an unknown host name", false, CHECK],
    ["because it does not answer", noConnectionWithin(1000), "accepted no connection within 1 s", true, CHECK],
  ])("%s says so and names the variable", (_, cause, text, isTemporary, hint) => {
    expect(proxyProblem(proxy, cause)).toEqual({
      kind: "proxy",
      text: `the proxy http://proxy.example.com:3128 (HTTPS_PROXY) ${text}`,
      isTemporary,
      hint,
    });
  });

  test("because of its certificate has the hint for certificates", () => {
    expect(proxyProblem(proxy, failure("CERT_HAS_EXPIRED"))).toMatchObject({
      kind: "proxy",
      hint: "Renew it, or correct the clock of this machine.",
    });
  });
});
