import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type TestContext, afterAll, beforeEach, describe, expect, test } from "vitest";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { hasTerraform } from "../../../frontends/terraform/terraform-under-test.ts";
import { s3Fixtures } from "./s3-fixtures.ts";
import { HOLDER, NEVER } from "../state-fixtures.ts";

const { start, closeAll } = s3Fixtures();
const folders: string[] = [];
afterAll(async () => {
  await closeAll();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const KEY = "team a/terraform.tfstate";

/** A folder for Terraform, whose state is in a bucket of the test's server. It uses nothing but what Terraform itself contains. */
async function openTerraform(provisioner = "") {
  const fixture = await start({ nowMs: nodeClock.now });
  const { server } = fixture;
  const folder = mkdtempSync(path.join(tmpdir(), "s3-terraform-"));
  folders.push(folder);
  const file = (input: string): void =>
    writeFileSync(
      path.join(folder, "main.tf"),
      `terraform {
  backend "s3" {
    bucket                      = "${server.bucket}"
    key                         = "${KEY}"
    region                      = "${server.region}"
    use_lockfile                = true
    use_path_style              = true
    skip_credentials_validation = true
    skip_region_validation      = true
    skip_requesting_account_id  = true
    skip_metadata_api_check     = true
    endpoints                   = { s3 = "${server.url}" }
  }
}
resource "terraform_data" "one" {
  input = "${input}"
${provisioner}}
`,
    );
  file("first");
  const environment: { [name: string]: string } = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    CHECKPOINT_DISABLE: "1",
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
  const run = (...words: readonly string[]): Promise<{ readonly status: number | null; readonly output: string }> =>
    new Promise((resolve, reject) => {
      const child = spawn("terraform", [...words, "-no-color", "-input=false"], {
        cwd: folder,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, output }));
    });
  const store = fixture.open({ key: KEY }, { clock: nodeClock });
  return { server, folder, file, environment, run, store };
}

describe("the server of the tests, with Terraform's own s3 backend", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => skip(!hasTerraform, "no terraform on the PATH"));

  /** Builds without the modules of the remote backends have none. */
  async function initialise(
    run: Awaited<ReturnType<typeof openTerraform>>["run"],
    skip: TestContext["skip"],
  ): Promise<void> {
    const { status, output } = await run("init");
    skip(output.includes("Unsupported backend type"), "this terraform was built without the backend s3");
    expect({ status, output }).toMatchObject({ status: 0 });
  }

  test("keeps its state under its lock, and refuses another secret key", async ({ skip }) => {
    const { server, file, environment, run, store } = await openTerraform();
    await initialise(run, skip);
    expect(await run("apply", "-auto-approve")).toMatchObject({ status: 0 });
    file("second");
    server.log.length = 0;
    expect(await run("apply", "-auto-approve")).toMatchObject({
      status: 0,
      output: expect.stringContaining("1 changed") as string,
    });
    expect(server.log.filter((line) => !line.startsWith("GET ") && !line.startsWith("HEAD "))).toEqual([
      `PUT ${KEY}.tflock 200`,
      `PUT ${KEY} 200`,
      `DELETE ${KEY}.tflock 204`,
    ]);
    expect(JSON.parse(Buffer.from((await store.read(NEVER))?.bytes ?? "").toString())).toMatchObject({
      version: 4,
      terraform_version: expect.any(String) as string,
    });
    environment["AWS_SECRET_ACCESS_KEY"] = "another";
    expect(await run("plan")).toMatchObject({
      status: 1,
      output: expect.stringContaining("SignatureDoesNotMatch") as string,
    });
  });

  test("lets neither of the two tools go on under the other's lock", async ({ skip }) => {
    const { server, folder, run, store } = await openTerraform(
      `  provisioner "local-exec" {\n    command = "touch started; while [ ! -e go-on ]; do sleep 0.1; done"\n  }\n`,
    );
    await initialise(run, skip);
    const lock = await store.lock(HOLDER, 0, NEVER);
    expect(await run("apply", "-auto-approve")).toMatchObject({
      status: 1,
      output: expect.stringMatching(new RegExp(`PreconditionFailed[^]*${lock.id}[^]*ada@here`)) as string,
    });
    await lock.release();

    const applying = run("apply", "-auto-approve");
    while (!existsSync(path.join(folder, "started"))) await delay(50);
    const held = await store.heldLock(NEVER);
    expect(held).toMatchObject({ operation: "OperationTypeApply", who: expect.stringContaining("@") as string });
    await expect(store.lock(HOLDER, 0, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "state_locked", detail: expect.stringContaining(String(held?.id)) as string }],
    });
    writeFileSync(path.join(folder, "go-on"), "");
    expect(await applying).toMatchObject({ status: 0 });
    await (await store.lock(HOLDER, 0, NEVER)).release();
    expect([...server.objects.keys()]).toEqual([KEY]);
  });
});
