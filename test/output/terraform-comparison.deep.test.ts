import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Plan } from "../../src/core/plan/plan.ts";
import { type Line, appliedLines, lineText, planLines, progressLine } from "../../src/output/json/json-format.ts";
import { planJson } from "../../src/output/json/plan-json.ts";
import { stateJson } from "../../src/output/json/state-json.ts";
import type { PlanMode } from "../../src/output/content/output-format.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { hasTerraform } from "../frontends/terraform/terraform-under-test.ts";
import { ONLY_OURS } from "./engine-json.ts";
import {
  BOUNCED,
  CRM,
  OLD_LEAD,
  Ours,
  QUICK,
  SENT,
  changePlan,
  createPlan,
  destroyPlan,
  driftPlan,
  refreshPlan,
  settingsPlan,
} from "./our-story.ts";
import { expectLine, expectPlan, expectState } from "./schemas.ts";
import { shownOf } from "./report-plans.ts";
import { useProjects } from "../frontends/cli/project.ts";
import { FOUND as OTHERS, type Printed, SECRET, type Story, tellStory } from "./terraform-story.ts";

/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-return -- JSON as another program prints it */

const LEFT = new Set(["rotation", "protect", "@module", "@timestamp", ...ONLY_OURS]);

/** What the real terraform cannot know: attributes that only our own reconciler has, times, the value of a secret, and what is newer than it. */
function comparable(value: any): any {
  if (value === SECRET) return "(sensitive value)";
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>).filter(([name]) => !LEFT.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, comparable(inner)]));
}

/** In any order. */
function messages(lines: readonly any[], ...types: readonly string[]): readonly unknown[] {
  return lines
    .filter(({ type }) => types.includes(type))
    .map(comparable)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const linesOf = (out: string): readonly any[] =>
  out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

const parsed = (lines: readonly Line[]): readonly any[] => lines.map((line) => JSON.parse(lineText(line, 0)));

/** What is done to which resource, and why, whatever the ids are. */
function gist({ show, lines }: Printed): unknown {
  // What nothing can undo stays recorded, and is not destroyed.
  const isTheSame = ({ address, change }: any): boolean =>
    !(address.startsWith("outreach_lead_unsubscription.") && change.actions[0] === "delete");
  const isLead = (line: any): boolean =>
    line.change.action === "delete" && line.change.resource.resource_type === "outreach_lead_unsubscription";
  const changes = (of: readonly any[] = []): readonly unknown[] =>
    of.filter(isTheSame).map(({ address, previous_address, index, change, action_reason }) => {
      const {
        actions,
        replace_paths: paths,
        importing,
        after_unknown: unknown,
        before_sensitive: had,
        after_sensitive: has,
      } = change;
      return {
        address,
        previous_address,
        index,
        actions,
        action_reason,
        paths,
        importing: importing !== undefined,
        unknown,
        had,
        has,
        target: change.after?.target_url,
      };
    });
  const outputs = Object.entries<any>(show.output_changes).map(([name, { actions, after_unknown: unknown }]) => ({
    name,
    actions,
    unknown,
  }));
  const said = lines.flatMap((line) =>
    ["planned_change", "resource_drift"].includes(line.type) && !isLead(line)
      ? [line["@message"].replace("to remove", "to delete")]
      : [],
  );
  return {
    changes: changes(show.resource_changes),
    drift: changes(show.resource_drift),
    said: said.toSorted(),
    outputs: outputs.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    whole: comparable({ applyable: show.applyable, complete: show.complete }),
  };
}

/** What is said of each resource while a plan is carried out, in its order. */
function stepsOf(lines: readonly any[]): unknown {
  const steps: Record<string, string[]> = {};
  for (const { type, hook } of lines) {
    if (!type.startsWith("apply_")) continue;
    const withId = hook.id_value === undefined ? "" : ` with ${hook.id_key}`;
    (steps[hook.resource.addr] ??= []).push(`${type} ${hook.action}${withId}`);
  }
  return steps;
}

const FOUND =
  "  found:\n    target_url: https://found.example.com/\n    type: emailsSent\n    campaign_id: cam_000001\n";
const MOVED = "moved:\n  - { from: outreach_lead_unsubscription.gdpr, to: outreach_lead_unsubscription.gdpr-2026 }\n";
const FORGOTTEN = "removed:\n  - { from: outreach_webhook.quick, destroy: false }\n";

function yaml({
  type,
  audit,
  quick,
  leads,
  crm = "",
  more = "",
  statements = "",
}: { readonly [name in "type" | "audit" | "leads"]: string } & {
  readonly [name in "quick" | "crm" | "more" | "statements"]?: string;
}): string {
  const quickly =
    quick === undefined
      ? ""
      : `  quick:\n    target_url: https://quick.example.com/${quick}\n    rotation: create_first\n`;
  return `version: 1
${statements}webhooks:
  crm:
    target_url: https://crm.example.com/prod
    type: ${type}
    secret: { env: CRM_SECRET }
${crm}  audit:
    target_url: https://audit.example.com/
    types: [${audit}]
${quickly}${more}lead_unsubscriptions:
  ${leads}:
    campaign_id: cam_000001
    emails: [ada@example.com]
outputs:
  stage: prod
  crm_id: \${outreach_webhook.crm.id}
`;
}

const openProject = useProjects();

describe("for the same story, compared with the real terraform,", () => {
  let story: Story;
  let none: Ours;
  let created: Ours;
  let changed: Ours;

  beforeAll(async () => {
    if (!hasTerraform) return;
    story = await tellStory();
    none = new Ours({});
    created = new Ours(story.created.state);
    changed = new Ours(story.changed.state);
  }, 120_000);

  beforeEach((context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");
  });

  type Chapter = "create" | "change" | "drift" | "refresh" | "settings" | "destroy";
  const chapters: readonly (readonly [Chapter, PlanMode, () => readonly [Plan, Ours]])[] = [
    ["create", "apply", () => [createPlan(), none]],
    ["change", "apply", () => [changePlan(created, changed), created]],
    ["drift", "apply", () => [driftPlan(changed), changed]],
    ["refresh", "refresh-only", () => [refreshPlan(changed), changed]],
    ["settings", "apply", () => [settingsPlan(changed), changed]],
    ["destroy", "destroy", () => [destroyPlan(changed), changed]],
  ];

  describe.each(chapters)("the chapter %s", (chapter, mode, tell) => {
    let theirs: Printed;
    let show: any;
    let lines: readonly any[];

    beforeAll(() => {
      if (!hasTerraform) return;
      const [plan, { outputs }] = tell();
      theirs = story[chapter];
      show = planJson(plan, { ...shownOf(plan), catalog, version: "0.1.0", mode, outputs });
      lines = parsed(planLines(plan, { catalog, mode, outputs }));
    });

    it("both keep to the schemas", () => {
      expectPlan(show);
      for (const line of lines) expectLine(line);
      // Of an object that it forgets terraform plans the values, and then leaves them out.
      if (chapter !== "settings") expectPlan({ applyable: true, complete: true, ...theirs.show });
      for (const line of theirs.lines) expectLine(line);
    });

    it("changes the same resources in the same way, for the same reason", () => {
      const ofLeads = (change: any): boolean => chapter === "destroy" && change.type === "outreach_lead_unsubscription";
      expect(comparable(show.resource_changes?.filter((change: any) => !ofLeads(change)))).toEqual(
        comparable(theirs.show.resource_changes?.filter((change: any) => !ofLeads(change))),
      );
      expect(comparable(show.resource_drift)).toEqual(comparable(theirs.show.resource_drift));
    });

    it("changes the same outputs, and says the same of the whole", () => {
      const whole = ({
        applyable,
        complete,
        errored,
        output_changes,
        format_version,
        terraform_version,
      }: any): unknown =>
        comparable({ applyable, complete, errored, output_changes, format_version, terraform_version });
      expect(whole(show)).toEqual(whole(theirs.show));
    });

    it("comes from the same state and leads to the same", () => {
      const values = ({ address, values: one, identity, identity_schema_version }: any): unknown => ({
        address,
        values: one,
        identity,
        identity_schema_version,
      });
      const objects = (module: any): unknown =>
        comparable(module.resources?.filter((one: any) => one.values !== undefined).map(values));
      expect(objects(show.planned_values.root_module)).toEqual(objects(theirs.show.planned_values.root_module));
      expect(objects(show.prior_state.values.root_module)).toEqual(objects(theirs.show.prior_state.values.root_module));
      expect(show.planned_values.outputs).toEqual(theirs.show.planned_values.outputs);
    });

    it("says the same in messages", () => {
      const ofLeads = (line: any): boolean =>
        chapter === "destroy" && line.change?.resource.resource_type === "outreach_lead_unsubscription";
      const said = (all: readonly any[]): readonly unknown[] =>
        messages(
          all.filter((line) => !ofLeads(line)),
          "planned_change",
          "resource_drift",
          "outputs",
        );
      expect(said(lines)).toEqual(said(theirs.lines));
      const counted = (all: readonly any[]): any => all.find(({ type }) => type === "change_summary").changes;
      const [mine, their] = [counted(lines), counted(theirs.lines)];
      // What nothing can undo is forgotten, and not destroyed.
      const expected = { settings: { ...their, forget: 1 }, destroy: { ...their, remove: 3, forget: 1 } };
      expect(mine).toEqual(chapter in expected ? expected[chapter as keyof typeof expected] : their);
    });
  });

  it("our command plans the same from YAML, and carries it out in the same steps", async () => {
    const { environment, sandbox, write, run } = await openProject();
    environment["CRM_SECRET"] = SECRET;
    const plan = async (...options: readonly string[]): Promise<Printed> => {
      const planned = await run(["plan --json --show-emails --out plan", ...options].join(" "));
      const { out, err } = await run("show --json --show-emails plan");
      expect({ code: planned.code, err }, planned.out).toEqual({ code: 0, err: "" });
      return { lines: linesOf(planned.out), show: JSON.parse(out) };
    };
    write(
      "outreach.yaml",
      yaml({ type: "emailsReplied", audit: "emailsSent, emailsBounced", quick: "a", leads: "gdpr" }),
    );
    const apply = async (): Promise<readonly any[]> => {
      const { code, out, err } = await run("apply --json --show-emails plan");
      expect({ code, err }, out).toEqual({ code: 0, err: "" });
      return linesOf(out);
    };
    const create = await plan();
    const created = await apply();
    const { _id: id } = sandbox.add("webhooks", OTHERS);
    const second = { type: "emailsSent", audit: "emailsSent", leads: "gdpr-2026", more: FOUND };
    const statements = `imports:\n  - { to: outreach_webhook.found, id: ${id} }\n${MOVED}`;
    write("outreach.yaml", yaml({ ...second, quick: "b", statements }));
    const change = await plan();
    const changed = await apply();
    const hookOf = (name: string): string =>
      sandbox.webhooks().find(({ targetUrl }) => targetUrl.startsWith(`https://${name}.`))?._id ?? "";
    sandbox.change("webhooks", hookOf("crm"), { targetUrl: "https://elsewhere.example.com/" });
    sandbox.remove("webhooks", hookOf("audit"));
    const [drift, refresh] = [await plan(), await plan("--refresh-only")];
    sandbox.change("webhooks", hookOf("elsewhere"), { targetUrl: "https://crm.example.com/prod" });
    write(
      "outreach.yaml",
      yaml({ ...second, crm: "    allow_duplicate: true\n", statements: `${statements}${FORGOTTEN}` }),
    );
    const settings = await plan("--replace outreach_webhook.found");
    // When it destroys, Terraform silently forgets objects that are gone.
    expect((await run("refresh")).code).toBe(0);
    const told = { create, change, drift, refresh, settings, destroy: await plan("--destroy") };
    for (const line of [...created, ...changed]) expectLine(line);
    expect(stepsOf(created)).toEqual(stepsOf(story.created.lines));
    expect(stepsOf(changed)).toEqual(stepsOf(story.changed.lines));
    for (const [chapter, mine] of Object.entries(told)) {
      expectPlan(mine.show);
      for (const line of mine.lines) expectLine(line);
      expect(gist(mine), chapter).toEqual(gist(story[chapter as keyof typeof told]));
    }
  }, 60_000);

  it("shows the same state", () => {
    for (const [state, ours] of [
      [story.created.state, created],
      [story.changed.state, changed],
    ] as const) {
      const mine: any = stateJson({ instances: ours.instances, outputs: ours.outputs }, { catalog, version: "0.1.0" });
      expectState(mine);
      expectState(state);
      const { outreach_version: _, ...theirKeys } = mine;
      expect(comparable(theirKeys)).toEqual(comparable(state));
    }
  });

  it("tells of an apply in the same messages", () => {
    const event = (kind: "start" | "complete", address: string) =>
      progressLine({
        kind,
        phase: "create",
        address,
        id: kind === "start" ? null : created.id(address),
        elapsedMs: 90,
      });
    const addresses = [OLD_LEAD, SENT, BOUNCED, CRM, QUICK];
    const mine = parsed([
      ...addresses.flatMap((address) => [event("start", address), event("complete", address)]),
      ...appliedLines(
        { add: 5, change: 0, destroy: 0, import: 0, forget: 0 },
        { destroying: false, ending: "complete", outputs: created.outputs },
      ),
    ]);
    for (const line of mine) expectLine(line);
    const types = ["apply_start", "apply_complete", "change_summary", "outputs"];
    const timeless = (lines: readonly unknown[]): unknown =>
      JSON.parse(
        JSON.stringify(lines)
          .replaceAll(/after \d+s/g, "after 0s")
          .replaceAll(/"elapsed_seconds":\d+/g, '"elapsed_seconds":0'),
      );
    expect(timeless(messages(mine, ...types))).toEqual(timeless(messages(story.created.lines, ...types)));
  });
});
