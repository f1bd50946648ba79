import { expect, test } from "vitest";
import { usePostgres } from "../../../core/state/pg/shared-postgres.ts";
import { useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const postgres = usePostgres();

test("a database without a fleet is named, with what to do", async () => {
  const { project, url } = await openFleet();
  for (const words of ["status", "run emea", "pause emea", "approve emea 1"]) {
    const { code, out, err } = await project.run(`controller ${words} --database ${url}`);
    expect([code, out]).toEqual([1, ""]);
    for (const part of ["Error: No fleet in this database", new URL(url).pathname, "The first controller"])
      expect(err).toContain(part);
  }
});

test("a database that cannot hold every character is refused, with how to create another", async () => {
  const fleet = await openFleet();
  const { project } = fleet;
  await fleet.declare('  crm: { target_url: "https://crm.example.com/hook" }\n');
  const { user, url } = await postgres.database();
  const name = `latin_${user}`;
  await postgres.query(`CREATE DATABASE ${name} OWNER ${user} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  const latin = Object.assign(new URL(url), { pathname: name }).href;
  try {
    const refused = await Promise.all([
      ...["status", "run emea"].map((words) => project.run(`controller ${words} --database ${latin}`)),
      fleet.controller(`--database ${latin}`).ended,
    ]);
    for (const { code, err } of refused) {
      expect(code).toBe(1);
      for (const part of [`/${name} has the encoding LATIN1`, `CREATE DATABASE fleet OWNER ${user} ENCODING 'UTF8'`])
        expect(err).toContain(part);
    }
    expect(await postgres.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'outreach%'", latin)).toEqual([]);
  } finally {
    await postgres.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});

test("a user without rights in the fleet learns how to get them", async () => {
  const fleet = await openFleet();
  const { project, url } = fleet;
  await fleet.declare('  crm: { target_url: "https://crm.example.com/hook" }\n');
  const first = fleet.controller(`--database ${url} --auto none`);
  await expect
    .poll(() => first.written.map(({ text }) => text).join(""), { timeout: 20_000 })
    .toContain('"event":"started"');
  first.interrupt();
  await first.ended;
  const { user, password } = await postgres.database();
  const theirs = Object.assign(new URL(url), { username: user, password }).href;
  const refused = await Promise.all([
    ...["status", "run emea"].map((words) => project.run(`controller ${words} --database ${theirs}`)),
    fleet.controller(`--database ${theirs}`).ended,
  ]);
  for (const { code, err } of refused) {
    expect(code).toBe(1);
    for (const part of [
      "Error: Access to the fleet was denied",
      "permission denied for schema outreach_fleet",
      ` TO ${user};`,
    ])
      expect(err).toContain(part);
  }
});

test("a wrong address of the database is explained with what to do about it", async () => {
  const { project, url } = await openFleet();
  const { code, err } = await project.run(`controller status --database ${url}x`);
  expect(code).toBe(1);
  for (const part of ["does not exist", "Create it: CREATE DATABASE"]) expect(err).toContain(part);
});
