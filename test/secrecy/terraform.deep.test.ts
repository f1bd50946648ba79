import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { story, webhook } from "../frontends/terraform/stories/story.ts";
import type { TerraformUnderTest } from "../frontends/terraform/terraform-under-test.ts";
import { leaks } from "./spellings.ts";

const KEY = { name: "the API key", value: 'key/canary+odd "chars"?>~of-the-team' };
const SECRET = { name: "the secret", value: "secret/canary+1 of=the?>hook<&~" };
const VARIABLE = 'variable "token" {\n  type      = string\n  sensitive = true\n  ephemeral = true\n}\n';

function filesOf({ folder }: TerraformUnderTest): { readonly [file: string]: string } {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [
      path.relative(folder, path.join(parentPath, name)),
      readFileSync(path.join(parentPath, name), "latin1"),
    ]),
  );
}

story(
  "neither Terraform's trace log nor a file of the provider has the key or a write-only secret, after success and failure",
  async ({ sandbox, terraform }) => {
    sandbox.add("keys", { name: "canary", key: KEY.value, userId: "usr_000001" });
    terraform.hasProcesses = true;
    terraform.environment = {
      ...terraform.environment,
      OUTREACH_API_KEY: KEY.value,
      TF_LOG: "TRACE",
      TF_LOG_PATH: path.join(terraform.folder, "trace.log"),
      TF_VAR_token: SECRET.value,
    };
    terraform.write("main.tf", VARIABLE + webhook("crm", ["secret_wo = var.token", "secret_wo_version = 1"]));
    const applied = await terraform.run("apply", "-input=false", "-auto-approve");
    expect(applied.status, applied.output).toBe(0);
    expect(sandbox.webhooks().map(({ secret }) => secret)).toContain(SECRET.value);
    sandbox.addFault({
      action: { kind: "answer", status: 400, body: `${KEY.value} ${encodeURIComponent(KEY.value)}` },
      times: null,
    });
    const failed = await terraform.run("apply", "-input=false", "-auto-approve");
    expect(failed.status).toBe(1);
    const files = filesOf(terraform);
    expect(files["trace.log"]).toContain("ApplyResourceChange");
    expect(leaks([KEY, SECRET], { ...files, "the output": applied.output + failed.output })).toEqual([]);
  },
  120_000,
);
