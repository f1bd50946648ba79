import { readFileSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { describe, expect } from "vitest";
import { live, story, webhook, writes } from "./story.ts";

const WRITE_ONLY = ["secret_wo = var.token", "secret_wo_version = var.token_version"];
const VARIABLES = `
variable "token" {
  type      = string
  sensitive = true
  ephemeral = true
}
variable "token_version" {
  type = number
}
`;

/** A value as it could be written somewhere. */
function spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const escaped = JSON.stringify(value).slice(1, -1);
  return [
    value,
    escaped,
    escaped.replaceAll("<", "\\u003c"),
    encodeURIComponent(value),
    bytes.toString("hex"),
    ...alignments(bytes),
  ];
}

/** What of a value is in base64, wherever in the encoded text it begins. */
function alignments(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) =>
    (["base64", "base64url"] as const).map((encoding) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes])
        .toString(encoding)
        .replace(/=+$/, "");
      return text.slice(before === 0 ? 0 : before + 1, -1);
    }),
  );
}

describe.concurrent("secrets", { timeout: 300_000 }, () => {
  story("no receiver gets the key of the provider, nor the password of its ledger", async ({ sandbox, terraform }) => {
    terraform.environment = { ...terraform.environment, TF_HTTP_PASSWORD: "of-the-ledger" };
    for (const secret of [sandbox.keys.good, "of-the-ledger"]) {
      terraform.write("main.tf", webhook("crm", [`secret = "${secret}"`]));
      for (const ran of [await terraform.plan(), await terraform.apply()]) {
        expect(ran.status).toBe(1);
        expect(ran.output).toContain("Key used as a webhook's secret");
      }
    }
    expect(writes(sandbox)).toEqual([]);
  });

  story("a write-only secret is sent when its version changes, and only then", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", VARIABLES + webhook("crm", WRITE_ONLY));
    const variables = (token: string, version: number) => [
      `-var=token=${token}`,
      `-var=token_version=${String(version)}`,
    ];
    expect((await terraform.apply(...variables("first-token", 1))).status).toBe(0);
    expect(live(sandbox, "crm")?.secret).toBe("first-token");
    sandbox.clearRequests();
    expect((await terraform.plan(...variables("second-token", 1))).status).toBe(0);
    const rotated = await terraform.apply(...variables("second-token", 2));
    expect(rotated.output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
    expect(rotated.output).toMatch(/secret_wo_version .*1 -> 2 # forces replacement/);
    expect(writes(sandbox)).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
    expect(live(sandbox, "crm")?.secret).toBe("second-token");
  });

  story(
    "a variable that a job does not set creates no webhook without its secret, and a destroy takes the placeholder",
    async ({ sandbox, terraform }) => {
      const variables = VARIABLES.replace("ephemeral = true", "ephemeral = true\n  default   = null");
      terraform.write("main.tf", variables + webhook("crm", WRITE_ONLY));
      const unset = await terraform.apply("-var=token_version=1");
      expect([unset.status, live(sandbox, "crm")]).toEqual([1, undefined]);
      expect(unset.output).toMatch(
        /Error: A secret's version without the secret[^]*is its variable set in this job[^]*any value will do[^]*leave\s+both out/,
      );
      expect((await terraform.apply("-var=token=first-token", "-var=token_version=1")).status).toBe(0);
      expect(
        (await terraform.run("destroy", "-auto-approve", "-var=token=unknown", "-var=token_version=1")).status,
      ).toBe(0);
      expect(live(sandbox, "crm")).toBeUndefined();
    },
  );

  story(
    "the placeholder of jobs that only plan is never sent, and a replace that creates first loses nothing",
    async ({ sandbox, terraform }) => {
      const lifecycle = ["lifecycle {", "  create_before_destroy = true", "}"];
      terraform.write("main.tf", VARIABLES + webhook("crm", [...WRITE_ONLY, ...lifecycle]));
      const planned = await terraform.plan("-var=token=unknown", "-var=token_version=1");
      expect([planned.status, planned.output]).toEqual([
        2,
        expect.stringMatching(/Warning: A placeholder instead of the secret[^]*An apply\s+refuses to send it/),
      ]);
      const applied = await terraform.apply("-var=token=unknown", "-var=token_version=1");
      expect([applied.status, live(sandbox, "crm"), writes(sandbox)]).toEqual([1, undefined, []]);
      expect(applied.output).toMatch(
        /Error: The secret is a placeholder[^]*Set the real secret in the job that applies/,
      );

      expect((await terraform.apply("-var=token=first-token", "-var=token_version=1")).status).toBe(0);
      expect((await terraform.apply("-var=token=unknown", "-var=token_version=2")).status).toBe(1);
      expect(live(sandbox, "crm")?.secret).toBe("first-token");
      // Without a change of the version, the plan does not depend on the secret.
      const drift = await terraform.plan("-detailed-exitcode", "-var=token=unknown", "-var=token_version=1");
      expect(drift.status).toBe(0);
    },
  );

  story(
    "a replace with the placeholder deletes nothing, and a saved plan takes the secret of the apply",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", VARIABLES + webhook("crm", WRITE_ONLY));
      const variables = (token: string, version: number) => [
        `-var=token=${token}`,
        `-var=token_version=${String(version)}`,
      ];
      expect((await terraform.apply(...variables("first-token", 1))).status).toBe(0);
      const before = live(sandbox, "crm");
      sandbox.clearRequests();
      for (const replacing of [
        variables("unknown", 2),
        [...variables("unknown", 1), "-replace=outreach_webhook.crm"],
      ]) {
        const { status, output } = await terraform.apply(...replacing);
        expect([status, writes(sandbox), live(sandbox, "crm")]).toEqual([1, [], before]);
        expect(output).toMatch(/Error: The secret of the replacement is a placeholder[^]*Nothing was\s+deleted/);
      }
      await terraform.run("taint", "outreach_webhook.crm");
      expect((await terraform.apply(...variables("unknown", 1))).status).toBe(1);
      expect([writes(sandbox), live(sandbox, "crm")]).toEqual([[], before]);
      await terraform.run("untaint", "outreach_webhook.crm");
      expect((await terraform.plan(...variables("unknown", 1))).status).toBe(0);
      expect((await terraform.plan("-out=saved.plan", ...variables("unknown", 2))).status).toBe(2);
      expect((await terraform.run("apply", "-input=false", "-var=token=second-token", "saved.plan")).status).toBe(0);
      expect(live(sandbox, "crm")?.secret).toBe("second-token");
      expect(
        (await terraform.run("destroy", "-auto-approve", "-refresh=false", ...variables("unknown", 2))).status,
      ).toBe(0);
      expect(live(sandbox, "crm")).toBeUndefined();

      const plain = (secret: string) => terraform.write("main.tf", webhook("plain", [`secret = "${secret}"`]));
      plain("first-secret");
      expect((await terraform.apply()).status).toBe(0);
      plain("unknown");
      expect((await terraform.plan("-out=plain.plan")).status).toBe(2);
      expect((await terraform.run("apply", "-input=false", "plain.plan")).status).toBe(1);
      expect(live(sandbox, "plain")?.secret).toBe("first-secret");
      expect((await terraform.run("destroy", "-auto-approve", "-refresh=false")).status).toBe(0);
    },
  );

  story("secret and secret_wo together are an error at the attribute", async ({ terraform }) => {
    terraform.write("main.tf", webhook("crm", ['secret = "one"', 'secret_wo = "two"']));
    const { status, output } = await terraform.plan();
    expect(status).toBe(1);
    expect(output).toMatch(/Error: Two secrets for one webhook[^]*on main\.tf line 4/);
  });

  story(
    "a write-only secret is in no file of any step, in no spelling; secret is in the state and in saved plans",
    async ({ sandbox, terraform }) => {
      terraform.hasProcesses = true;
      const [token, next, plain] = ['w<o>1"tok\\en-4711', 'w<o>2"tok\\en-4712', "plain-secret-4713"];
      terraform.environment = {
        ...terraform.environment,
        TF_LOG: "TRACE",
        TF_LOG_PATH: path.join(terraform.folder, "trace.log"),
        TF_VAR_token: token,
        TF_VAR_token_version: "1",
      };
      const declaration = VARIABLES + webhook("wo", WRITE_ONLY) + webhook("plain", [`secret = "${plain}"`]);
      terraform.write(
        "main.tf",
        declaration.replace(`"${plain}"`, "var.plain") +
          'variable "plain" {\n  type      = string\n  sensitive = true\n}\n',
      );
      terraform.environment = { ...terraform.environment, TF_VAR_plain: plain };
      const outputs: string[] = [];
      const step = async (...args: readonly string[]) => {
        const { status, output } = await terraform.run(...args);
        outputs.push(output);
        return status;
      };

      expect(await step("plan", "-input=false", "-out=first.plan")).toBe(0);
      expect(await step("show", "-json", "first.plan")).toBe(0);
      expect(await step("apply", "-input=false", "-auto-approve")).toBe(0);
      terraform.environment = { ...terraform.environment, TF_VAR_token: next, TF_VAR_token_version: "2" };
      sandbox.addFault({ action: { kind: "drop" }, operation: "addWebhook", when: "after", times: 1 });
      sandbox.addFault({ action: { kind: "html" }, operation: "listWebhooks", skip: 2, times: null });
      // Whatever this comes to: it leaves a journal, a tainted object, or both.
      await step("apply", "-input=false", "-auto-approve");
      sandbox.clearFaults();
      await step("apply", "-input=false", "-auto-approve");
      expect(await step("show")).toBe(0);
      expect(
        sandbox.requests().filter(({ method, body }) => method === "POST" && JSON.stringify(body).includes("4712")),
      ).not.toEqual([]);

      const searched = [...spellings(token), ...spellings(next)];
      expect(terraform.files().length).toBeGreaterThan(5);
      for (const text of searched) expect([text, ...terraform.filesContaining(text)]).toEqual([text]);
      for (const output of outputs) for (const text of searched) expect(output.includes(text)).toBe(false);
      const stored = terraform
        .files()
        .filter((name) => spellings(plain).some((text) => terraform.read(name).includes(text)));
      // Its trace tells neither.
      expect(stored).toEqual(["terraform.tfstate", "terraform.tfstate.backup"]);
      // A plan is a zip, whose bytes do not show what it contains.
      const planned = Object.values(unzipSync(readFileSync(path.join(terraform.folder, "first.plan")))).map((bytes) =>
        Buffer.from(bytes),
      );
      const inPlan = (value: string): boolean =>
        spellings(value).some((text) => planned.some((bytes) => bytes.includes(text)));
      expect([token, next, plain].map(inPlan)).toEqual([false, false, true]);
    },
  );

  story("the API key is in no file, in no spelling, also where an outcome is open", async ({ sandbox, terraform }) => {
    const { good } = sandbox.keys;
    terraform.hasProcesses = true;
    terraform.environment = {
      ...terraform.environment,
      TF_LOG: "TRACE",
      TF_LOG_PATH: path.join(terraform.folder, "trace.log"),
    };
    terraform.environment = { ...terraform.environment, TF_VAR_key: good };
    terraform.write(
      "main.tf",
      `variable "key" {\n  type      = string\n  ephemeral = true\n}\nprovider "outreach" {\n  api_key = var.key\n}\n${webhook("crm")}`,
    );
    sandbox.addFault({ action: { kind: "html" }, operation: "addWebhook" });
    sandbox.addFault({ action: { kind: "html" }, operation: "listWebhooks", skip: 2, times: null });
    const { status, output } = await terraform.apply();
    expect([status, output.includes(good)]).toEqual([1, false]);
    expect(terraform.files().filter((name) => name.endsWith("ledger.json"))).not.toEqual([]);
    for (const text of [...spellings(good), ...alignments(Buffer.from(`:${good}`))])
      expect([text, ...terraform.filesContaining(text)]).toEqual([text]);
  });
});
