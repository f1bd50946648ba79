import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts";
import { jumpingClock } from "../cli/jumping-clock.ts";
import { useProjects } from "../cli/project.ts";
import { lacks } from "../terraform/engine.ts";
import { describeWithTerraform } from "../terraform/terraform-under-test.ts";
import { type PlannedChanges, StacksInTerraform, applyByCommand, planByCommand, writeForCommand } from "./same-plan.ts";
import { type Json, from, webhooks } from "./stack.ts";

const openProject = useProjects();
const hook = (rest: Json = {}): Json => ({
  ...from("hooks/hook"),
  target_url: "https://crm.example.com/hook",
  type: "emailsReplied",
  ...rest,
});
const Q3 = { data: { outreach_campaign: { q3: { ...from("hooks/q3"), name: "Q3 launch" } } } };

const COUNTED = webhooks({ hook: hook({ count: 3, target_url: "https://crm.example.com/${count.index}" }) });
const STACKS: { readonly [story: string]: Json } = {
  "count with its index": COUNTED,
  "count of an expression": {
    locals: { n: 2 },
    ...webhooks({
      hook: hook({ count: "${local.n > 1 ? local.n : 0}", target_url: "https://crm.example.com/${count.index + 1}" }),
    }),
  },
  "count of none": webhooks({ hook: hook({ count: 0 }), other: hook() }),
  "count as text": webhooks({ hook: hook({ count: "1" }) }),
  "for_each over a map": webhooks({
    hook: hook({
      for_each: { a: "emailsSent", "b.c": "emailsReplied" },
      target_url: "https://crm.example.com/${each.key}",
      type: "${each.value}",
    }),
  }),
  "for_each over a map of objects": {
    locals: { all: { a: { path: "x", type: "emailsSent" }, b: { path: "y", type: "emailsOpened" } } },
    ...webhooks({
      hook: hook({
        for_each: "${local.all}",
        target_url: "https://crm.example.com/${each.value.path}",
        type: '${each.value["type"]}',
      }),
    }),
  },
  "for_each over a set": webhooks({
    hook: hook({
      for_each: '${toset(["emailsSent", "emailsReplied", "emailsSent"])}',
      type: "${each.value}",
      target_url: "https://crm.example.com/${each.key}",
    }),
  }),
  "for_each over nothing": webhooks({ hook: hook({ for_each: {} }), other: hook() }),
  "for_each over a for": {
    variable: { types: { type: "list(string)", default: ["emailsSent", "emailsOpened"] } },
    ...webhooks({
      hook: hook({
        for_each: '${{ for i, t in var.types : upper(t) => { type = t, n = i } if t != "emailsOpened" }}',
        type: "${each.value.type}",
        target_url: "https://crm.example.com/${each.value.n}",
      }),
    }),
  },
  "for_each over a local set of a variable": {
    variable: { types: { type: "set(string)", default: ["emailsSent", "emailsSent"] } },
    locals: { types: "${var.types}" },
    ...webhooks({ hook: hook({ for_each: "${local.types}", type: "${each.key}" }) }),
  },
  "keys that are numbers": {
    locals: { all: { "${1 + 1}": "emailsSent", "${true}": "emailsOpened" } },
    ...webhooks({ hook: hook({ for_each: "${local.all}", type: "${each.value}", is_first: "1" }) }),
  },
  "keys that a data source gives": {
    ...Q3,
    ...webhooks({
      hook: hook({
        for_each: { "${data.outreach_campaign.q3.id}": "emailsSent" },
        campaign_id: "${each.key}",
        type: "${each.value}",
      }),
    }),
  },
  "locals in any order": {
    locals: {
      c: "${local.b}/c",
      b: "${local.a}/b",
      a: "https://crm.example.com",
      list: ["${local.c}", "x"],
      map: { "${local.a}": "${local.list[0]}" },
    },
    ...webhooks({ hook: hook({ target_url: '${local.map["https://crm.example.com"]}' }) }),
    output: { list: { value: "${local.list}" }, map: { value: "${local.map}" } },
  },
  "conditionals, functions, splats": {
    variable: {
      names: {
        type: "list(object({name = string, on = optional(bool, true)}))",
        default: [{ name: "a" }, { name: "b", on: false }],
      },
    },
    ...webhooks({
      hook: hook({
        target_url:
          '${var.names[0].on ? format("https://%s.example.com/%03d", join("-", var.names[*].name), length(var.names)) : "https://x.example.com"}',
      }),
    }),
  },
  "escapes, and templates with directives' signs": webhooks({
    hook: hook({ target_url: "https://crm.example.com/$${x}/%%{y}?a=${1 + 1}" }),
  }),
  "texts, numbers and keys, however they are written": {
    variable: {
      raw: { default: "a$${b}%%{c}$$" },
      list: { type: "list", default: ["a", 1] },
      map: { type: "map", default: { a: 1 } },
      kept: { type: "list(string)", default: ["d"], nullable: false },
    },
    ...webhooks({
      large: hook({ target_url: "https://a.example.com/hook", automation_id: 1e21, is_first: "1" }),
      small: hook({ target_url: "https://b.example.com/hook", automation_id: 1e-7, is_first: "0" }),
      composed: hook({
        for_each: { "e\u0301": "e\u0301\ud800" },
        target_url: "https://c.example.com/hook",
        automation_id: "${each.value}/e\u0301",
      }),
    }),
    output: Object.fromEntries(["raw", "list", "map", "kept"].map((name) => [name, { value: `\${var.${name}}` }])),
  },
  "what another resource is declared with": webhooks({
    a: hook({ target_url: "https://a.example.com/hook" }),
    b: hook({ target_url: "${outreach_webhook.a.target_url}/b", type: "${outreach_webhook.c[1].type}" }),
    c: hook({ count: 2, type: '${["emailsSent", "emailsOpened"][count.index]}' }),
    d: hook({
      target_url: 'https://d.example.com/${length(outreach_webhook.c)}/${join(",", outreach_webhook.c[*].type)}',
    }),
    e: hook({
      for_each: "${toset(outreach_webhook.c[*].type)}",
      target_url: "https://e.example.com",
      type: "${each.key}",
      depends_on: ["outreach_webhook.a"],
    }),
    f: hook({ target_url: 'https://f.example.com/${outreach_webhook.e["emailsSent"].type}' }),
  }),
  "data sources, alone and repeated": {
    data: {
      outreach_campaign: {
        q3: { ...from("hooks/q3"), name: "${local.name}" },
        each: { ...from("hooks/each"), for_each: { one: "Q3 launch" }, name: "${each.value}" },
        some: { ...from("hooks/some"), count: 1, id: "${data.outreach_campaign.q3.id}" },
      },
      outreach_campaigns: { live: { ...from("hooks/live"), status: "running", labels: ["${local.label}"] } },
    },
    locals: {
      name: "Q3 launch",
      label: "none-has-it",
      ids: "${[for key, one in data.outreach_campaign.each : one.id]}",
    },
    ...webhooks({
      a: hook({ campaign_id: "${data.outreach_campaign.q3.id}" }),
      b: hook({
        campaign_id: '${data.outreach_campaign.each["one"].id}',
        target_url: "https://b.example.com/${data.outreach_campaign.some[0].name == local.name}",
      }),
      c: hook({ for_each: "${toset(local.ids)}", target_url: "https://c.example.com", campaign_id: "${each.key}" }),
    }),
    output: {
      live: { value: "${length(data.outreach_campaigns.live.campaigns)}" },
      q3: { value: "${data.outreach_campaign.q3.name}" },
    },
  },
  "outputs of every kind": {
    ...COUNTED,
    output: {
      number: { value: "${1 / 4}" },
      text: { value: "plain" },
      list: { value: ["${outreach_webhook.hook[0].type}", 2, true] },
      map: { value: { '${upper("k")}': "${outreach_webhook.hook[*].target_url}" } },
      hidden: { value: '${sensitive("(sensitive value)")}', sensitive: true },
      nothing: { value: "${[]}" },
    },
  },
  "types of variables": {
    variable: {
      n: { type: "number" },
      b: { type: "bool" },
      list: { type: "list(string)" },
      map: { type: "map(number)" },
      any: { type: "any" },
      object: { type: "object({a = string, b = optional(number, 7), c = optional(string)})" },
      tuple: { type: "tuple([string, bool])" },
      set: { type: "set(number)" },
      untyped: {},
      listed: { type: "list(any)", default: [1, "a", true] },
      never: { default: null, type: "string" },
      fallback: { default: "d", nullable: false, type: "string" },
    },
    ...webhooks({
      hook: hook({ target_url: "https://crm.example.com/${var.n + 1}/${var.b ? 1 : 0}", is_first: "${var.b}" }),
    }),
    output: Object.fromEntries(
      ["n", "b", "list", "map", "any", "object", "tuple", "set", "untyped", "listed", "fallback"].map((name) => [
        name,
        { value: `\${var.${name}}` },
      ]),
    ),
  },
  "conditions that hold": {
    ...Q3,
    variable: {
      names: {
        type: "list(string)",
        default: ["a", "b"],
        validation: [{ condition: "${length(var.names) > 1}", error_message: "Too few." }],
      },
    },
    locals: { base: "https://crm.example.com" },
    data: {
      outreach_campaign: {
        q3: {
          ...from("hooks/q3"),
          name: "Q3 launch",
          lifecycle: {
            postcondition: { condition: '${self.name == "Q3 launch"}', error_message: "Another campaign." },
          },
        },
      },
    },
    ...webhooks({
      hook: hook({
        for_each: "${toset(var.names)}",
        target_url: "${local.base}/${each.key}",
        campaign_id: "${data.outreach_campaign.q3.id}",
        lifecycle: {
          precondition: [{ condition: "${contains(var.names, each.key)}", error_message: "Unknown name." }],
          postcondition: [
            {
              condition: '${startswith(self.target_url, local.base) && self.type == "emailsReplied"}',
              error_message: "Elsewhere.",
            },
          ],
        },
      }),
    }),
    output: {
      first: {
        value: "${var.names[0]}",
        precondition: { condition: '${outreach_webhook.hook["a"].type != ""}', error_message: "No type." },
      },
    },
    check: {
      names: {
        assert: [
          {
            condition: '${!contains([for name in var.names : replace(name, "/^[a-z]$/", "") == ""], false)}',
            error_message: "Odd names.",
          },
        ],
      },
    },
  },
  "a lifecycle": webhooks({
    hook: hook({ lifecycle: { create_before_destroy: true, prevent_destroy: true, ignore_changes: ["type"] } }),
  }),
  "another name for the same provider": {
    provider: { outreach: [{}, { alias: "eu" }] },
    ...webhooks({ a: hook(), b: hook({ provider: "outreach.eu", type: "emailsSent" }) }),
  },
  unsubscriptions: {
    ...Q3,
    resource: {
      outreach_lead_unsubscription: {
        gone: {
          ...from("hooks/gone"),
          for_each: '${toset(["ada@example.com", "bob@example.com"])}',
          campaign_id: "${data.outreach_campaign.q3.id}",
          email: "${each.key}",
        },
      },
    },
  },
};
const GIVEN = {
  TF_VAR_n: "41",
  TF_VAR_b: "true",
  TF_VAR_list: '["a", 1]',
  TF_VAR_map: '{ a = 1, b = "2" }',
  TF_VAR_any: '{ x = ["y", 1] }',
  TF_VAR_object: '{ a = 1, ignored = "i" }',
  TF_VAR_tuple: "[1, true]",
  TF_VAR_set: '[2, "1", 2]',
  TF_VAR_untyped: "[1]",
  TF_VAR_kept: "null",
};

describeWithTerraform("the plan of a stack equals terraform's, with the same addresses and values", () => {
  const openTerraform = useTerraform("another name for the same provider");
  let terraforms: (story: string) => PlannedChanges;
  beforeAll(async () => {
    const { terraform } = openTerraform();
    for (const story of Object.keys(STACKS)) terraform.give(story, GIVEN);
    await terraform.write(STACKS);
    terraforms = await terraform.plan();
  }, 120_000);

  test.for(Object.entries(STACKS))("%s", { timeout: 60_000 }, async ([story, stack]) => {
    const project = await openProject();
    Object.assign(project.environment, GIVEN);
    writeForCommand(project, stack);
    expect(await planByCommand(project)).toEqual(terraforms(story));
  });
});

/** A change to an applied stack. */
interface Story {
  readonly before: Json;
  readonly after: Json;
  readonly environment?: { readonly [name: string]: string };
  /** A webhook that someone else creates in between. */
  readonly meanwhile?: { readonly _id: string; readonly targetUrl: string; readonly type: string };
}

const named = (names: readonly string[], rest: (name: string) => Json = () => ({})): Json =>
  webhooks(
    Object.fromEntries(names.map((name) => [name, hook({ target_url: `https://${name}.example.com`, ...rest(name) })])),
  );
const SECRET = { variable: { s: { type: "string", sensitive: true } } };

const ON_ONE_DOMAIN: { readonly [story: string]: Story } = {
  nothing: { before: COUNTED, after: COUNTED },
  "one more, and one less": {
    before: webhooks({ hook: hook({ for_each: { a: "1", b: "2" }, target_url: "https://${each.key}.example.com" }) }),
    after: webhooks({ hook: hook({ for_each: { b: "2", c: "3" }, target_url: "https://${each.key}.example.com" }) }),
  },
  create_before_destroy: {
    before: named(["a"]),
    after: named(["a"], () => ({ type: "emailsSent", lifecycle: { create_before_destroy: true } })),
  },
  "ignored changes": {
    before: named(["a"]),
    after: named(["a"], () => ({
      type: "emailsSent",
      target_url: "https://else.example.com",
      lifecycle: { ignore_changes: ["type", "target_url"] },
    })),
  },
  "all changes ignored": {
    before: named(["a"]),
    after: named(["a"], () => ({
      type: null,
      target_url: "https://else.example.com",
      lifecycle: { ignore_changes: "all" },
    })),
  },
  "an ignored change next to one that replaces": {
    before: named(["a"]),
    after: named(["a"], () => ({ type: "emailsSent", automation_id: "a1", lifecycle: { ignore_changes: ["type"] } })),
  },
  "an ignored secret": {
    before: { ...SECRET, ...named(["a"], () => ({ secret: "${var.s}" })) },
    after: { ...SECRET, ...named(["a"], () => ({ secret: "${var.s}-2", lifecycle: { ignore_changes: ["secret"] } })) },
    environment: { TF_VAR_s: "first-secret" },
  },
  moved: {
    before: named(["a", "b"]),
    after: {
      ...named(["a"]),
      ...webhooks({
        a: hook({ target_url: "https://a.example.com" }),
        c: hook({ target_url: "https://b.example.com" }),
      }),
      moved: [{ from: "outreach_webhook.b", to: "outreach_webhook.c" }],
    },
  },
  "moved under a key": {
    before: named(["a"]),
    after: {
      ...webhooks({
        all: hook({
          for_each: ["a"].reduce((map, key) => ({ ...map, [key]: 1 }), {}),
          target_url: "https://${each.key}.example.com",
        }),
      }),
      moved: [{ from: "outreach_webhook.a", to: 'outreach_webhook.all["a"]' }],
    },
  },
  "one that gets a count, and one that loses it": {
    before: webhooks({
      a: hook({ target_url: "https://a.example.com" }),
      b: hook({ count: 2, target_url: "https://b.example.com/${count.index}" }),
      c: hook({ target_url: "https://c.example.com" }),
    }),
    after: webhooks({
      a: hook({ count: 2, target_url: "https://a.example.com/${count.index}", automation_id: "new" }),
      b: hook({ target_url: "https://b.example.com/0", automation_id: "new" }),
      c: hook({ count: 0, target_url: "https://c.example.com" }),
    }),
  },
  "one that gets a count, and is said to be another instance": {
    before: named(["a"]),
    after: {
      ...webhooks({ a: hook({ count: 2, target_url: "https://a.example.com/${count.index}" }) }),
      moved: [{ from: "outreach_webhook.a", to: "outreach_webhook.a[1]" }],
    },
  },
  "removed, and left as it is": {
    before: named(["a", "b"]),
    after: { ...named(["a"]), removed: [{ from: "outreach_webhook.b", lifecycle: { destroy: false } }] },
  },
  "removed and destroyed": {
    before: named(["a", "b"]),
    after: { ...named(["a"]), removed: [{ from: "outreach_webhook.b", lifecycle: { destroy: true } }] },
  },
  ...(lacks("removed destroys by default") === null
    ? {
        "removed and destroyed by default": {
          before: named(["a", "b"]),
          after: { ...named(["a"]), removed: [{ from: "outreach_webhook.b" }] },
        },
      }
    : {}),
  "imported by an expression": {
    before: named(["a"]),
    after: {
      ...named(["a", "b"]),
      locals: { id: "hoo_" },
      import: [{ to: "outreach_webhook.b", id: "${local.id}other" }],
    },
    meanwhile: { _id: "hoo_other", targetUrl: "https://b.example.com", type: "emailsReplied" },
  },
};

/** Each with a domain of its own, because the provider rejects the same webhook in two stacks of a run. */
const STORIES = Object.entries(ON_ONE_DOMAIN).map(([story, parts], index): readonly [string, Story] => [
  story,
  JSON.parse(JSON.stringify(parts).replaceAll("example.com", `story-${String(index)}.example.com`)) as Story,
]);

describeWithTerraform("the plan of a changed stack equals terraform's", () => {
  const openTerraform = useTerraform("imported by an expression");
  let terraforms: (story: string) => PlannedChanges;
  beforeAll(async () => {
    const { terraform, sandbox } = openTerraform();
    for (const [story, { environment = {} }] of STORIES) terraform.give(story, environment);
    await terraform.write(Object.fromEntries(STORIES.map(([story, { before }]) => [story, before])));
    await terraform.apply();
    for (const [, { meanwhile }] of STORIES) if (meanwhile) sandbox.add("webhooks", meanwhile);
    await terraform.write(Object.fromEntries(STORIES.map(([story, { after }]) => [story, after])));
    terraforms = await terraform.plan();
  }, 120_000);

  test.for(STORIES)("%s", { timeout: 60_000 }, async ([story, { before, after, environment, meanwhile }]) => {
    const project = await openProject();
    Object.assign(project.environment, environment);
    writeForCommand(project, before);
    await applyByCommand(project);
    if (meanwhile) project.sandbox.add("webhooks", meanwhile);
    writeForCommand(project, after);
    expect(await planByCommand(project)).toEqual(terraforms(story));
  });
});

/** Terraform with a service of its own, for all tests of a group. */
function useTerraform(root: string): () => { readonly terraform: StacksInTerraform; readonly sandbox: Sandbox } {
  let [terraform, sandbox]: [StacksInTerraform?, Sandbox?] = [];
  beforeAll(async () => {
    sandbox = await startSandbox({ clock: jumpingClock().ofService, random: () => 0.5, rateLimit: null });
    terraform = await StacksInTerraform.open(sandbox, root);
  });
  afterAll(async () => {
    await terraform?.remove();
    await sandbox?.close();
  });
  return () => {
    if (!terraform || !sandbox) throw new Error("Terraform has not started.");
    return { terraform, sandbox };
  };
}
