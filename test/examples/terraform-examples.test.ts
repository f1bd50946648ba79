import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { catalog } from "../../src/service/resources/catalog.ts";
import { ROOT } from "../docs/pages.ts";
import { type TerraformEnvironment, openTerraformEnvironment } from "../docs/terraform-environment.ts";
import { hasTerraform } from "../doors/terraform/terraform-under-test.ts";

const EXAMPLES = path.join(ROOT, "examples/terraform");
const PROVIDER = readFileSync(path.join(EXAMPLES, "provider/provider.tf"), "utf8");

/** The folders with an example, and the first version of Terraform that can read it. */
const folders = readdirSync(EXAMPLES, { recursive: true, withFileTypes: true })
  .flatMap((entry) => (entry.isFile() && /\.(tf|tfquery\.hcl)$/.test(entry.name) ? [path.relative(EXAMPLES, entry.parentPath)] : []))
  .filter((folder, index, all) => !folder.includes(".terraform") && all.indexOf(folder) === index)
  .toSorted();

const NEEDS: { readonly [kind: string]: readonly [major: number, minor: number] } = { actions: [1, 14], "list-resources": [1, 14] };

const version = hasTerraform ? terraformVersion() : [0, 0];

function terraformVersion(): readonly number[] {
  const { stdout } = spawnSync("terraform", ["version", "-json"], { env: { PATH: process.env["PATH"], CHECKPOINT_DISABLE: "1" }, encoding: "utf8" });
  const { terraform_version: text } = JSON.parse(stdout) as { readonly terraform_version: string };
  return text.split(".").map(Number);
}

test("there is an example for everything that the provider has", () => {
  expect(folders).toEqual(
    expect.arrayContaining([
      "",
      "provider",
      ...catalog.resources.map(({ type }) => `resources/${type}`),
      ...catalog.dataSources.map(({ type }) => `data-sources/${type}`),
    ]),
  );
});

describe("terraform validate", () => {
  let place: string;
  let environment: TerraformEnvironment;

  beforeAll(async () => {
    if (!hasTerraform) return;
    place = mkdtempSync(path.join(tmpdir(), "terraform-examples-"));
    environment = await openTerraformEnvironment();
    mkdirSync(path.join(place, "init"));
    writeFileSync(path.join(place, "init/main.tf"), PROVIDER);
    expect(await terraform("init", "init", "-no-color")).toMatchObject({ status: 0 });
  }, 60_000);
  beforeEach(({ skip }) => skip(!hasTerraform, "no terraform on the PATH"));
  afterAll(() => {
    if (!hasTerraform) return;
    environment.close();
    rmSync(place, { recursive: true, force: true });
  });

  /** Runs in a folder below `place`. What `init` has installed serves all of them. */
  async function terraform(folder: string, ...args: readonly string[]): Promise<{ readonly status: number | null; readonly output: string }> {
    const child = spawn("terraform", args, {
      cwd: path.join(place, folder),
      env: { PATH: process.env["PATH"], HOME: place, TF_DATA_DIR: path.join(place, "data"), ...environment.variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    return { status, output };
  }

  function copyOf(folder: string): string {
    const copy = `example-${folder.replaceAll(/\W+/g, "-")}`;
    const target = path.join(place, copy);
    mkdirSync(target);
    for (const entry of readdirSync(path.join(EXAMPLES, folder), { withFileTypes: true }))
      if (entry.isFile() && /\.(tf|hcl|json)$/.test(entry.name)) cpSync(path.join(EXAMPLES, folder, entry.name), path.join(target, entry.name));
    cpSync(path.join(place, "init/.terraform.lock.hcl"), path.join(target, ".terraform.lock.hcl"));
    const isComplete = readdirSync(target).some((name) => /\.tf$/.test(name) && readFileSync(path.join(target, name), "utf8").includes("required_providers"));
    if (!isComplete) writeFileSync(path.join(target, "terraform.tf"), PROVIDER);
    return copy;
  }

  test.for(folders)("accepts the example in examples/terraform/%s", { timeout: 30_000 }, async (folder, { skip }) => {
    const [major, minor] = NEEDS[folder.split(path.sep)[0] ?? ""] ?? [1, 3];
    const isOld = (version[0] ?? 0) < major || (version[0] === major && (version[1] ?? 0) < minor);
    skip(isOld, `needs Terraform ${String(major)}.${String(minor)}, here is ${version.join(".")}`);
    expect(await terraform(copyOf(folder), "validate", "-no-color")).toEqual({ status: 0, output: "Success! The configuration is valid.\n\n" });
  });

  test("a mistake in an example is found", { timeout: 30_000 }, async () => {
    mkdirSync(path.join(place, "mistaken"));
    cpSync(path.join(place, "init/.terraform.lock.hcl"), path.join(place, "mistaken/.terraform.lock.hcl"));
    const mistaken = `${PROVIDER}\nresource "outreach_webhook" "a" {\n  target_url = "https://crm.example.com/"\n  kind       = "emailsReplied"\n}\n`;
    writeFileSync(path.join(place, "mistaken/main.tf"), mistaken);
    expect(await terraform("mistaken", "validate", "-no-color")).toMatchObject({
      status: 1,
      output: expect.stringContaining('"kind" is not expected here') as string,
    });
  });

  test("the examples are formatted as terraform fmt does it", { timeout: 30_000 }, async () => {
    const result = await terraform("init", "fmt", "-check", "-recursive", "-diff", "-no-color", EXAMPLES);
    expect(result).toEqual({ status: 0, output: "" });
  });
});
