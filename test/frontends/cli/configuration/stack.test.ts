import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";
import { NO_CHANGES, noStateYet } from "../no-changes.ts";

const openProject = useProjects();
const FOLDER = "cdktf.out/stacks/hooks";
type Json = { readonly [name: string]: unknown };

function metadata(path: string, uniqueId: string): Json {
  return { metadata: { path, uniqueId } };
}

/** A stack as the synthesis writes it. */
function stack(change: { readonly webhook?: Json; readonly provider?: unknown; readonly rest?: Json } = {}): string {
  return JSON.stringify(
    {
      "//": { metadata: { backend: "local", stackName: "hooks", version: "0.21.0" }, outputs: {} },
      data: { outreach_campaign: { q3: { "//": metadata("hooks/q3", "q3"), name: "Q3 launch" } } },
      provider: { outreach: change.provider ?? [{}] },
      resource: {
        outreach_webhook: {
          crm: {
            "//": metadata("hooks/team/crm", "crm"),
            campaign_id: "${data.outreach_campaign.q3.id}",
            secret: "${var.hook_secret}",
            target_url: "https://crm.example.com/${var.stage}/hooks",
            type: "emailsReplied",
            ...change.webhook,
          },
        },
      },
      terraform: {
        backend: { local: { path: "terraform.hooks.tfstate" } },
        required_providers: { outreach: { source: "outreach-as-code/outreach", version: "0.1.0" } },
      },
      variable: {
        hook_secret: { description: "the secret", sensitive: true, type: "string" },
        stage: { default: "live", type: "string" },
      },
      ...change.rest,
    },
    null,
    2,
  );
}

async function stackProject(text: string): Promise<Project> {
  const project = await openProject();
  project.write(`${FOLDER}/cdk.tf.json`, text);
  project.environment["TF_VAR_hook_secret"] = "secret-of-the-stack";
  return project;
}

test("the warning about a missing secret names what a stack has", async () => {
  const { err } = await (await stackProject(stack({ webhook: { secret: null } }))).run(`validate -c ${FOLDER}`);
  expect(err).toContain("Warning: Webhook without a secret [webhook_without_secret]\n");
  expect(err).toContain(" comes from the service.\nSet secret to a sensitive variable.\n");
  expect(err).not.toContain("ignore:");
});

test.each([FOLDER, `${FOLDER}/`, `${FOLDER}/.`, `${FOLDER}/cdk.tf.json`])(
  "a synthesized stack is planned and applied with -c %s",
  async (given) => {
    const project = await stackProject(stack());
    const before = project.files();
    const plan = await project.run(`plan -c ${given}`);
    expect(plan).toMatchObject({
      code: 0,
      err: noStateYet("outreach.hooks.state.json"),
      sent: ["GET /campaigns?version=v2 200", "GET /hooks 200"],
    });
    expect(plan.out).toContain(
      '      + target_url  = "https://crm.example.com/live/hooks"\n      + type        = "emailsReplied"\n      + campaign_id = "cam_000001" # Q3 launch\n      + secret      = (sensitive value)\n',
    );
    expect(project.files()).toEqual(before);

    expect(await project.run(`apply --auto-approve -c ${given}`)).toMatchObject({
      code: 0,
      sent: [
        "GET /campaigns?version=v2 200",
        "GET /hooks 200",
        "POST /hooks?campaignId=cam_000001 200",
        "GET /hooks 200",
      ],
    });
    expect(project.sandbox.webhooks()).toMatchObject([
      { targetUrl: "https://crm.example.com/live/hooks", secret: "secret-of-the-stack", campaignId: "cam_000001" },
    ]);
    expect(Object.keys(project.files()).filter((file) => file.endsWith("state.json"))).toEqual([
      "outreach.hooks.state.json",
    ]);
    for (const text of Object.values(project.files())) expect(text).not.toContain("secret-of-the-stack");

    expect(await project.run(`plan --detailed-exitcode -c ${given}`)).toMatchObject({ code: 0, out: NO_CHANGES });
    project.environment["TF_VAR_hook_secret"] = "next-secret-of-the-stack";
    expect(await project.run(`apply --auto-approve -c ${given}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 added, 0 changed, 1 destroyed") as string,
    });
    expect(await project.run(`destroy --auto-approve -c ${given}`)).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toEqual([]);
  },
);

test("a stack does not take over the records of a YAML configuration", async () => {
  const project = await stackProject(stack());
  project.write("outreach.yaml", "version: 1\nwebhooks:\n  other: { target_url: https://other.example.com }\n");
  await project.run("apply --auto-approve");
  expect(await project.run(`plan -c ${FOLDER}`)).toMatchObject({
    out: expect.stringContaining("Plan: 1 to add, 0 to change, 0 to destroy.") as string,
  });
});

test("variables come from --var, OUTREACH_VAR_ and TF_VAR_, in this order", async () => {
  const project = await stackProject(stack());
  const environment = { TF_VAR_stage: "from-tf", OUTREACH_VAR_stage: undefined as string | undefined };
  expect((await project.run(`plan -c ${FOLDER}`, environment)).out).toContain("/from-tf/");
  environment.OUTREACH_VAR_stage = "from-outreach";
  expect((await project.run(`plan -c ${FOLDER}`, environment)).out).toContain("/from-outreach/");
  expect((await project.run(`plan -c ${FOLDER} --var stage=from-var`, environment)).out).toContain("/from-var/");
});

test("a stack's secret with a line break is an error of the plan", async () => {
  const project = await stackProject(stack());
  const { code, err } = await project.run(`plan -c ${FOLDER}`, { TF_VAR_hook_secret: "secret-of-the-stack\n" });
  expect([code, err.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("from the value of the sensitive variable starts or ends with white space"),
  ]);
});

test("the provider's base URL and key are used, and the environment's base URL wins", async () => {
  const project = await stackProject(
    stack({
      provider: [{ base_url: "${var.url}", api_key: "${var.key}" }],
      rest: {
        variable: { hook_secret: { sensitive: true }, stage: { default: "live" }, url: {}, key: { sensitive: true } },
      },
    }),
  );
  const given = {
    TF_VAR_url: project.sandbox.baseUrl,
    TF_VAR_key: project.sandbox.keys.good,
    OUTREACH_API_KEY: undefined,
  };
  expect(await project.run(`plan -c ${FOLDER}`, { ...given, OUTREACH_BASE_URL: undefined })).toMatchObject({ code: 0 });
  expect(
    await project.run(`plan -c ${FOLDER}`, { ...given, TF_VAR_url: "https://elsewhere.example.com" }),
  ).toMatchObject({ code: 0 });
});

describe("what runs only with Terraform is an error that names the construct", () => {
  const AT = `on ${FOLDER}/cdk.tf.json, construct hooks/team/crm`;
  test.each<readonly [string, string, readonly string[]]>([
    [
      "a literal secret",
      stack({ webhook: { secret: "written-out-secret" } }),
      ["Error: A secret in plain text", AT, "Declare a sensitive variable"],
    ],
    [
      "a secret from a variable that is not sensitive",
      stack({ rest: { variable: { hook_secret: { default: "written-out-secret" }, stage: { default: "live" } } } }),
      [
        "Error: A secret in plain text",
        AT,
        "The value of secret is not marked as sensitive",
        "Declare its variable as sensitive",
      ],
    ],
    [
      "a sensitive variable with a default",
      stack({
        rest: {
          variable: { hook_secret: { sensitive: true, default: "written-out-secret" }, stage: { default: "live" } },
        },
      }),
      ["Error: A secret in plain text", "construct var.hook_secret", "TF_VAR_hook_secret"],
    ],
    [
      "secret_wo",
      stack({ webhook: { secret: null, secret_wo: "${var.hook_secret}" } }),
      ["Error: Write-only arguments require Terraform", AT, "Use secret with a sensitive variable."],
    ],
    [
      "secret_wo with its version",
      stack({ webhook: { secret: null, secret_wo: "${var.hook_secret}", secret_wo_version: 1 } }),
      ["Error: Write-only arguments require Terraform", AT, "Use secret with a sensitive variable."],
    ],
    [
      "secret_wo next to a secret",
      stack({ webhook: { secret_wo: "${var.hook_secret}" } }),
      ["Error: Write-only arguments require Terraform", AT, "Use secret with a sensitive variable."],
    ],
    [
      "an unknown resource type",
      stack({ rest: { resource: { aws_s3_bucket: { b: { "//": metadata("hooks/bucket", "b"), bucket: "x" } } } } }),
      [`${FOLDER}/cdk.tf.json, construct hooks/bucket`, "the resource type aws_s3_bucket"],
    ],
    [
      "an unknown data source",
      stack({
        webhook: { campaign_id: null },
        rest: { data: { http: { b: { "//": metadata("hooks/http", "b"), url: "x" } } } },
      }),
      [`construct hooks/http`, "data source type http"],
    ],
    [
      "an unknown argument",
      stack({ webhook: { targetUrl: "x" } }),
      ["Error: Unknown argument", AT, "Did you mean target_url?"],
    ],
    [
      "a function that does not exist",
      stack({ webhook: { target_url: '${fetch("url.txt")}' } }),
      ["Error: Call to unknown function", AT],
    ],
    [
      "a function of Terraform that outreach does not have",
      stack({ webhook: { target_url: '${regex("https.*", "https://x.example.com/hook")}' } }),
      ["Error: Call to unknown function", "The function regex ", "Run this stack with Terraform", AT],
    ],
    [
      "a file",
      stack({ webhook: { target_url: '${file("url.txt")}' } }),
      ["Error: Call to unknown function", "The function file ", "Run this stack with Terraform", AT],
    ],
    [
      "a path",
      stack({ webhook: { target_url: "https://x.example.com/${path.module}" } }),
      ["Error: Invalid reference", "path.module refers to neither a variable nor a data source", AT],
    ],
    [
      "a module",
      stack({ rest: { module: { m: {} } } }),
      [`on ${FOLDER}/cdk.tf.json, construct module.m`, "This stack has a module", "Run this stack with Terraform"],
    ],
    ["an http URL", stack({ webhook: { target_url: "http://crm.example.com" } }), ["Error: Invalid target URL", AT]],
  ])("%s", async (_name, text, words) => {
    const project = await stackProject(text);
    for (const command of ["validate", "plan", "apply --auto-approve"]) {
      const { code, out, err, sent } = await project.run(`${command} -c ${FOLDER}`);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      for (const part of words) expect(err).toContain(part);
      expect(err.match(/^(Error|Warning|Note): .*/gm), "one mistake, one message").toHaveLength(1);
      expect(err).not.toContain("written-out-secret");
      expect(sent.filter((line) => !line.startsWith("GET"))).toEqual([]);
    }
  });

  test("a variable without a value names it", async () => {
    const project = await stackProject(stack());
    expect(await project.run(`plan -c ${FOLDER}`, { TF_VAR_hook_secret: undefined })).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining(
        "construct var.hook_secret\n\nThe variable hook_secret has no default and no value.",
      ) as string,
    });
  });

  test("a value for a variable that the stack does not declare has advice for stacks too", async () => {
    const project = await stackProject(stack());
    const { code, err } = await project.run(`plan -c ${FOLDER} --var zone=eu`);
    expect(code).toBe(1);
    expect(err).toContain(
      "The variable zone has a value, but the configuration does not declare it.\nDeclare the variable, or remove the value.",
    );
  });

  test.each([
    ["not JSON", "{", "is not JSON"],
    ["a list", "[]", "does not contain a JSON object"],
  ])("%s", async (_name, text, words) => {
    const project = await stackProject(text);
    expect(await project.run(`plan -c ${FOLDER}`)).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining(words) as string,
    });
  });
});

test("a folder that is no stack says so", async () => {
  const project = await openProject();
  project.write("somewhere/else.txt", "");
  expect(await project.run("plan -c somewhere")).toMatchObject({
    code: 1,
    err: expect.stringContaining("The folder somewhere contains neither cdk.tf.json") as string,
  });
});

test("a stack can declare unsubscriptions", async () => {
  const gone = {
    gone: {
      "//": metadata("hooks/gone", "gone"),
      campaign_id: "${data.outreach_campaign.q3.id}",
      email: "ada@example.com",
    },
  };
  const project = await stackProject(stack({ rest: { resource: { outreach_lead_unsubscription: gone } } }));
  const applied = await project.run(`apply --auto-approve -c ${FOLDER}`);
  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining("Resources: 1 added") as string });
  expect(applied.sent).toContain("DELETE /campaigns/cam_000001/leads/ada%40example.com 200");
  expect((await project.run(`plan -c ${FOLDER}`)).out).toContain("No changes.");
});

test("instances with numbers are in the order of their numbers, in plans and in lists", async () => {
  const project = await stackProject(
    stack({ webhook: { count: 11, target_url: "https://crm.example.com/${count.index}" } }),
  );
  const addresses = Array.from({ length: 11 }, (_, index) => `outreach_webhook.crm[${String(index)}]`);
  const planned = (await project.run(`plan -c ${FOLDER}`)).out;
  expect([...planned.matchAll(/# (\S+) will be created/g)].map(([, address]) => address)).toEqual(addresses);
  await project.run(`apply --auto-approve -c ${FOLDER}`);
  expect((await project.run(`state list -c ${FOLDER}`)).out).toBe(addresses.map((address) => `${address}\n`).join(""));
});

describe("where -c names no stack", () => {
  const RUN_IT =
    "Running the program creates the stack: npx tsx main.ts. Then run this command in the same folder with -c cdktf.out/stacks/NAME.";

  test.each([
    [
      "of another name, those that there are are named",
      FOLDER,
      "cdktf.out/stacks/hook",
      "The file cdktf.out/stacks/hook does not exist.",
      `Did you mean -c ${FOLDER}?`,
    ],
    [
      "but the name of one, its folder is named",
      FOLDER,
      "hooks",
      "The file hooks does not exist.",
      `Did you mean -c ${FOLDER}?`,
    ],
    [
      "but the program, its stacks are named",
      FOLDER,
      "main.ts",
      "main.ts is a program, not a configuration. Its synthesized stack is the configuration.",
      `Did you mean -c ${FOLDER}?`,
    ],
    ["before the synthesis, it is asked for", "far/away/other", FOLDER, `The file ${FOLDER} does not exist.`, RUN_IT],
    [
      "but the program before the synthesis, it is asked for",
      "far/away/other",
      "main.ts",
      "main.ts is a program, not a configuration. Its synthesized stack is the configuration.",
      RUN_IT,
    ],
    [
      "but a file of YAML, it is left at that",
      FOLDER,
      "other.yaml",
      "The file other.yaml does not exist.",
      "Name the configuration with -c PATH.",
    ],
  ])("%s", async (_, folder, given, detail, hint) => {
    const project = await openProject();
    project.write(`${folder}/cdk.tf.json`, stack());
    project.write("main.ts", "new App().synth();\n");
    expect(await project.run(`plan -c ${given}`)).toMatchObject({
      code: 1,
      err: `Error: No configuration [config_missing]\n\n${detail}\n${hint}\n\n`,
    });
  });
});

describe("a variable without a value", () => {
  test("that is sensitive is not asked for on the command line", async () => {
    const project = await stackProject(stack());
    const { err } = await project.run(`plan -c ${FOLDER}`, { TF_VAR_hook_secret: undefined });
    expect(err).toContain(
      "The variable hook_secret has no default and no value.\nSet TF_VAR_hook_secret or OUTREACH_VAR_hook_secret.\n",
    );
  });

  test("says which name in the environment is nearly its own", async () => {
    const project = await stackProject(stack());
    const { err } = await project.run(`plan -c ${FOLDER}`, {
      TF_VAR_hook_secret: undefined,
      OUTREACH_VAR_hook_secert: "hidden-value",
    });
    expect(err).toContain(
      "has no default and no value. The environment sets the variable hook_secert, which is not declared.\n",
    );
    expect(err).not.toContain("hidden-value");
  });
});

test("a literal key of a provider is refused at its place", async () => {
  const project = await stackProject(stack({ provider: [{ api_key: "written-out-key" }] }));
  const { err } = await project.run(`plan -c ${FOLDER}`);
  expect(err).toContain(
    `Error: No API key [api_key_missing]\n\n  on ${FOLDER}/cdk.tf.json, construct provider.outreach\n`,
  );
  expect(err).not.toContain("written-out-key");
});

test.each([
  ["encoded", "https://crm.example.com/?event=%24%7BTfToken%5BTOKEN.3%5D%7D"],
  ["encoded twice", "https://crm.example.com/?event=%2524%257BTfToken%255BTOKEN.3%255D%257D"],
  ["in lower case", "https://%24%7btftoken%5btoken.3%5d%7d.example.com/"],
  ["in base64", "https://crm.example.com/?event=JHtUZlRva2VuW1RPS0VOLjNdfQ"],
  [
    "in base64, behind other text",
    `https://crm.example.com/${Buffer.from('{"event":"${TfToken[TOKEN.3]}"}').toString("base64url")}`,
  ],
  [
    "in base64, behind more text",
    `https://crm.example.com/${Buffer.from('{"key":"${TfToken[TOKEN.3]}"}').toString("base64url")}`,
  ],
  ["without its brackets", "https://crm.example.com/?event=TfTokenTOKEN.3"],
  ["a number, encoded", "https://crm.example.com/?event=-8.109562212591381e%2B298"],
  ["a number, encoded three times", "https://crm.example.com/?event=-8.109562212591381e%25252B298"],
  ["a number without its sign", "https://crm.example.com/?event=8.109562212591381e298"],
  ["a number, in upper case", "https://crm.example.com/?event=-8.10956221259138E+298"],
])("a token of CDK that is %s is refused before anything is sent", async (_what, target_url) => {
  const project = await stackProject(stack({ webhook: { target_url } }));
  for (const command of ["validate", "plan", "apply --auto-approve"]) {
    const { code, err, sent } = await project.run(`${command} -c ${FOLDER}`);
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(err).toContain("Error: An encoded token [token_encoded]");
    expect(err).toContain("Fn.urlencode");
  }
});
