import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checksumOf } from "../../../../src/core/state/document.ts";
import { type Project, oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();
const STATE = "outreach.state.json";
const ADDRESS = "outreach_sequence.welcome";

/** A project with one applied webhook, whose state somebody changes as a newer version might. */
async function changedState(change: (state: { instances: unknown[] }) => void): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks"));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  const { checksum: _, ...state } = JSON.parse(project.read(STATE)) as { checksum: string; instances: unknown[] };
  change(state);
  project.write(STATE, JSON.stringify({ ...state, checksum: checksumOf(state) }));
  return project;
}

describe("a record of a resource type that this version does not know", () => {
  const addRecord = (state: { instances: unknown[] }): void =>
    void state.instances.unshift({
      ...(state.instances[0] as object),
      address: ADDRESS,
      type: "outreach_sequence",
      id: "seq_1",
    });

  test("stops every command that needs its type, with its address and the ways out, and nothing is sent", async () => {
    const project = await changedState(addRecord);
    for (const command of [
      "plan",
      "apply --auto-approve",
      "destroy --auto-approve",
      "refresh",
      "show",
      `state show ${ADDRESS}`,
    ]) {
      const { code, err, sent } = await project.run(command);
      expect({ command, code, sent }).toEqual({ command, code: 1, sent: [] });
      expect(err, command).toContain(`${ADDRESS} has the resource type outreach_sequence`);
      expect(err, command).toContain(`outreach state rm ${ADDRESS}`);
      expect(err, command).not.toContain("    at ");
    }
  });

  test("is listed, moved and removed, and then the configuration is planned again", async () => {
    const project = await changedState(addRecord);
    expect(await project.run("state list")).toMatchObject({
      code: 0,
      out: `${ADDRESS}\noutreach_webhook.crm\n`,
      err: "",
    });
    expect(await project.run("state show outreach_webhook.crm")).toMatchObject({ code: 0 });
    expect(await project.run("state pull")).toMatchObject({ code: 0 });
    expect(await project.run(`state rm ${ADDRESS}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining(ADDRESS) as string,
    });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });
});

describe("a state whose records are damaged", () => {
  test.each([
    [
      "a null record",
      (state: { instances: unknown[] }) => state.instances.push(null),
      "Number 2 of its instances is not a record.",
    ],
    [
      "a record without a type",
      (state: { instances: unknown[] }) => state.instances.unshift({ address: "x" }),
      "Number 1 of its instances is not a record.",
    ],
    ["no list of records", (state: { instances: unknown }) => (state.instances = null), "It has no list of instances."],
  ] as const)("with %s cannot be read, and the backup is the way out", async (_, change, detail) => {
    const whole = (await changedState(() => undefined)).read(STATE);
    const project = await changedState(change);
    project.write(`${STATE}.backup`, whole);
    for (const command of ["plan", "apply --auto-approve", "state rm outreach_webhook.crm"]) {
      const { code, err, sent } = await project.run(command);
      expect({ command, code, sent }).toEqual({ command, code: 1, sent: [] });
      expect(err, command).toContain("The state cannot be read");
      expect(err, command).toContain(detail);
      expect(err, command).toContain(`outreach state push --force ${STATE}.backup`);
      expect(err, command).not.toContain("    at ");
    }
  });

  test.each([
    ["no backup", null],
    ["a backup that is damaged too", "{"],
  ])("with %s does not offer it", async (_, backup) => {
    const project = await changedState(() => undefined);
    project.write(STATE, "{");
    rmSync(path.join(project.folder, `${STATE}.backup`));
    if (backup !== null) project.write(`${STATE}.backup`, backup);
    const { err } = await project.run("plan");
    expect(err).toContain("The file is not JSON.");
    expect(err).toContain("Restore the state from a copy of your own.");
    expect(err).not.toContain(".backup");
    expect(err).not.toContain("version control");
  });
});
