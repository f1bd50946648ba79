import { expect, test } from "vitest";
import { type Fleet, useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const KEYS =
  "service: { api_key: { env: KEY_EMEA } }\nstate: { backend: pg, schema: states, name: 'of-${team.name}' }\n";
const HOOK = 'webhooks:\n  crm: { target_url: "https://crm.example.com/${team.name}" }\n';
const list = (...names: readonly string[]): string => `team\n${names.join("\n")}\n`;
const TEN = Array.from({ length: 10 }, (_, index) => `client-${String(index)}`);

/** A fleet whose teams are in a list. */
async function opened(from: string, rest = ""): Promise<Fleet> {
  const fleet = await openFleet();
  fleet.project.write("outreach.yaml", `version: 1\n${KEYS}teams_from: ${from}\n${rest}${HOOK}`);
  return fleet;
}

const namesOf = ({ teams }: { readonly teams: readonly { readonly name: string }[] }): readonly string[] =>
  teams.map(({ name }) => name);

test("a fleet follows a list, in any order, and keeps the one before while it is empty, wrong or lost too many teams", async () => {
  const fleet = await opened("clients.csv");
  const { project } = fleet;
  project.write("clients.csv", list(...TEN));
  const work = fleet.another({ known: TEN });
  const first = await work.read(fleet.signal);
  expect(namesOf(first)).toEqual(TEN);
  project.write("clients.csv", list(...TEN.toReversed()));
  expect((await work.read(fleet.signal)).digest).toBe(first.digest);
  for (const [text, code] of [
    [list(), "team_list"],
    ["", "team_list"],
    [list("Client 1"), "team_list_invalid"],
    [list(...TEN.slice(4)), "fleet_teams_lost"],
  ] as const) {
    project.write("clients.csv", text);
    await expect(work.read(fleet.signal), code).rejects.toMatchObject({
      diagnostics: [expect.objectContaining({ code })],
    });
    // A team that the list no longer has is still reconciled.
    expect((await work.reconcile("client-0", "safe", fleet.signal)).outcome).toMatch(/^(?:applied|unchanged)$/);
  }
  project.write("clients.csv", list(...TEN.slice(3), "client-new"));
  expect(namesOf(await work.read(fleet.signal))).toEqual([...TEN.slice(3), "client-new"]);
});

test("a list may lose as many teams as limits.shrink says", async () => {
  const fleet = await opened("clients.csv", "limits: { shrink: 6 }\n");
  fleet.project.write("clients.csv", list(...TEN.slice(6)));
  expect(namesOf(await fleet.another({ known: TEN }).read(fleet.signal))).toEqual(TEN.slice(6));
  fleet.project.write("clients.csv", list(...TEN.slice(7)));
  const failed = fleet.another({ known: TEN }).read(fleet.signal);
  await expect(failed).rejects.toMatchObject({
    diagnostics: [
      {
        code: "fleet_teams_lost",
        detail: expect.stringContaining("no longer has 7 of the 10 teams of the fleet: client-0, client-1, ") as string,
        hint: expect.stringContaining("limits: { shrink: 7 }") as string,
      },
    ],
  });
});

test("a controller runs the command of a list once a minute", async () => {
  const fleet = await opened("{ command: [sh, clients.sh] }");
  const { project } = fleet;
  project.write("clients.sh", "echo run >> runs.log\ncat clients.csv\n");
  project.write("clients.csv", list("acme"));
  let nowMs = 0;
  const clock = { ...project.clock, monotonicMs: () => nowMs };
  const work = fleet.another({}, { clock });
  expect(namesOf(await work.read(fleet.signal))).toEqual(["acme"]);
  project.write("clients.csv", list("acme", "birch"));
  nowMs += 50_000;
  expect(namesOf(await work.read(fleet.signal))).toEqual(["acme"]);
  expect(project.read("runs.log")).toBe("run\n");
  nowMs += 20_000;
  expect(namesOf(await work.read(fleet.signal))).toEqual(["acme", "birch"]);
  expect(project.read("runs.log")).toBe("run\nrun\n");
  project.write("clients.sh", "exit 1\n");
  nowMs += 70_000;
  await expect(work.read(fleet.signal)).rejects.toMatchObject({ diagnostics: [{ code: "team_list" }] });
  expect((await work.reconcile("birch", "safe", fleet.signal)).outcome).toBe("applied");
});
