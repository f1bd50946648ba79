import { describe, expect, test } from "vitest";
import { BACKEND_NAMES } from "../../../../src/core/state/backends.ts";
import { VERSION } from "../../../../src/operations/version.ts";
import { type Ran, oneWebhook, useProjects } from "../project.ts";
import { NO_CHANGES, NO_STATE_YET, noStateYet } from "../no-changes.ts";

const openProject = useProjects();
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks\ntype: emailsReplied");

describe("outreach", () => {
  test("version prints the version", async () => {
    const project = await openProject();
    expect(await project.run("version")).toEqual({ code: 0, out: `outreach v${VERSION}\n`, err: "", sent: [] });
  });

  test("version --json prints the version and the platform, as the provider's packages name it", async () => {
    const project = await openProject();
    const platform: unknown = expect.stringMatching(/^[a-z0-9]+_[a-z0-9]+$/);
    expect(JSON.parse((await project.run("version --json")).out)).toEqual({ outreach_version: VERSION, platform });
  });

  test("every command says with --help what it is for, and gives an example", async () => {
    const names = ({ out }: Ran): readonly string[] => {
      const [, listed = ""] = /\nCommands:\n([^]*?)\n\n/.exec(out) ?? [];
      return [...listed.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = ""]) => name);
    };
    const project = await openProject();
    const waiting = [""];
    const seen: string[] = [];
    for (let command = waiting.pop(); command !== undefined; command = waiting.pop()) {
      const help = await project.run(`${command} --help`);
      expect(help, command).toMatchObject({
        code: 0,
        err: "",
        out: expect.stringMatching(
          new RegExp(
            `Usage: outreach ${command}[\\s\\S]*\\nExample[^\\n]*:\\n {2}(outreach|source <\\(outreach) ${command}`,
          ),
        ) as string,
      });
      seen.push(command);
      for (const name of names(help)) if (name !== "help") waiting.push(`${command} ${name}`.trimStart());
    }
    expect(seen).toEqual(
      expect.arrayContaining([
        "plan",
        "apply",
        "destroy",
        "import",
        "resolve",
        "state mv",
        "get campaigns",
        "completion",
        "sandbox",
      ]),
    );
  });

  test.each(["-auto-approve", "--auto-approve"])("%s is understood", async (option) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    expect(await project.run(`apply ${option}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Apply complete!") as string,
    });
  });

  test("an option with one dash takes a value with = as well", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      CONFIGURATION.replace("/hooks", "/${var.stage}").concat("variables: { stage: {} }\n"),
    );
    expect(await project.run("plan -var=stage=live -lock=false -detailed-exitcode")).toMatchObject({
      code: 2,
      out: expect.stringContaining("crm.example.com/live") as string,
    });
    expect(await project.run("plan -var stage=test")).toMatchObject({
      code: 0,
      out: expect.stringContaining("crm.example.com/test") as string,
    });
  });
});

describe("validate", () => {
  test("needs no network, key or base URL", async () => {
    const project = await openProject();
    project.write("outreach.yaml", `${CONFIGURATION}ignore: [webhook_without_secret]\n`);
    const environment = { OUTREACH_BASE_URL: undefined, OUTREACH_API_KEY: undefined };
    expect(await project.run("validate", environment)).toEqual({
      code: 0,
      out: "Success! The configuration is valid.\n",
      err: "",
      sent: [],
    });
  });

  test("leaves open what refers to a variable without a value, which a plan needs", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `${oneWebhook("target_url: https://${var.host}/hooks\ntype: emailsReplied")}variables: { host: {} }\n`,
    );
    expect(await project.run("validate")).toMatchObject({ code: 0, err: "" });
    expect(await project.run("validate --json")).toMatchObject({
      code: 0,
      out: expect.stringContaining('"valid": true') as string,
    });
    expect(await project.run("plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("The variable host has no default") as string,
    });
  });

  test("prints every mistake to stderr and exits with 1", async () => {
    const project = await openProject();
    project.write("sub/web.yaml", oneWebhook("target_url: http://crm.example.com/hooks\ntyp: x"));
    const { code, out, err, sent } = await project.run("validate -c sub/web.yaml");
    expect({ code, out, sent }).toEqual({ code: 1, out: "", sent: [] });
    expect(err).toContain("on sub/web.yaml:4:17, in outreach_webhook.crm");
    expect(err).toContain("on sub/web.yaml:5:5");
  });

  test("says that there is no configuration", async () => {
    const project = await openProject();
    expect(await project.run("validate")).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        "The file outreach.yaml does not exist.\nName the configuration with -c PATH, or write a starter configuration: outreach init\n",
      ) as string,
    });
    project.write("outreach.yml", oneWebhook("target_url: https://crm.example.com/hooks"));
    expect((await project.run("validate")).err).toContain("Did you mean -c outreach.yml?");
    project.write("cdktf.out/stacks/hooks/cdk.tf.json", "{}");
    expect((await project.run("validate")).err).toContain("Did you mean -c cdktf.out/stacks/hooks?");
  });

  test("names the folder above that has one", async () => {
    const project = await openProject();
    project.write("../outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks"));
    const { code, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(err).toContain("The folder .. has one: run the command there, or name another configuration with -c PATH.");
  });
});

describe("plan", () => {
  test("reads once, sends nothing that writes, and leaves no file behind", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      oneWebhook(
        "target_url: https://crm.example.com/hooks\ncampaign: q3\nsecret: { env: S }",
        "data:\n  campaign:\n    q3: { name: Q3 launch }\n",
      ),
    );
    const before = project.files();
    const { code, out, err, sent } = await project.run("plan", { S: "a-long-secret" });
    expect(sent).toEqual(["GET /campaigns?version=v2 200", "GET /hooks 200"]);
    expect(project.files()).toEqual(before);
    expect({ code, out, err }).toEqual({
      code: 0,
      err: NO_STATE_YET,
      out: `outreach will perform the following actions:

  # outreach_webhook.crm will be created
  + outreach_webhook.crm
      + target_url  = "https://crm.example.com/hooks"
      + campaign_id = "cam_000001" # Q3 launch
      + secret      = (sensitive value)
      + id          = (known after apply)
      + created_at  = (known after apply)

Plan: 1 to add, 0 to change, 0 to destroy.
Requests: 4, at least 0 s at 20 per 2 s
`,
    });
  });

  test("--detailed-exitcode: 2 with changes, 0 without, 1 with an error", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    expect((await project.run("plan --detailed-exitcode")).code).toBe(2);
    expect((await project.run("plan")).code).toBe(0);
    await project.run("apply --auto-approve");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 0,
      out: NO_CHANGES,
      err: "",
      sent: ["GET /hooks 200"],
    });
    project.write("outreach.yaml", `${CONFIGURATION}    typ: x\n`);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 1, sent: [] });
  });

  test("without anything declared or recorded asks the service nothing", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\n");
    expect(await project.run("plan --detailed-exitcode")).toEqual({
      code: 0,
      out: NO_CHANGES,
      err: NO_STATE_YET,
      sent: [],
    });
  });

  test("pages through the campaigns, and confirms a list of a full page", async () => {
    const project = await openProject();
    for (let index = 0; index < 95; index++)
      project.sandbox.add("campaigns", {
        _id: `cam_1${String(index).padStart(5, "0")}`,
        name: `Filler ${String(index)}`,
      });
    for (let index = 0; index < 100; index++)
      project.sandbox.add("webhooks", {
        _id: `hoo_1${String(index).padStart(5, "0")}`,
        targetUrl: `https://other.example.com/${String(index)}`,
      });
    project.write(
      "outreach.yaml",
      oneWebhook(
        "target_url: https://crm.example.com/hooks\ncampaign: q3",
        "data:\n  campaign:\n    q3: { name: Q3 launch }\n",
      ),
    );
    const { sent } = await project.run("plan");
    expect(sent).toEqual([
      "GET /campaigns?version=v2 200",
      "GET /campaigns?version=v2&offset=100 200",
      "GET /hooks 200",
      "GET /hooks?offset=100 200",
    ]);
  });

  test.each([
    ["a variable that is not set", "{ env: NOT_THERE }", "The environment variable NOT_THERE is not set."],
    ["an empty variable", "{ env: EMPTY }", "The environment variable EMPTY is empty."],
    ["a file that is not there", "{ file: secrets/no }", "The file secrets/no does not exist."],
    ["a file outside", "{ file: /etc/hostname }", "The file /etc/hostname is outside the configuration's folder."],
    ["a program that is not there", "{ command: [no-such-program] }", 'The command "no-such-program" failed to start'],
    ["a program that fails", "{ command: [sh, -c, 'exit 7'] }", 'The command "sh" failed (exit 7).'],
  ])("a secret from %s is an error at its place", async (_name, source, words) => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook(`target_url: https://crm.example.com/hooks\nsecret: ${source}`));
    const { code, err, sent } = await project.run("plan", { EMPTY: "" });
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).toContain("on outreach.yaml:5:5, in outreach_webhook.crm");
    expect(sent).toEqual([]);
  });

  test("two declarations of the same webhook are an error", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      "version: 1\nwebhooks:\n  a: { target_url: https://crm.example.com }\n  b: { target_url: https://crm.example.com/ }\n",
    );
    expect(await project.run("plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("on outreach.yaml:4:3, in outreach_webhook.b") as string,
    });
    project.write(
      "outreach.yaml",
      "version: 1\nwebhooks:\n  a: { target_url: https://crm.example.com, allow_duplicate: true }\n  b: { target_url: https://crm.example.com/, allow_duplicate: true }\n",
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 added") as string,
    });
  });

  test.each([
    [
      "an unknown name",
      "name: Q4 launch",
      'None of the team\'s 8 campaigns has the name "Q4 launch".',
      'Did you mean "Q3 launch"?',
    ],
    [
      "another status",
      "name: Q3 launch\n      status: draft",
      "is in status draft; there is cam_000001 (running)",
      "Change or remove status.",
    ],
  ])("a campaign that is looked up by %s is an error at its place", async (_name, body, detail, hint) => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      oneWebhook(
        "target_url: https://crm.example.com/hooks\ncampaign: q3",
        `data:\n  campaign:\n    q3:\n      ${body}\n`,
      ),
    );
    const { code, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(err).toContain("on outreach.yaml:4:5, in data.outreach_campaign.q3");
    expect(err).toContain(detail);
    expect(err).toContain(hint);
  });
});

describe("apply", () => {
  test.each(["apply", "destroy"])(
    "%s without a terminal and without --auto-approve is refused, and nothing is done",
    async (command) => {
      const project = await openProject();
      project.write("outreach.yaml", CONFIGURATION);
      const before = project.files();
      const { code, out, err, sent } = await project.run(command);
      expect({ code, out, sent }).toEqual({ code: 1, out: "", sent: [] });
      expect(err).toContain(`${command} asks for a typed yes, but the input is not a terminal. Nothing was done.`);
      expect(project.files()).toEqual(before);
    },
  );

  test("without changes neither asks nor writes", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\n");
    const before = project.files();
    expect(await project.run("apply --auto-approve")).toEqual({
      code: 0,
      out: "No changes. Your webhooks match the configuration.\nRequests: 0, at least 0 s at 20 per 2 s\n\nApply complete! Resources: 0 added, 0 changed, 0 destroyed.\n",
      err: NO_STATE_YET,
      sent: [],
    });
    expect(project.files()).toEqual(before);
  });
});

describe("the state", () => {
  test.each([
    ["by default next to the configuration", "sub/outreach.yaml", "", {}, "sub/outreach.state.json"],
    [
      "where state.path says, with variables",
      "sub/outreach.yaml",
      "state: { path: 'of.${var.stage}.json' }\nvariables: { stage: { default: live } }\n",
      {},
      "sub/of.live.json",
    ],
    [
      "where OUTREACH_STATE says",
      "sub/outreach.yaml",
      "state: { path: ignored.json }\n",
      { OUTREACH_STATE: "named.json" },
      "named.json",
    ],
  ])("is kept %s", async (_name, file, rest, environment, expected) => {
    const project = await openProject();
    project.write(file, `${CONFIGURATION}${rest}`);
    expect(await project.run(`apply --auto-approve -c ${file}`, environment)).toMatchObject({
      code: 0,
      err: noStateYet(expected),
    });
    expect(Object.keys(project.files()).filter((name) => name.endsWith(".json"))).toEqual([expected]);
  });

  test.each([
    ["nowhere/mine.json", "No folder for the state"],
    [".", "The state is a folder"],
  ])("in %s is refused, and no folder is made", async (state, says) => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    const before = project.files();
    const { code, err, sent } = await project.run(`apply --auto-approve --state ${state}`);
    expect([code, sent, project.files()]).toEqual([1, [], before]);
    expect(err).toContain(says);
  });

  test("next to a folder in the place of its new version is not stored, and the error is no bug", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    project.write("outreach.state.json.tmp/file", "");
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, sent.filter((one) => !one.startsWith("GET"))]).toEqual([1, []]);
    expect(err.replace(NO_STATE_YET, "")).toMatch(
      /^Error: Operation failed \[system\]\n\n[^]*outreach\.state\.json\.tmp\.\nCheck the path/,
    );
  });

  test.each([
    [
      "apply --auto-approve --state consul://ada:hunter2@state.example.com/prod",
      "",
      "no state backend is for consul: URLs",
    ],
    [
      "plan",
      "state: { path: 's3://bucket/key' }\n",
      "s3://bucket/key is a URL, and the backend local keeps the state in a file",
    ],
    [
      "validate",
      "state: { path: '${var.place}' }\nvariables: { place: { default: 'postgres://db/x' } }\n",
      "on outreach.yaml:6:16",
    ],
    ["state list --state gcs://bucket/key", "", "no state backend is for gcs: URLs"],
  ])("at a URL is refused by %s, and nothing is written", async (command, rest, says) => {
    const project = await openProject();
    project.write("outreach.yaml", `${CONFIGURATION}${rest}`);
    const before = project.files();
    const { code, err, sent } = await project.run(command);
    expect([code, sent, project.files()]).toEqual([1, [], before]);
    for (const text of ["Unknown state backend", `This version has: ${BACKEND_NAMES.join(", ")}.`, says])
      expect(err).toContain(text);
    expect(err).not.toContain("hunter2");
  });

  test("is kept where --state says, whatever else says", async () => {
    const project = await openProject();
    project.write("outreach.yaml", CONFIGURATION);
    project.write("states/README.md", "");
    await project.run("apply --auto-approve --state states/mine.json", { OUTREACH_STATE: "named.json" });
    expect(Object.keys(project.files()).filter((name) => name.endsWith(".json"))).toEqual(["states/mine.json"]);
  });
});
