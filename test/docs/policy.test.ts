import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { useProjects, type Project } from "../frontends/cli/project.ts";
import { ROOT } from "./pages.ts";

const openProject = useProjects();

const FOLDER = path.join(ROOT, "examples/policies");
const RULES = { main: "webhooks.rego", rotations: "rotations.rego" } as const;
type Namespace = keyof typeof RULES;

const WEBHOOKS = {
  old: "{ target_url: https://crm.example.com/old }",
  allowed: "{ target_url: https://crm.example.com/new, secret: { env: HOOK_SECRET } }",
  elsewhere: "{ target_url: https://elsewhere.example.com/, secret: { env: HOOK_SECRET } }",
  open: "{ target_url: https://crm.example.com/open }",
  hidden: `{ target_url: "\${var.url}", secret: { env: HOOK_SECRET } }`,
};

function configuration(...names: readonly (keyof typeof WEBHOOKS)[]): string {
  const webhooks = names.map((name) => `  ${name}: ${WEBHOOKS[name]}\n`).join("");
  return `version: 1\nvariables: { url: { sensitive: true } }\nwebhooks:\n${webhooks}`;
}

interface Change {
  readonly address: string;
  readonly type: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly after: { readonly target_url?: string; readonly secret?: string | null } | null;
    readonly after_sensitive: { readonly target_url?: boolean } | false;
    readonly after_unknown: { readonly target_url?: boolean; readonly secret?: boolean };
    readonly replace_paths?: readonly (readonly string[])[];
  };
}

interface PlanJson {
  readonly complete: boolean;
  readonly resource_changes: readonly Change[];
}

/** The rules of the policies once more, for machines without opa. */
const AGAIN: { readonly [namespace in Namespace]: (plan: PlanJson, labels: readonly string[]) => readonly string[] } = {
  main: ({ complete, resource_changes: changes }, labels) => [
    ...(complete ? [] : ["the plan is not complete: it has targets, errors or undecided outcomes"]),
    ...changes.flatMap(
      ({ address, change: { actions, after, after_sensitive: sensitive, after_unknown: unknown } }) => {
        const isHidden = (sensitive && sensitive.target_url === true) || unknown.target_url === true;
        const url = after?.target_url;
        return [
          ...(actions.join() === "delete" && !labels.includes("allow-deletes")
            ? [`${address} is destroyed, but the pull request has no label allow-deletes`]
            : []),
          ...(isHidden ? [`${address} does not show its target URL`] : []),
          ...(!isHidden && url !== undefined && !url.startsWith("https://crm.example.com/")
            ? [`${address} sends events to ${url}, which is not allowed`]
            : []),
          ...(actions.includes("create") && after?.secret === null ? [`${address} has no secret`] : []),
        ];
      },
    ),
  ],
  rotations: ({ resource_changes: changes }, labels) =>
    changes.flatMap(({ address, change: { replace_paths: paths = [], after_unknown: unknown } }) => [
      ...(paths.some((names) => names.join() === "secret") && !labels.includes("allow-rotations")
        ? [`${address} gets a new secret, but the pull request has no label allow-rotations`]
        : []),
      ...(unknown.secret ? [`${address} has a secret that this plan does not know`] : []),
    ]),
};

async function planned(project: Project, options = ""): Promise<PlanJson> {
  expect((await project.run(`plan --out saved.plan ${options}`)).code).toBe(0);
  return JSON.parse((await project.run("show --json saved.plan")).out) as PlanJson;
}

async function cases(
  project: Project,
): Promise<readonly (readonly [Namespace, PlanJson, labels: readonly string[], denied: readonly string[]])[]> {
  project.environment["OUTREACH_VAR_url"] = "https://crm.example.com/hidden";
  project.environment["HOOK_SECRET"] = "a-secret-of-a-hook";
  project.write("outreach.yaml", configuration("old"));
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  project.write("outreach.yaml", configuration("allowed", "elsewhere", "open", "hidden"));
  const changes = await planned(project);
  const partial = await planned(project, "--target outreach_webhook.allowed");
  const unresolved = await planned(project, "--no-secrets");
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  project.environment["HOOK_SECRET"] = "another-secret-of-a-hook";
  const rotated = await planned(project);
  const unknown = await planned(project, "--no-secrets");

  const always = [
    "outreach_webhook.elsewhere sends events to https://elsewhere.example.com/, which is not allowed",
    "outreach_webhook.hidden does not show its target URL",
    "outreach_webhook.open has no secret",
  ];
  const destroyed = "outreach_webhook.old is destroyed, but the pull request has no label allow-deletes";
  const withSecret = ["allowed", "elsewhere", "hidden"].map((name) => `outreach_webhook.${name}`);
  const unseen = withSecret.map((address) => `${address} has a secret that this plan does not know`);
  return [
    ["main", changes, [], [...always, destroyed]],
    ["main", changes, ["allow-deletes"], always],
    ["main", unresolved, [], [...always, destroyed]],
    ["main", partial, [], ["the plan is not complete: it has targets, errors or undecided outcomes"]],
    ["rotations", changes, [], []],
    [
      "rotations",
      rotated,
      [],
      withSecret.map((address) => `${address} gets a new secret, but the pull request has no label allow-rotations`),
    ],
    ["rotations", rotated, ["allow-rotations"], []],
    ["rotations", unresolved, [], unseen],
    ["rotations", unknown, ["allow-rotations"], unseen],
  ];
}

test("the policies deny what they say, and let nothing pass that the plan hides or leaves out", async () => {
  for (const [namespace, plan, labels, denied] of await cases(await openProject())) {
    expect(AGAIN[namespace](plan, labels).toSorted(), namespace).toEqual(denied.toSorted());
    const policy = readFileSync(path.join(FOLDER, RULES[namespace]), "utf8");
    for (const said of denied)
      expect(policy).toContain(said.replace(/^outreach_webhook\.\w+/, "%s").replace(/https:\S+(?=,)/, "%s"));
  }
});

test("the policies read only members that a plan has", async () => {
  const plans = (await cases(await openProject())).map(([, plan]) => plan);
  const policy = Object.values(RULES)
    .map((name) => readFileSync(path.join(FOLDER, name), "utf8"))
    .join("");
  const paths = new Set(
    [...policy.matchAll(/\bchange((?:\.[a-z_]+)+)/g)].map(([, found = ""]) =>
      found.slice(1).replace(/^(?=after_)/, "change."),
    ),
  );
  expect(paths.size).toBeGreaterThan(6);
  for (const one of paths) {
    const values = plans.flatMap(({ resource_changes: changes }) =>
      changes.map((change) =>
        one
          .split(".")
          .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null)?.[name], change),
      ),
    );
    // The URL of a webhook is always known here, but not in a plan of Terraform.
    expect(one === "change.after_unknown.target_url" || values.some((value) => value !== undefined), one).toBe(true);
  }
});

test("opa decides the same", async (context) => {
  if (spawnSync("opa", ["version"]).status !== 0) context.skip("no opa on the PATH");
  const project = await openProject();
  for (const [namespace, plan, labels, denied] of await cases(project)) {
    project.write("plan.json", JSON.stringify(plan));
    project.write("labels.json", JSON.stringify({ labels }));
    const data = [path.join(FOLDER, RULES[namespace]), path.join(project.folder, "labels.json")].flatMap((file) => [
      "--data",
      file,
    ]);
    const { stdout, stderr } = spawnSync(
      "opa",
      [
        "eval",
        "--format",
        "json",
        "--input",
        path.join(project.folder, "plan.json"),
        ...data,
        `data.${namespace}.deny`,
      ],
      {
        encoding: "utf8",
      },
    );
    const { result } = JSON.parse(stdout) as {
      readonly result: readonly { readonly expressions: readonly { readonly value: readonly string[] }[] }[];
    };
    expect(result[0]?.expressions[0]?.value.toSorted(), stderr).toEqual(denied.toSorted());
  }
});
