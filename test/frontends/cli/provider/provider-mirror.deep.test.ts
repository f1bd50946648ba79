import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, beforeAll, describe, expect, test } from "vitest";
import { platformName } from "../../../../src/frontends/cli/commands/provider/provider-mirror.ts";
import { scriptArchive } from "../../../../src/frontends/cli/commands/provider/provider-archive.ts";
import { VERSION } from "../../../../src/operations/version.ts";
import { createCertificate } from "../../../../src/frontends/terraform/plugin/certificate.ts";
import { PLATFORMS } from "../../../../src/release/runtimes.ts";
import { writeRelease } from "../../../../src/release/write-release.ts";
import { ROOT, read } from "../../../docs/pages.ts";
import { sharedFolder } from "../../../shared-folder.ts";
import { REGISTRY } from "../../terraform/engine.ts";
import { hasTerraform } from "../../terraform/terraform-under-test.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

const NAME = `terraform-provider-outreach_${VERSION}`;
const FOLDER = "registry.terraform.io/outreach-as-code/outreach";
/** Where the engine of this run looks. */
const searchedFolder = FOLDER.replace("registry.terraform.io", REGISTRY);
const PLATFORM = platformName({ platform: process.platform, architecture: process.arch });
const ALL_UNIX = PLATFORMS.filter((platform) => !platform.startsWith("windows_"));
const forEach = (platforms: readonly string[]): string =>
  platforms.map((platform) => `--platform ${platform}`).join(" ");

function needsTerraform(context: TestContext): void {
  if (!hasTerraform) context.skip("no terraform on the PATH");
}

interface MirrorList {
  readonly archives: { readonly [platform: string]: { readonly url: string } };
}

const archivesIn = (project: Project): MirrorList["archives"] =>
  (JSON.parse(project.read(`mirror/${FOLDER}/${VERSION}.json`)) as MirrorList).archives;

/** Runs terraform in the folder `module` of the project. */
async function terraform(
  project: Project,
  words: readonly string[],
  variables: { readonly [name: string]: string } = {},
): Promise<string> {
  const env = {
    PATH: process.env["PATH"],
    HOME: project.folder,
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: path.join(project.folder, "cli.tfrc"),
    ...variables,
  };
  const child = spawn("terraform", [...words, "-no-color"], {
    cwd: path.join(project.folder, "module"),
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return out + err;
}

function writeModule(project: Project): void {
  project.write(
    "module/main.tf",
    'terraform {\n  required_providers {\n    outreach = { source = "outreach-as-code/outreach" }\n  }\n}\ndata "outreach_campaigns" "all" {}\n',
  );
}

/** A release whose executables are scripts, so that it needs no download of Node. */
let released: string;
beforeAll(async () => {
  released = await sharedFolder("release-of-scripts", async (out) => {
    await writeRelease({
      out,
      platforms: PLATFORMS,
      runtimeOf: (platform) =>
        Promise.resolve({
          platform,
          executable: "",
          version: "0.0.0",
          from: { name: "node", integrity: "sha512-AAAA" },
          licence: "",
        }),
      embed: ({ platform }, script) =>
        Promise.resolve(Buffer.concat([Buffer.from(`#!/usr/bin/env node\n// ${platform}\n`), script])),
      nodeLicence: "",
      key: null,
    });
  });
}, 120_000);

describe("a mirror for several platforms", () => {
  test("locks the provider for each of them, and each platform installs it with that lock file", async (context) => {
    needsTerraform(context);
    const project = await openProject();
    const { code, out, err } = await project.run(`provider install mirror ${forEach(ALL_UNIX)}`);
    expect([code, err.split("\n")[0]]).toEqual([
      0,
      expect.stringContaining(` for ${ALL_UNIX.join(", ")} is installed in `),
    ]);
    project.write("cli.tfrc", out);
    writeModule(project);
    const locked = await terraform(project, [
      "providers",
      "lock",
      "-fs-mirror=../mirror",
      ...ALL_UNIX.map((platform) => `-platform=${platform}`),
    ]);
    expect(locked).toContain("Success!");
    const lock = project.read("module/.terraform.lock.hcl");
    expect(await terraform(project, ["init", "-lockfile=readonly"])).toContain("successfully initialized");
    expect(await terraform(project, ["validate"])).toContain("The configuration is valid.");
    expect(project.read("module/.terraform.lock.hcl")).toBe(lock);
  }, 60_000);

  test("is a network mirror, when a web server serves its files", async (context) => {
    needsTerraform(context);
    if (process.platform !== "linux") context.skip("terraform takes certificates from SSL_CERT_FILE on Linux only");
    const project = await openProject();
    await project.run(`provider install mirror --archives ${released} ${forEach(PLATFORMS)}`);
    const { key, certificate } = createCertificate();
    const asked: string[] = [];
    const server = createServer({ key, cert: certificate }, ({ url = "" }, answer) => {
      asked.push(url);
      void readFile(path.join(project.folder, url)).then(
        (bytes) =>
          answer.setHeader("content-type", url.endsWith(".json") ? "application/json" : "application/zip").end(bytes),
        () => answer.writeHead(404).end(),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `https://localhost:${String((server.address() as AddressInfo).port)}/mirror/`;
    project.write("cli.tfrc", `provider_installation {\n  network_mirror {\n    url = "${address}"\n  }\n}\n`);
    project.write("ca.pem", certificate);
    writeModule(project);
    const trusting = { SSL_CERT_FILE: path.join(project.folder, "ca.pem") };
    const printed = await terraform(project, ["init"], trusting);
    const locked = await terraform(
      project,
      ["providers", "lock", `-net-mirror=${address}`, "-platform=windows_amd64", "-platform=darwin_arm64"],
      trusting,
    );
    expect(printed).toContain("successfully initialized");
    expect(locked).toContain("Success!");
    expect(await terraform(project, ["validate"])).toContain("The configuration is valid.");
    const searched = `/mirror/${searchedFolder}`;
    expect(asked.slice(0, 2)).toEqual([`${searched}/index.json`, `${searched}/${VERSION}.json`]);
    // One for this platform, and one for each that was locked: each package has a Node of its own.
    expect(project.read("module/.terraform.lock.hcl").match(/"h1:/g)).toHaveLength(3);

    rmSync(path.join(project.folder, "module/.terraform"), { recursive: true });
    rmSync(path.join(project.folder, "module/.terraform.lock.hcl"));
    const zip = path.join(project.folder, "mirror", searchedFolder, `${NAME}_${PLATFORM}.zip`);
    writeFileSync(
      zip,
      readFileSync(path.join(released, `${NAME}_${PLATFORM === "linux_amd64" ? "linux_arm64" : "linux_amd64"}.zip`)),
    );
    expect(await terraform(project, ["init"], trusting)).toMatch(/checksum/);
    server.close();
  }, 60_000);

  test("grows: platforms of an earlier call stay, and what is damaged is written again", async () => {
    const project = await openProject();
    await project.run("provider install mirror --platform linux_amd64");
    await project.run("provider install mirror --platform darwin_arm64 --platform darwin_arm64");
    expect(Object.keys(archivesIn(project))).toEqual(["darwin_arm64", "linux_amd64"]);
    await project.run(`provider install mirror --archives ${released} --platform windows_amd64`);
    expect(Object.keys(archivesIn(project))).toEqual(["darwin_arm64", "linux_amd64", "windows_amd64"]);
    for (const damaged of ["{", "[]", '{"archives":[]}', ""]) {
      project.write(`mirror/${FOLDER}/${VERSION}.json`, damaged);
      expect((await project.run("provider install mirror --platform linux_arm64")).code).toBe(0);
      expect(Object.keys(archivesIn(project))).toEqual(["linux_arm64"]);
    }
  });
});

describe("the packages of a release", () => {
  test("go into the mirror as they are, and terraform runs them", async (context) => {
    needsTerraform(context);
    const project = await openProject();
    const { code, out, err } = await project.run(`provider install mirror --archives ${released}`);
    expect([code, err]).toEqual([0, expect.stringContaining("It includes Node.")]);
    const [url = ""] = Object.values(archivesIn(project)).map((archive) => archive.url);
    expect(
      readFileSync(path.join(project.folder, "mirror", FOLDER, url)).equals(readFileSync(path.join(released, url))),
    ).toBe(true);
    project.write("cli.tfrc", out);
    writeModule(project);
    expect(await terraform(project, ["init"])).toContain("successfully initialized");
    expect(await terraform(project, ["validate"])).toContain("The configuration is valid.");
  }, 60_000);

  test.each([
    ["without its checksums", `${NAME}_SHA256SUMS`, `${NAME}_SHA256SUMS does not exist`],
    ["that is not there", `${NAME}_linux_amd64.zip`, `${NAME}_linux_amd64.zip does not exist`],
  ])("one %s is not installed", async (_, missing, message) => {
    const project = await openProject();
    copyRelease(project);
    rmSync(path.join(project.folder, "release", missing));
    const { code, out, err } = await project.run(
      "provider install mirror --archives release --platform darwin_amd64 --platform linux_amd64",
    );
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("A file of the release is missing");
    expect(err.replaceAll(/\s+/g, " ")).toContain(message);
    expect(Object.keys(project.files()).filter((name) => name.startsWith("mirror/"))).toEqual([]);
  });

  test("one that differs from its checksum is not installed", async () => {
    const project = await openProject();
    copyRelease(project);
    project.write(`release/${NAME}_linux_amd64.zip`, "another");
    const { code, err } = await project.run("provider install mirror --archives release --platform linux_amd64");
    expect([code, err]).toEqual([1, expect.stringContaining("A package differs from its checksum")]);
    expect(Object.keys(project.files()).filter((name) => name.startsWith("mirror/"))).toEqual([]);
  });
});

function copyRelease(project: Project): void {
  mkdirSync(path.join(project.folder, "release"));
  for (const name of [`${NAME}_SHA256SUMS`, `${NAME}_linux_amd64.zip`, `${NAME}_darwin_amd64.zip`])
    writeFileSync(path.join(project.folder, "release", name), readFileSync(path.join(released, name)));
}

describe("platforms that cannot be installed", () => {
  test("Windows needs the package of a release: terraform starts no script there", async () => {
    const project = await openProject();
    const { code, err } = await project.run("provider install mirror --platform linux_amd64 --platform windows_amd64");
    expect([code, err]).toEqual([1, expect.stringContaining("The provider for Windows is in a release only")]);
    expect(err).toContain("--archives FOLDER");
    expect(project.files()).toEqual({});
  });

  test.each(["linux_x64", "../linux_amd64"])("%j is not a platform of a release", async (platform) => {
    const project = await openProject();
    const { code, err } = await project.run(`provider install mirror --platform '${platform}'`);
    expect([code, err]).toEqual([1, expect.stringContaining("Unknown platform")]);
    for (const known of PLATFORMS) expect(err).toContain(known);
  });
});

test("the guide has the size of the package", () => {
  const [, size, zipped] =
    /\| the script of the npm package \|[^|]*\| ([\d.]+) MB \| ([\d.]+) MB \|/.exec(
      read("docs/guides/releasing-the-provider.md"),
    ) ?? [];
  const script = readFileSync(path.join(ROOT, "dist/provider/terraform-provider-outreach"));
  const megabytes = (bytes: Uint8Array): string => (bytes.length / 1_000_000).toFixed(1);
  expect([size, zipped]).toEqual([megabytes(script), megabytes(scriptArchive(script, VERSION))]);
});
