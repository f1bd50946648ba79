import type { Ports } from "../../../../src/operations/context.ts";
import { describe, expect, test } from "vitest";
import { chooseStore } from "../../../../src/core/state/backends.ts";
import { stageName } from "../../../../src/operations/configuration/configuration-name.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { memoryFiles } from "../../../core/state/memory-files.ts";
import { countingRandom, processOf, storePorts } from "../../../core/state/state-fixtures.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

const CONFIGURATION = `version: 1
webhooks:
  crm:
    target_url: https://crm.example.com/hook
    type: emailsReplied
  placeholder:
    target_url: https://{{host}}/x
    type: emailsSent
lead_unsubscriptions:
  gdpr:
    campaign_id: cam_000001
    emails: [ada@leads.example]
`;

async function planned(): Promise<Project> {
  const project = await openProject();
  project.write("teams/crm/outreach.yaml", CONFIGURATION);
  return project;
}

describe("outreach show --format", () => {
  test("markdown prints a saved plan as a comment: its configuration's name, the counts, the warnings, masked emails", async () => {
    const project = await planned();
    expect((await project.run("plan -c teams/crm/outreach.yaml --out saved.plan")).code).toBe(0);
    const { code, out } = await project.run("show --format markdown saved.plan");
    expect(code).toBe(0);
    expect(out.split("\n").slice(0, 5)).toEqual([
      "<!-- outreach-as-code: teams/crm/outreach.yaml -->",
      "",
      "### Plan for `teams/crm/outreach.yaml`",
      "",
      "**Plan: 3 to add, 0 to change, 0 to destroy.**",
    ]);
    expect(out).toContain("Warning: ");
    expect(out).toContain('| `+` | `outreach_webhook.crm` | `target_url`: `"https://crm.example.com/hook"`');
    expect(out).toMatch(/`email`: `"a\*\*\*@leads\.example#[0-9a-f]{8}"`/);
    expect(out).not.toContain("ada@");
    expect((await project.run("show --format markdown --show-emails saved.plan")).out).toContain("ada@leads.example");
  });

  test("names the place of the state without user and password, and a long one by its end", async () => {
    const environment = {
      TF_HTTP_LOCK_ADDRESS: "https://state.example.com/lock",
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
    };
    const context = { environment: {}, folder: "/work" } as Ports;
    const at = async (named: string): Promise<string | null> => {
      const { value: open } = chooseStore({ named }, environment);
      const store =
        (await open?.(
          storePorts({ files: memoryFiles(), clock: nodeClock, random: countingRandom(), process: processOf() }, {}),
        )) ?? expect.fail();
      return stageName(context, store, { folder: "/work/crm" });
    };
    const places = [
      "postgres://ada:hunter2@db.example.com/crm?name=staging",
      "postgres://ada:hunter2@db.example.com/crm?name=production",
      "https://state.example.com/production?token=hunter2",
      "s3://acme-states/production.json",
      `${"long/".repeat(40)}production.json`,
      `Long/${"long/".repeat(39)}production.json`,
      "crm/production.json",
      "crm/outreach.state.json",
    ];
    const names = await Promise.all(places.map(at));
    expect(names.map((name) => name?.replace(/#[0-9a-f]{8}$/, "#"))).toEqual([
      "postgres://db.example.com/crm?schema=outreach&name=staging#",
      "postgres://db.example.com/crm?schema=outreach&name=production#",
      "https://state.example.com/production#",
      "s3://acme-states/production.json#",
      ...Array<string>(2).fill(`…${"long/".repeat(17)}production.json#`),
      "crm/production.json#",
      undefined,
    ]);
    expect(names[4]).not.toBe(names[5]);
  });

  test("names the configuration by its place in the checkout of the CI job, wherever the command runs", async () => {
    const project = await planned();
    const nameOf = async (
      config: string,
      environment: { readonly [name: string]: string } = {},
    ): Promise<string | undefined> => {
      expect((await project.run(`plan -c ${config} --out saved.plan`, environment)).code).toBe(0);
      return (await project.run("show --format markdown saved.plan")).out.split("\n")[0];
    };
    const place = project.folder.split("/");
    expect(await nameOf("./teams/crm/outreach.yaml")).toBe("<!-- outreach-as-code: teams/crm/outreach.yaml -->");
    expect(await nameOf("teams/crm", { GITHUB_WORKSPACE: place.slice(0, -1).join("/") })).toBe(
      "<!-- outreach-as-code: project/teams/crm -->",
    );
    expect(await nameOf("teams/crm", { CI_PROJECT_DIR: `${project.folder}/teams/crm` })).toBe(
      "<!-- outreach-as-code: . -->",
    );
    expect(await nameOf("teams/crm", { GITHUB_WORKSPACE: `${project.folder}/teams/cr` })).toBe(
      "<!-- outreach-as-code: teams/crm -->",
    );
    project.write("a --> <b>#%.yaml", CONFIGURATION);
    expect(await nameOf("'a --> <b>#%.yaml'")).toBe("<!-- outreach-as-code: a --%3E %3Cb%3E%23%25.yaml -->");
  });

  test("prints the state", async () => {
    const project = await planned();
    expect((await project.run("apply -c teams/crm/outreach.yaml --auto-approve")).code).toBe(0);
    const { out } = await project.run("show -c teams/crm/outreach.yaml --format markdown");
    expect(out).toContain("#### 3 objects");
    expect(out).not.toContain("ada@");
  });

  test("html is one page, with the same name, the warnings and masked emails", async () => {
    const project = await planned();
    expect((await project.run("plan -c teams/crm/outreach.yaml --out saved.plan")).code).toBe(0);
    const { code, out } = await project.run("show --format html saved.plan");
    expect(code).toBe(0);
    expect(out).toMatch(/^<!doctype html>[^]*<title>Plan for teams\/crm\/outreach\.yaml<\/title>[^]*<\/html>\s*$/);
    expect(out).toContain("<h3>Warning: ");
    expect(out).toMatch(/a\*\*\*@leads\.example#[0-9a-f]{8}/);
    expect(out).not.toContain("ada@");
    expect((await project.run("apply -c teams/crm/outreach.yaml saved.plan")).code).toBe(0);
    expect((await project.run("show -c teams/crm/outreach.yaml --format html")).out).toContain("<title>State</title>");
  });

  test("a failure is text on stderr", async () => {
    const project = await planned();
    const { code, out, err } = await project.run("show --format markdown absent.plan");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error: Cannot read the plan");
  });
});

describe("a plan that is saved in CI", () => {
  const NOTE = `Note: The saved plan is not encrypted [plan_readable]

If you upload saved.plan, anyone who can download the artifacts of this job can read its target URLs, campaign ids, fingerprints of secrets and the email of 1 lead.
To encrypt it with the key of the state, set state.encryption: see "Encrypt the state" in the documentation.
`;

  test("says who can read it, and what it contains, unless it is encrypted", async () => {
    const project = await planned();
    const errOf = async (environment: { readonly [name: string]: string }): Promise<string> => {
      const { code, err } = await project.run(
        "plan -c teams/crm/outreach.yaml --allow-local-state --out saved.plan",
        environment,
      );
      expect(code, err).toBe(0);
      return err;
    };
    expect(await errOf({ CI: "true" })).toContain(NOTE);
    expect(await errOf({})).not.toContain("not encrypted");
    const json = await project.run("plan -c teams/crm/outreach.yaml --allow-local-state --json --out saved.plan", {
      CI: "true",
    });
    expect(json.out).toContain("The saved plan is not encrypted: If you upload saved.plan");
    project.write(
      "teams/crm/outreach.yaml",
      CONFIGURATION.replace("webhooks:", "state: { encryption: { passphrase: { env: STATE_KEY } } }\nwebhooks:"),
    );
    expect(await errOf({ CI: "true", STATE_KEY: "a passphrase of some length" })).not.toContain("not encrypted");
    expect(project.read("saved.plan")).not.toContain("crm.example.com");
  });
});
