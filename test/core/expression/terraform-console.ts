import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { TERRAFORM_SETTINGS } from "../../frontends/terraform/terraform-settings.ts";
import { LOCALS, VARIABLES } from "./cases.ts";

const NONE = "no value";

/**
 * The values of expressions in Terraform's console, in one run; undefined without a value. Each is encoded separately,
 * because as elements of one list they would be converted to one type.
 */
export function terraformConsole(expressions: readonly string[]): readonly unknown[] {
  const table = expressions
    .map((expression) => `    nonsensitive(try(jsonencode(${expression}), "${NONE}")),\n`)
    .join("");
  const { stdout, stderr } = runTerraform(
    ["console"],
    { "table.tf": `locals {\n  table = [\n${table}  ]\n}\n` },
    "jsonencode(local.table)\n",
  );
  expect(stderr).toBe("");
  const encoded = JSON.parse(JSON.parse(stdout) as string) as readonly string[];
  return encoded.map((text) => (text === NONE ? undefined : (JSON.parse(text) as unknown)));
}

/** Terraform's values for texts in a JSON file, as CDK writes it. */
export function terraformTemplates(texts: readonly string[]): readonly unknown[] {
  const { stdout, stderr } = runTerraform(
    ["console"],
    { "texts.tf.json": JSON.stringify({ locals: { texts } }) },
    "jsonencode(local.texts)\n",
  );
  expect(stderr).toBe("");
  return JSON.parse(JSON.parse(stdout) as string) as readonly unknown[];
}

/** Whether Terraform refuses each text, in a JSON file of its own. */
export function terraformRefuses(texts: readonly string[]): readonly boolean[] {
  const nameOf = (index: number): string => `text-${String(index)}.tf.json`;
  const files = texts.map((text, index) => [
    nameOf(index),
    JSON.stringify({ locals: { [`text_${String(index)}`]: text } }),
  ]);
  const { stdout } = runTerraform(["validate", "-json"], Object.fromEntries(files), "");
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly range?: { readonly filename: string } }[];
  };
  const refused = new Set(diagnostics.map(({ range }) => range?.filename));
  return texts.map((_, index) => refused.has(nameOf(index)));
}

/** What Terraform's plan of a stack without a provider says. */
export function terraformPlan(stack: object): readonly { readonly severity: string; readonly detail: string }[] {
  const { stdout } = runTerraform(["plan", "-json", "-input=false"], { "main.tf.json": JSON.stringify(stack) }, "");
  const lines = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map(
      (line) => JSON.parse(line) as { readonly diagnostic?: { readonly severity: string; readonly detail: string } },
    );
  return lines.flatMap(({ diagnostic }) => (diagnostic ? [diagnostic] : []));
}

/** Runs Terraform with the variables and locals of the tables and these files, without network. */
function runTerraform(
  args: readonly string[],
  files: { readonly [name: string]: string },
  input: string,
): { readonly stdout: string; readonly stderr: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "terraform-console-"));
  try {
    const variable = Object.fromEntries(Object.entries(VARIABLES).map(([name, value]) => [name, { default: value }]));
    const all = { "main.tf.json": JSON.stringify({ variable, locals: LOCALS }), ...files };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const env = { PATH: process.env["PATH"], HOME: folder, ...TERRAFORM_SETTINGS, TF_CLI_CONFIG_FILE: "/dev/null" };
    return spawnSync("terraform", args, { cwd: folder, input, encoding: "utf8", env, maxBuffer: 2 ** 26 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
