import { expect, test } from "vitest";
import { type Fleet, useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const PATIENT = { timeout: 20_000 };
const WEBHOOKS = '  crm: { target_url: "https://crm.example.com/${team.name}" }\n';

const ask = async ({ project, url }: Fleet, words: string): Promise<string> => {
  const { code, out, err } = await project.run(`controller ${words} --database ${url}`);
  return `${String(code)} ${out}${err}`;
};

test("what a person asks for is answered by what happens next, also while no controller runs", async () => {
  const fleet = await openFleet();
  await fleet.declare(WEBHOOKS);
  const controller = fleet.controller("--auto none --interval 10h");
  await expect.poll(() => ask(fleet, "status"), PATIENT).toContain("2 teams");
  expect(await ask(fleet, "run emea")).toBe("0 A controller reconciles emea now. See the result: outreach controller status\n");
  expect(await ask(fleet, "resume emea")).toBe("0 emea is neither paused nor parked, so there was nothing to resume.\n");
  expect(await ask(fleet, "pause apac")).toBe("0 apac is paused. To go on: outreach controller resume apac\n");
  expect(await ask(fleet, "resume apac")).toBe("0 apac is resumed. A controller reconciles it now.\n");
  const planOf = async (): Promise<string> => /^emea +waiting .* ([0-9a-f-]{36}) /m.exec(await ask(fleet, "status"))?.[1] ?? "";
  await expect.poll(planOf, PATIENT).not.toBe("");
  controller.interrupt();
  await controller.ended;

  const nobody = "No controller is running: the next one to start";
  expect(await ask(fleet, "run emea")).toBe(`0 ${nobody} reconciles emea. See the result: outreach controller status\n`);
  expect(await ask(fleet, `approve emea ${await planOf()}`)).toBe(
    `0 Approved. ${nobody} applies this plan of emea, if it still fits. See the result: outreach controller status\n`,
  );
  await ask(fleet, "pause apac");
  expect(await ask(fleet, "resume apac")).toBe(`0 apac is resumed. ${nobody} reconciles it.\n`);
});

test("an unknown team is named, with those that the fleet has", async () => {
  const fleet = await openFleet();
  await fleet.declare(WEBHOOKS);
  const controller = fleet.controller("--auto none --interval 10h");
  await expect.poll(() => ask(fleet, "status"), PATIENT).toContain("2 teams");
  for (const words of ["run emae", "pause emae", "resume emae", "approve emae 1"])
    expect(await ask(fleet, words)).toContain('The fleet has no team "emae". It has apac, emea.');
  controller.interrupt();
  await controller.ended;
});
