import { describe, expect, test } from "vitest";
import { chooseStore } from "../../../../src/core/state/backends.ts";
import { pgServer } from "../../../../src/core/state/pg/pg-server.ts";
import { virtualClock } from "../../virtual-clock.ts";
import { memoryFiles } from "../memory-files.ts";
import { countingRandom, processOf, storePorts } from "../state-fixtures.ts";

describe("the URL of a PostgreSQL server", () => {
  test.each<readonly [string, object]>([
    [
      "postgres://ada:hunter2@db/states",
      { host: "db", port: 5432, user: "ada", password: "hunter2", database: "states", shown: "postgres://db/states" },
    ],
    [
      "postgresql://ada:a%40b%2F@db:6543/x%20y",
      { port: 6543, password: "a@b/", database: "x y", shown: "postgres://db:6543/x%20y" },
    ],
    ["postgres://ada@db", { password: null, database: "ada" }],
    ["postgres://ada@[::1]:5433/x", { host: "::1", tls: null, shown: "postgres://[::1]:5433/x" }],
    ["postgres://ada@localhost/x?host=/var/run/postgresql", { host: "/var/run/postgresql", tls: null }],
    [
      "postgres://ada@db/x?channel_binding=require&application_name=ci&options=-c%20role%3Dx",
      { channelBinding: true, applicationName: "ci", options: "-c role=x" },
    ],
  ])("%s", (url, server) => {
    expect(pgServer(url, {}).value).toMatchObject(server);
  });

  test.each<readonly [string, { readonly isVerified: boolean } | null]>([
    ["postgres://ada@db/x", { isVerified: true }],
    ["postgres://ada@localhost.example.com/x", { isVerified: true }],
    ["postgres://ada@10.0.0.1/x?sslmode=require", { isVerified: true }],
    ["postgres://ada@db/x?sslmode=verify-full&sslrootcert=ca.pem", { isVerified: true, authority: "ca.pem" } as never],
    ["postgres://ada@db/x?sslmode=no-verify", { isVerified: false }],
    ["postgres://ada@db/x?sslmode=disable", null],
    ["postgres://ada@localhost/x", null],
    ["postgres://ada@127.0.0.2/x", null],
    ["postgres://ada@localhost/x?sslmode=require", { isVerified: true }],
  ])("%s is encrypted and verified beyond this machine, unless it says otherwise", (url, tls) => {
    const server = pgServer(url, {}).value;
    if (tls === null) expect(server?.tls).toBeNull();
    else expect(server?.tls).toMatchObject(tls);
  });

  test("takes user and password from the environment where it has none", () => {
    const environment = { PGUSER: "ada", PGPASSWORD: "hunter2" };
    expect(pgServer("postgres://db/x", environment).value).toMatchObject({ user: "ada", password: "hunter2" });
    expect(pgServer("postgres://bob:secret@db/x", environment).value).toMatchObject({
      user: "bob",
      password: "secret",
    });
  });

  test("takes them from PG_CONN_STR where that names the same database, with its parameters", () => {
    const environment = { PGUSER: "ada", PG_CONN_STR: "postgres://bob:secret@db:5433/x?sslmode=no-verify" };
    expect(pgServer("postgres://db:5433/x", environment).value).toMatchObject({
      user: "bob",
      password: "secret",
      tls: { isVerified: false },
    });
    for (const other of ["postgres://db/x", "postgres://db:5433/y", "postgres://other:5433/x"])
      expect(pgServer(other, environment).value).toMatchObject({
        user: "ada",
        password: null,
        tls: { isVerified: true },
      });
  });

  test.each([
    ["no URL", "host=db password=hunter2"],
    ["another scheme", "mysql://ada:hunter2@db/x"],
    ["a slash in the password", "postgres://ada:12/hunter2@db/x"],
    ["a question mark in the password", "postgres://ada:12?hunter2@db/x"],
    ["a hash sign in the password", "postgres://ada:12#hunter2@db/x"],
    ["a percent sign in the password", "postgres://ada:hunter2%@db/x"],
    ["no user", "postgres://db/x?application_name=hunter2"],
    ["an unknown parameter", "postgres://ada@db/x?password=hunter2"],
    ["an unknown sslmode", "postgres://ada@db/x?sslmode=hunter2"],
  ])("is refused with %s, and no part of it is shown", (_, url) => {
    const { value, diagnostics } = pgServer(url, {});
    expect(value).toBeNull();
    expect(diagnostics).toMatchObject([{ code: "state_setting_invalid", path: ["url"] }]);
    expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
  });
});

describe("a state in PostgreSQL", () => {
  const hidden: string[] = [];
  const ports = {
    ...storePorts(
      { files: memoryFiles(), clock: virtualClock(), random: countingRandom(), process: processOf() },
      { PG_CONN_STR: "postgres://ada:hunt%65r2@db/x" },
    ),
    hide: (secret: string) => void hidden.push(secret),
  };
  test.each<readonly [string, Parameters<typeof chooseStore>[0], string]>([
    [
      "a URL",
      { named: "postgres://ada:hunt%65r2@db/x?schema=s&name=eu%2Fprod" },
      "postgres://db/x?schema=s&name=eu%2Fprod",
    ],
    [
      "a URL with other parameters",
      { named: "postgresql://ada:hunt%65r2@db/x?sslmode=require&name=eu" },
      "postgres://db/x?schema=outreach&name=eu",
    ],
    ["settings", { backend: "pg", settings: { name: "eu" } }, "postgres://db/x?schema=outreach&name=eu"],
  ])("is named by %s, without credentials, and the password is hidden", async (_, place, name) => {
    hidden.length = 0;
    const { value: open, diagnostics } = chooseStore(place, ports.environment);
    expect(diagnostics).toEqual([]);
    expect((await open?.(ports))?.name).toBe(name);
    expect(hidden).toEqual(["hunter2", "hunt%65r2"]);
  });

  test.each([
    ["a schema whose name the server would cut off", { schema: "s".repeat(64) }, ["schema"]],
    ["a name with a null character", { name: "a\0b" }, ["name"]],
    ["an empty name", { name: "" }, ["name"]],
  ])("is refused with %s", (_, settings, path) => {
    expect(chooseStore({ backend: "pg", settings }, ports.environment)).toMatchObject({
      value: null,
      diagnostics: [{ code: "state_setting_invalid", path }],
    });
  });
});
