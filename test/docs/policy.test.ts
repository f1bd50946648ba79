import { expect, test } from "vitest";
import { useProjects } from "../frontends/cli/project.ts";
import { read } from "./pages.ts";

const openProject = useProjects();

const WEBHOOKS = {
  old: "{ target_url: https://crm.example.com/old }",
  tls: "{ target_url: https://crm.example.com/new, secret: { env: HOOK_SECRET } }",
  plain: "{ target_url: http://127.0.0.1:9/hook, secret: { env: HOOK_SECRET } }",
  open: "{ target_url: https://crm.example.com/open }",
  hidden: `{ target_url: "https://crm.example.com/\${var.token}", secret: { env: HOOK_SECRET } }`,
};

function configuration(...names: readonly (keyof typeof WEBHOOKS)[]): string {
  const webhooks = names.map((name) => `  ${name}: ${WEBHOOKS[name]}\n`).join("");
  return `version: 1\nvariables: { token: { sensitive: true, default: t0ken-value } }\nwebhooks:\n${webhooks}`;
}

interface Change {
  readonly address: string;
  readonly type: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly after: { readonly target_url: string; readonly secret: string | null } | null;
    readonly after_sensitive: { readonly target_url?: boolean } | false;
  };
}

/** The rules of the guide's policy. No evaluator of Rego can be installed here, so they are written again; the next test holds the paths together. */
function denials(changes: readonly Change[], labels: readonly string[]): readonly string[] {
  const webhooks = changes.filter(({ type }) => type === "outreach_webhook");
  return webhooks.flatMap(({ address, change: { actions, after, after_sensitive: sensitive } }) => [
    ...(actions.join() === "delete" && !labels.includes("allow-deletes") ? [`${address} is destroyed, but the pull request has no label allow-deletes`] : []),
    ...(after && !(sensitive && sensitive.target_url) && !after.target_url.startsWith("https://")
      ? [`${address} sends events to ${after.target_url} without TLS`]
      : []),
    ...(actions.includes("create") && after?.secret === null ? [`${address} has no secret`] : []),
  ]);
}

test("the plan as JSON has what the policy of the guide asks for", async () => {
  const project = await openProject();
  project.environment["HOOK_SECRET"] = "a-secret-of-a-hook";
  project.write("outreach.yaml", configuration("old"));
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  project.write("outreach.yaml", configuration("tls", "plain", "open", "hidden"));
  expect((await project.run("plan --out saved.plan")).code).toBe(0);
  const { resource_changes: changes } = JSON.parse((await project.run("show --json saved.plan")).out) as { readonly resource_changes: readonly Change[] };

  const [deleted, ...others] = [
    "outreach_webhook.old is destroyed, but the pull request has no label allow-deletes",
    "outreach_webhook.open has no secret",
    "outreach_webhook.plain sends events to http://127.0.0.1:9/hook without TLS",
  ];
  expect(denials(changes, []).toSorted()).toEqual([deleted, ...others]);
  expect(denials(changes, ["allow-deletes"]).toSorted()).toEqual(others);

  const policy = /```rego [^\n]*\n([^]*?)```/.exec(read("docs/guides/machine-output.md"))?.[1] ?? "";
  const paths = [...new Set([...policy.matchAll(/\bchange((?:\.[a-z_]+)+)/g)].map(([, path = ""]) => path.slice(1)))].toSorted();
  expect(paths).toEqual(["address", "change.actions", "change.after.secret", "change.after.target_url", "change.after_sensitive.target_url", "type"]);
  for (const path of paths) {
    const values = changes.map((change) =>
      path.split(".").reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null)?.[name], change),
    );
    expect(
      values.some((value) => value !== undefined),
      path,
    ).toBe(true);
  }
  for (const said of [deleted, ...others]) expect(policy).toContain(said?.replace(/^\S+/, "%s").replace(/http:\S+/, "%s"));
});
