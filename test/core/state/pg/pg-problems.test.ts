import { printable } from "../../../../src/core/model/words.ts";
import { describe, expect, test } from "vitest";
import { connectionProblem, noAnswer, refusedStatement } from "../../../../src/core/state/pg/pg-problems.ts";

const SERVER = { shown: "postgres://db/states", user: "ada", database: "My states" };
const failed = (code: string, message = "it\nfailed") => connectionProblem(SERVER, { code, message });

describe("a connection to PostgreSQL that fails", () => {
  test.each([
    ["28P01", "wrong user or password", "Correct the user and the password in the URL."],
    ["28000", "it failed", expect.stringContaining("pg_hba.conf") as string],
    ["42501", "it failed", 'Grant it: GRANT CONNECT ON DATABASE "My states" TO ada;'],
  ])("with %s is denied", (code, why, hint) => {
    expect(failed(code)).toMatchObject({
      code: "state_denied",
      detail: `postgres://db/states refused the user ada: ${why}.`,
      hint,
    });
  });

  test("without a password, where the server wants one, is denied", () => {
    expect(failed("", "no password")).toMatchObject({
      code: "state_denied",
      hint: "Write it into the URL, or set PGPASSWORD.",
    });
  });

  test.each([
    ["3D000", "the database My states does not exist", 'Create it: CREATE DATABASE "My states"; or correct the URL.'],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "no known authority signed the server's certificate", "sslrootcert=PATH"],
    ["ECONNREFUSED", "the connection was refused", "Check that the server runs"],
    ["ENOTFOUND", "the host name is unknown", "Correct the host name"],
    ["EAI_AGAIN", "the host name could not be looked up", "Check the network"],
    ["EHOSTUNREACH", "the server cannot be reached", "Check the network"],
    ["ENETUNREACH", "the server cannot be reached", "Check the network"],
    ["ETIMEDOUT", "the server cannot be reached", "Check the network"],
    ["ENOENT", "there is no socket in that folder", "Check that the server runs"],
    ["CERT_HAS_EXPIRED", "the server's certificate has expired", "Renew it"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "the server's certificate is for another host name", "Correct the host name."],
    ["53300", "the server has no connection left", "raise max_connections"],
    ["57P01", "an administrator ended the connection", "Check the network"],
    ["57P03", "the server does not accept connections now", "Run the command again later."],
    ["XX000", "it failed", "Check the network"],
    ["ECONNRESET", "the connection was closed", "Check the network"],
  ])("with %s cannot be reached", (code, why, hint) => {
    expect(failed(code)).toMatchObject({
      code: "state_unreachable",
      detail: expect.stringContaining(`The connection to postgres://db/states failed: ${why}`) as string,
      hint: expect.stringContaining(hint) as string,
    });
  });

  test("for lack of TLS says so, and for an unknown reason that it was closed", () => {
    expect(failed("", "The server does not support SSL connections")).toMatchObject({
      hint: expect.stringContaining("sslmode=disable") as string,
    });
    expect(connectionProblem(SERVER, { message: "it failed" }).detail).toContain("the connection was closed");
    expect(noAnswer(SERVER, 2500).detail).toContain("no answer within 2.5 s");
  });
});

describe("a statement that PostgreSQL refuses", () => {
  const refused = (code: string, message: string, user = "ada") =>
    refusedStatement("the state", { ...SERVER, user }, { schema: "toys", code, message });

  test("for lack of rights names the rights to grant", () => {
    expect(refused("42501", "permission denied for database x")).toMatchObject({
      code: "state_denied",
      detail: "the state: permission denied for database x.",
      hint: 'Create the schema as an administrator: CREATE SCHEMA toys AUTHORIZATION ada; or: GRANT CREATE ON DATABASE "My states" TO ada;',
    });
    expect(refused("42501", "permission denied for table x", 'a"b')).toMatchObject({
      hint: expect.stringContaining(
        'To write and lock: GRANT USAGE, CREATE ON SCHEMA toys TO "a""b"; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA toys TO "a""b";',
      ) as string,
    });
  });

  test.each([
    ["25006", "only reads"],
    ["53100", "disk is full"],
    ["57014", "Another session may be blocking"],
    ["XX000", "Correct this on the server"],
  ])("with %s has a hint of its own", (code, hint) => {
    expect(refused(code, "no")).toMatchObject({
      code: "state_answer",
      detail: `the state: no (SQLSTATE ${code}).`,
      hint: expect.stringContaining(hint) as string,
    });
  });

  test("is quoted on one line, and not for long", () => {
    expect(printable(`a\n\u202e b${"x".repeat(400)}`)).toBe(`a b${"x".repeat(197)}…`);
  });
});
