import { describe, expect, it } from "vitest";
import { useProjects } from "../frontends/cli/project.ts";
import { sandboxForTest } from "../frontends/terraform/provider-under-test.ts";
import { TerraformUnderTest, hasTerraform } from "../frontends/terraform/terraform-under-test.ts";
import { type PlanningOptions, SECRET, planAll } from "./plan-pairs.ts";
import { expectLine, expectPlan } from "./schemas.ts";

/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-return -- JSON as another program prints it */

/** A plan, and the counts of its summary line. */
interface Printed {
  readonly show: any;
  readonly summary: string;
  readonly changes: any;
}
type Plans = Record<string, Printed>;

interface Difference {
  readonly why: string;
  /** What each side leaves out of the comparison: names of members from the top, `*` for any, and `DATA` for the data sources of a list. */
  readonly ours?: readonly string[];
  readonly theirs?: readonly string[];
  /** The only plans that it is about. */
  readonly plans?: readonly string[];
}

const IDENTITIES = [
  ...["before_identity", "after_identity"].map((name) => `*.*.change.${name}`),
  ...["planned_values", "prior_state.values"].flatMap((values) =>
    ["identity", "identity_schema_version"].map((name) => `${values}.root_module.resources.*.${name}`),
  ),
];

/** Every difference that is on purpose. */
const ON_PURPOSE: readonly Difference[] = [
  { why: "our own version", ours: ["outreach_version"] },
  { why: "the same plan gives the same text", theirs: ["timestamp"] },
  {
    why: "the blocks of a configuration are listed without their expressions and descriptions",
    theirs: [
      "configuration.root_module.resources.*.expressions",
      "configuration.root_module.outputs.*.expression",
      "relevant_attributes",
    ],
  },
  {
    why: "a stack of Terraform names its providers itself",
    theirs: ["configuration.provider_config.*.version_constraint"],
  },
  { why: "the value of a sensitive variable is never printed", theirs: ["variables.secret"] },
  {
    why: "only our own reconciler has these attributes",
    ours: ["rotation", "protect"].flatMap((name) => [
      `*.*.change.before.${name}`,
      `*.*.change.after.${name}`,
      `planned_values.root_module.resources.*.values.${name}`,
      `prior_state.values.root_module.resources.*.values.${name}`,
    ]),
  },
  {
    why: "here terraform masks a value only where there is one",
    ours: ["planned_values.root_module.resources.*.sensitive_values.secret_wo"],
    theirs: ["planned_values.root_module.resources.*.sensitive_values.secret_wo"],
    plans: ["an import that is replaced"],
  },
  { why: "the state records no dependencies", theirs: ["prior_state.values.root_module.resources.*.depends_on"] },
  {
    why: "what Terraform prints from 1.12 on",
    ours: IDENTITIES,
    theirs: IDENTITIES,
  },
  { why: "what an apply costs", ours: ["requests"] },
  { why: "what nobody has verified", ours: ["assumed_attributes"] },
  { why: "names next to ids", ours: ["names"] },
  {
    why: "outputs are recorded by an apply, not by a refresh",
    theirs: ["prior_state.values.outputs"],
    ours: ["prior_state.values.outputs"],
  },
  {
    why: "outputs are planned whatever the targets are",
    ours: ["output_changes", "planned_values.outputs"],
    theirs: ["output_changes"],
    plans: ["a target"],
  },
  { why: "a target leaves out no data", ours: ["prior_state"], theirs: ["prior_state"], plans: ["a target"] },
  {
    why: "a plan without secrets cannot be applied",
    ours: ["applyable"],
    theirs: ["applyable"],
    plans: ["a secret that is unknown"],
  },
  {
    why: "a destroy reads no data sources",
    ours: ["prior_state.values.root_module.resources.DATA"],
    theirs: ["prior_state.values.root_module.resources.DATA"],
    plans: ["a destroy of what moves", "a destroy of what is gone or has changed"],
  },
];

function without(value: any, path: readonly string[]): any {
  const [name = "", ...rest] = path;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (name === "DATA") return value.filter(({ mode }) => mode !== "data");
    return value.map((one) => without(one, name === "*" ? rest : path));
  }
  const entries = Object.entries<any>(value).flatMap(([key, inner]) => {
    if (name !== "*" && key !== name) return [[key, inner]];
    return rest.length === 0 ? [] : [[key, without(inner, rest)]];
  });
  return Object.fromEntries(entries);
}

/** Ids and times differ between two services, and secrets are masked in ours. */
function normalised(show: any): any {
  const text = JSON.stringify(show)
    .replaceAll(SECRET, "(sensitive value)")
    .replaceAll(/hoo_\d+/g, "hoo_000000")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00.000Z");
  return sorted(JSON.parse(text));
}

function sorted(value: any): any {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((a, b) => (String(a?.address) < String(b?.address) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner)]));
}

function comparable(show: any, side: "ours" | "theirs", name: string): any {
  const differences = ON_PURPOSE.filter(({ plans }) => plans?.includes(name) ?? true);
  const paths = differences.flatMap((difference) => difference[side] ?? []);
  return paths.reduce((rest, path) => without(rest, path.split(".")), normalised(show));
}

/** `outreach generate` and then a plan shows imports only: what an import records on its own counts as an import alone. */
function countsOf({ summary, changes }: Printed, name: string): unknown {
  if (name !== "an import with values that the service does not show") return [summary, changes];
  expect(changes).toMatchObject({ import: 1, change: 1 });
  return [summary.replace("1 to change", "0 to change"), { ...changes, change: 0 }];
}

function printed(show: string, lines: string): Printed {
  const messages = lines.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  const { "@message": summary, changes } = messages.find(({ type }) => type === "change_summary");
  for (const line of messages) expectLine(line);
  return { show: JSON.parse(show), summary, changes };
}

async function theirPlans(): Promise<Plans> {
  const sandbox = await sandboxForTest();
  const terraform = await TerraformUnderTest.start({
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
  });
  const plans: Plans = {};
  const given = ["-var=region=us", `-var=secret=${SECRET}`];
  const plan = async (name: string, { target, destroy }: PlanningOptions = {}): Promise<void> => {
    const options = [...(target === undefined ? [] : [`-target=${target}`]), ...(destroy ? ["-destroy"] : [])];
    const { output, status } = await terraform.run("plan", "-json", "-out=plan", ...given, ...options);
    expect(status, output).toBe(0);
    plans[name] = printed((await terraform.run("show", "-json", "plan")).output, output);
  };
  const apply = async (): Promise<void> => {
    const { status, output } = await terraform.apply(...given);
    expect(status, output).toBe(0);
  };
  try {
    await planAll({ sandbox, declare: ({ hcl }) => terraform.write("main.tf", hcl), plan, apply });
    return plans;
  } finally {
    await terraform.remove();
    await sandbox.close();
  }
}

const openProject = useProjects();

describe("the plan as JSON, compared with that of the real terraform,", () => {
  it("is the same but for what is on purpose", async (context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");
    const theirs = await theirPlans();
    const { environment, sandbox, write, run } = await openProject();
    environment["CRM_SECRET"] = SECRET;
    const ours: Plans = {};
    const done = async (command: string): Promise<string> => {
      const { code, out, err } = await run(command);
      expect({ code, err }, out).toEqual({ code: 0, err: "" });
      return out;
    };
    const given = `--var region=us --var secret=${SECRET}`;
    const plan = async (name: string, { target, destroy, withoutSecrets }: PlanningOptions = {}): Promise<void> => {
      const options = [
        ...(target === undefined ? [] : [`--target ${target}`]),
        ...(destroy ? ["--destroy"] : []),
        ...(withoutSecrets ? ["--no-secrets"] : []),
      ];
      const lines = await done(`plan --json --out plan ${given} ${options.join(" ")}`);
      ours[name] = printed(await done("show --json plan"), lines);
    };
    const apply = async (): Promise<void> => {
      const { code, err } = await run(`apply --auto-approve ${given}`);
      expect(code, err).toBe(0);
    };
    await planAll({ sandbox, declare: ({ yaml }) => write("outreach.yaml", yaml), plan, apply });
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
    for (const [name, their] of Object.entries(theirs)) {
      const mine = ours[name];
      expectPlan(mine?.show);
      expectPlan(their.show);
      expect.soft(comparable(mine?.show, "ours", name), name).toEqual(comparable(their.show, "theirs", name));
      expect.soft([mine?.summary, mine?.changes], name).toEqual(countsOf(their, name));
    }
  }, 120_000);
});
