import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { parse } from "yaml";
import { SERVER_PASSWORD, SERVER_USER, startHttpStateServer } from "../../../core/state/http/http-state-server.ts";
import { read } from "../../../docs/pages.ts";
import { expanded } from "../../../examples/ci/gitlab-runner.ts";
import { lacks } from "../engine.ts";
import { REQUIRED_PROVIDERS } from "../installed-provider.ts";
import { TerraformUnderTest } from "../terraform-under-test.ts";
import { story as base, webhook, writes } from "./story.ts";

/** Another folder, with its own home and journal, that shares only the backend. */
const story = base.extend<{ other: TerraformUnderTest; shared: string }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the names of the fixtures from the pattern
  shared: async ({}, use) => {
    const shared = mkdtempSync(path.join(tmpdir(), "backend-"));
    await use(shared);
    rmSync(shared, { recursive: true });
  },
  other: async ({ terraform, shared }, use) => {
    const other = await TerraformUnderTest.start(terraform.environment);
    const backend = `terraform {\n  backend "local" {\n    path = ${JSON.stringify(path.join(shared, "terraform.tfstate"))}\n  }\n}\n`;
    for (const one of [terraform, other]) {
      one.write("provider.tf", REQUIRED_PROVIDERS + backend);
      await one.run("init", "-no-color", "-input=false");
    }
    await use(other);
    await other.remove();
  },
});

const ENCRYPTED_PLANS = `
key_provider "pbkdf2" "key" {
  passphrase = "a passphrase of the tests"
}
method "aes_gcm" "method" {
  keys = key_provider.pbkdf2.key
}
plan {
  method   = method.aes_gcm.method
  enforced = true
}
`;

const CREATE_FIRST = "lifecycle {\n    create_before_destroy = true\n  }";

describe.concurrent("a plan that another machine applies", { timeout: 300_000 }, () => {
  story(
    "replaces with create_before_destroy, and creates nothing next to an unmanaged webhook",
    async ({ sandbox, terraform, other, shared }) => {
      const declared = (value: string) =>
        `resource "terraform_data" "trigger" {\n  input = "${value}"\n}\n` +
        webhook("secret", [`secret = "${value}"`, CREATE_FIRST]) +
        webhook("version", [`secret_wo = "${value}"`, `secret_wo_version = ${String(value.length)}`, CREATE_FIRST]) +
        webhook("triggered", [
          "lifecycle {\n    create_before_destroy = true\n    replace_triggered_by = [terraform_data.trigger]\n  }",
        ]);
      const plan = path.join(shared, "saved.plan");
      terraform.write("main.tf", declared("one"));
      await terraform.apply();
      for (const one of [terraform, other]) one.write("main.tf", declared("three"));
      expect((await terraform.plan(`-out=${plan}`)).output).toContain("Plan: 3 to add, 1 to change, 3 to destroy.");
      sandbox.clearRequests();
      const { output } = await other.run("apply", "-no-color", "-input=false", plan);
      expect(output).toContain("Resources: 3 added, 1 changed, 3 destroyed.");
      expect(writes(sandbox).toSorted()).toEqual([
        ...Array<string>(3).fill("DELETE /hooks/ID"),
        ...Array<string>(3).fill("POST /hooks"),
      ]);
      expect(sandbox.webhooks()).toHaveLength(3);
      expect((await other.plan()).status).toBe(0);

      for (const one of [terraform, other]) one.write("more.tf", webhook("more", [CREATE_FIRST]));
      await terraform.plan(`-out=${plan}`);
      const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://more.example.com/" });
      const stopped = await other.run("apply", "-no-color", "-input=false", plan);
      expect(stopped.words).toContain("Error: An identical unmanaged webhook exists");
      expect(stopped.words).toContain(id);
      expect(sandbox.webhooks()).toHaveLength(4);
    },
  );

  story(
    "stops where it is encrypted and the journal is not there, and goes on with the journal",
    async ({ sandbox, terraform, other, shared, skip }) => {
      const missing = lacks("encrypted plans");
      skip(missing !== null, missing ?? "");
      for (const one of [terraform, other]) one.environment = { ...one.environment, TF_ENCRYPTION: ENCRYPTED_PLANS };
      const plan = path.join(shared, "saved.plan");
      terraform.write("main.tf", webhook("crm", ['secret = "one"', CREATE_FIRST]));
      await terraform.apply();
      for (const one of [terraform, other]) one.write("main.tf", webhook("crm", ['secret = "two"', CREATE_FIRST]));
      expect((await terraform.plan(`-out=${plan}`)).output).toContain("Plan: 1 to add, 0 to change, 1 to destroy.");
      sandbox.clearRequests();
      const stopped = await other.run("apply", "-no-color", "-input=false", plan);
      expect(stopped.words).toContain("Probably the saved plan replaces it");
      expect(stopped.words).toContain("bring its folder (.terraform/outreach-journal)");
      expect(stopped.words).not.toContain("import {");
      expect(writes(sandbox)).toEqual([]);
      other.environment = {
        ...other.environment,
        OUTREACH_JOURNAL: path.join(terraform.folder, ".terraform/outreach-journal"),
      };
      expect((await other.run("apply", "-no-color", "-input=false", plan)).output).toContain(
        "Resources: 1 added, 0 changed, 1 destroyed.",
      );
      expect(sandbox.webhooks()).toMatchObject([{ secret: "two" }]);
    },
  );
});

/** The variables of the example for GitLab, as GitLab expands them for a job. */
function recipe(address: string): { readonly [name: string]: string } {
  const { variables } = parse(read("examples/ci/gitlab-terraform/.gitlab-ci.yml")) as {
    readonly variables: { readonly [name: string]: string };
  };
  const { OUTREACH_BASE_URL: _, ...recorded } = variables;
  const [, api = "", project = ""] = /^(.*)\/projects\/(\d+)\//.exec(address) ?? [];
  const { CI_API_V4_URL: __, ...job } = expanded({
    ...recorded,
    CI_API_V4_URL: api,
    CI_PROJECT_ID: project,
    CI_JOB_TOKEN: SERVER_PASSWORD,
  });
  return { ...job, TF_HTTP_USERNAME: SERVER_USER };
}

story(
  "GitLab keeps state and journal: the journal has its own lock, also while Terraform holds the lock of the state",
  { timeout: 120_000 },
  async ({ terraform }) => {
    const server = await startHttpStateServer("gitlab");
    terraform.environment = { ...terraform.environment, ...recipe(server.settings()["address"] ?? "") };
    terraform.write("provider.tf", `${REQUIRED_PROVIDERS}terraform {\n  backend "http" {}\n}\n`);
    terraform.write("main.tf", webhook("one") + webhook("two"));
    expect(await terraform.run("init", "-no-color", "-input=false")).toMatchObject({ status: 0 });
    expect((await terraform.plan("-lock=false")).status).toBe(2);
    const { words } = await terraform.apply();
    expect(words).toContain("Resources: 2 added");
    expect(words).not.toMatch(/Warning|Error/);
    const locked = server.requests
      .filter(({ target }) => target === "lock")
      .map((request) => path.posix.basename(path.posix.dirname(request.path)));
    expect(new Set(locked)).toEqual(new Set(["production", "production-journal"]));
    expect([server.lock("production"), server.lock("production-journal"), server.violations]).toEqual([null, null, []]);
    await server.close();
  },
);
