import { expect, test } from "vitest";
import { type Selection, selectionOf } from "../../../src/service/deliveries/deliveries.ts";
import { countChanges } from "../../../src/service/deliveries/delivery-changes.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { type Project, useProjects } from "../cli/project.ts";
import { SECRET, openTeam, openTerraform, plannedByAddress, terraformPlan } from "./handover.ts";
import { STACK, synthesise } from "./synthesise.ts";

const openProject = useProjects();

const TYPES = [
  "emailsReplied",
  "emailsSent",
  "emailsBounced",
  "emailsOpened",
  "emailsClicked",
  "annotated",
  "connectionIssue",
];

interface TestReport {
  readonly files: readonly {
    readonly tests: readonly {
      readonly name: string;
      readonly receivers: readonly { readonly target: string; readonly delivered: number }[];
    }[];
  }[];
}

/** What `outreach test` computes for each event: how often each URL gets it, and with which secret. */
async function tested(project: Project, config: string): Promise<unknown> {
  const { out, err } = await project.run(`test -c ${config} --json all-events.yaml`);
  const { files } = JSON.parse(out) as TestReport;
  const results = files.flatMap(({ tests }) =>
    tests.map(
      ({ name, receivers }) =>
        [name, receivers.map(({ target, delivered }) => `${target} ${String(delivered)}`).toSorted()] as const,
    ),
  );
  expect(results.filter(([, receivers]) => receivers.length > 0).length, `${out}${err}`).toBeGreaterThan(10);
  return Object.fromEntries(results);
}

test(
  "a configuration in YAML, as a stack, back in YAML and in HCL delivers each event alike",
  { timeout: 120_000 },
  async (context) => {
    const project = await openTeam(openProject);
    const campaigns = [
      { id: "cam_000001", name: "Q3 launch" },
      { id: "cam_000002", name: "Another" },
      { id: "cam_000003", name: "Paused", status: "paused" },
    ];
    const events = TYPES.flatMap((type) =>
      [undefined, ...campaigns.map(({ id }) => id)].flatMap((campaign) =>
        [true, false].map((first) => ({ type, first, ...(campaign === undefined ? {} : { campaign }) })),
      ),
    );
    const tests = Object.fromEntries(events.map((event) => [JSON.stringify(event), { event, receives: [] }]));
    project.write("all-events.yaml", JSON.stringify({ version: 1, campaigns, tests }));
    const before = await tested(project, "outreach.yaml");

    await synthesise(project, (await project.run("convert --to cdk --show-emails")).out);
    expect(await tested(project, STACK)).toEqual(before);
    project.write("back.yaml", (await project.run(`convert -c ${STACK} --to yaml --show-emails`)).out);
    expect(await tested(project, "back.yaml")).toEqual(before);

    // The command reads no HCL: Terraform's plan shows what it declares.
    const terraform = await openTerraform(project, context);
    terraform.environment = { ...terraform.environment, TF_VAR_crm_hook_secret: SECRET };
    terraform.write("main.tf", (await project.run("convert --to hcl --show-emails")).out);
    const selections = ({ made }: { readonly made: { readonly [address: string]: object } }): readonly Selection[] =>
      Object.values(made).flatMap((values) =>
        "target_url" in values ? (selectionOf(values as Attributes) ?? []) : [],
      );
    const [yaml, hcl] = [
      selections(await plannedByAddress(project, "outreach.yaml")),
      selections((await terraformPlan(terraform)) as never),
    ];
    expect(yaml.length).toBeGreaterThan(5);
    expect(countChanges(yaml, hcl)?.changes).toEqual([]);
    expect(countChanges(yaml, hcl.slice(1))?.changes.length).toBeGreaterThan(0);
  },
);
