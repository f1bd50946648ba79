import { expect, test } from "vitest";
import { type Fleet, useFleets } from "../frontends/cli/controller/fleet-project.ts";
import { needsTerminal, runOnTerminal } from "../frontends/cli/project.ts";
import { fencesOf } from "./markdown.ts";
import { read } from "./pages.ts";
import { deedsOf, tells } from "./transcript.ts";

const openFleet = useFleets();
const PATIENT = { timeout: 60_000 };
const TEAMS = Array.from({ length: 5 }, (_, index) => `client-00${String(index + 1)}`);
const GROUP = /\b[\da-f]{10}\b/g;
/** The freeze of the page, and one that is to come whenever this runs. */
const [TOLD_DAY, DAY] = ["2027-01-04", "2100-01-04"];

/** A controller, and five teams whose plans wait after one edit of the configuration. */
async function openWaiting(): Promise<{ readonly fleet: Fleet; readonly stop: () => Promise<unknown> }> {
  const fleet = await openFleet();
  const hooks = ["replies", "bounces"];
  const write = (host: string): void =>
    fleet.project.write(
      "outreach.yaml",
      [
        "version: 1",
        "service: { api_key: { env: KEY_EMEA } }",
        "state: { backend: pg, schema: states, name: 'of-${team.name}' }",
        "limits: { delete: 1, replace: 1 }",
        `teams: { ${TEAMS.map((name) => `${name}: {}`).join(", ")} }`,
        "webhooks:",
        ...hooks.map(
          (hook) => `  ${hook}: { target_url: 'https://${host}/\${team.name}/${hook}', type: emailsReplied }`,
        ),
        "",
      ].join("\n"),
    );
  write("crm.example.com");
  const controller = fleet.controller("--auto safe --interval 10m");
  const status = async (): Promise<string> =>
    (await fleet.project.run(`controller status --database ${fleet.url}`)).out;
  await expect.poll(status, PATIENT).toContain("5 teams");
  await fleet.project.run(`controller run --team * --auto-approve --database ${fleet.url}`);
  await expect.poll(() => fleet.project.sandbox.webhooks().length, PATIENT).toBe(2 * TEAMS.length);
  write("new.example.com");
  await expect.poll(status, PATIENT).toMatch(/^5 teams: 5 waiting\.$/m);
  return { fleet, stop: () => (controller.interrupt(), controller.ended) };
}

test("the guide on approvals tells what its commands print", async (context) => {
  needsTerminal(context);
  const page = read("docs/guides/fleet-approvals.md");
  const consoles = fencesOf(page).filter(
    ({ language, words }) => language === "console" && words.includes("elsewhere"),
  );
  const deeds = consoles
    .flatMap(({ text }) => deedsOf(`\`\`\`console\n${text}\n\`\`\``))
    .flatMap((deed) => (deed.kind === "run" ? [deed] : []));
  expect(deeds).toHaveLength(4);
  const { fleet, stop } = await openWaiting();
  const key = GROUP.exec((await fleet.project.run(`controller status --database ${fleet.url}`)).out)?.[0] ?? "";
  GROUP.lastIndex = 0;
  for (const { command, told } of deeds) {
    const line = `${command.replace("npx outreach-as-code ", "").replaceAll(GROUP, key).replaceAll(TOLD_DAY, DAY).replaceAll('"', "'")} --database ${fleet.url}`;
    const isAsked = command.includes("--group");
    const { out, err } = isAsked
      ? { ...(await runOnTerminal(fleet.project, line, "yes")), err: "" }
      : await fleet.project.run(line);
    const [shown, expected] = [out + err, told ?? ""].map((text) =>
      text.replaceAll(GROUP, "0123456789").replaceAll(DAY, TOLD_DAY),
    );
    if (!tells(expected ?? "", shown ?? "")) expect(shown, command).toBe(expected);
  }
  await stop();
});
