import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { hasTerraform } from "../../doors/terraform/terraform-under-test.ts";
import { CASES, FAILURES, LOCALS, VARIABLES } from "./cases.ts";

/** What Terraform's console says that an expression is; `expressions` are what `local.table` holds. */
function terraformConsole(expressions: readonly string[]): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), "terraform-console-"));
  try {
    const variable = Object.fromEntries(Object.entries(VARIABLES).map(([name, value]) => [name, { default: value }]));
    writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify({ variable, locals: LOCALS }));
    writeFileSync(path.join(folder, "table.tf"), `locals {\n  table = [\n${expressions.map((expression) => `    ${expression},\n`).join("")}  ]\n}\n`);
    const { stdout, stderr } = spawnSync("terraform", ["console"], {
      cwd: folder,
      input: "jsonencode(local.table)\n",
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder, CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: "/dev/null" },
    });
    expect(stderr).toBe("");
    return JSON.parse(JSON.parse(stdout) as string);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("Terraform gives every expression of the table the same value, and none to those that have none", (context) => {
  if (!hasTerraform) context.skip("no terraform on the PATH");
  // Encoded one by one: as elements of one list they would be converted to one type.
  const table = terraformConsole([
    ...CASES.map(([expression]) => `jsonencode(${expression})`),
    ...FAILURES.map(([expression]) => `tostring(can(${expression}))`),
  ]);
  const encoded = table as readonly string[];
  expect(encoded.slice(0, CASES.length).map((value, index) => [CASES[index]?.[0], JSON.parse(value)])).toEqual(CASES);
  expect(encoded.slice(CASES.length).map((able, index) => [FAILURES[index]?.[0], able])).toEqual(FAILURES.map(([expression]) => [expression, "false"]));
});
