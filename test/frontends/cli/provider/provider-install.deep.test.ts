import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { type TestContext, describe, expect, test } from "vitest";
import { VERSION } from "../../../../src/operations/version.ts";
import { hasTerraform } from "../../terraform/terraform-under-test.ts";
import { type Project, modeOf, useProjects } from "../project.ts";

const openProject = useProjects();

const PLATFORM = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
const FOLDERS = ["registry.terraform.io", "registry.opentofu.org"].map((host) => `${host}/outreach-as-code/outreach`);
const zipFor = (platform: string): string => `terraform-provider-outreach_${VERSION}_${platform}.zip`;
const laidOut = (...platforms: readonly string[]): readonly string[] =>
  FOLDERS.flatMap((folder) =>
    ["index.json", `${VERSION}.json`, ...platforms.map(zipFor)].map((name) => `${folder}/${name}`),
  ).toSorted();
const LAID_OUT = laidOut(PLATFORM);

function below(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))).toSorted();
}

const identities = (folder: string): readonly number[] =>
  below(folder).map((file) => statSync(path.join(folder, file)).ino);

/** `terraform init` and `validate` in a folder of the project that names the provider by `source`. */
function initialise(
  project: Project,
  { source, configuration }: { readonly source: string; readonly configuration?: string },
): string {
  project.write(
    "module/main.tf",
    `terraform {\n  required_providers {\n    outreach = { source = "${source}" }\n  }\n}\ndata "outreach_campaigns" "all" {}\n`,
  );
  const env = {
    PATH: process.env["PATH"],
    HOME: project.folder,
    CHECKPOINT_DISABLE: "1",
    ...(configuration === undefined ? {} : { TF_CLI_CONFIG_FILE: path.join(project.folder, configuration) }),
  };
  const run = (...words: readonly string[]) =>
    spawnSync("terraform", words, { cwd: path.join(project.folder, "module"), env, encoding: "utf8" });
  return ["init", "validate"]
    .map((command) => run(command, "-no-color"))
    .reduce((text, { stdout, stderr }) => text + stdout + stderr, "");
}

function needsTerraform(context: TestContext): void {
  if (!hasTerraform) context.skip("no terraform on the PATH");
}

describe("outreach provider install", () => {
  test.for(["outreach-as-code/outreach", "registry.opentofu.org/outreach-as-code/outreach"])(
    "without a folder it installs where %s is found without any configuration",
    async (source, context) => {
      needsTerraform(context);
      const project = await openProject();
      const { code, err } = await project.run("provider install");
      expect(code).toBe(0);
      const mirror = path.join(project.folder, ".terraform.d/plugins");
      expect(err).toContain(`outreach-as-code/outreach ${VERSION} for ${PLATFORM} is installed in ${mirror}.`);
      expect(below(mirror)).toEqual(LAID_OUT);
      expect(initialise(project, { source })).toContain("The configuration is valid.");
    },
  );

  test("into a folder: what it prints is the CLI configuration that makes terraform take it from there", async (context) => {
    needsTerraform(context);
    const project = await openProject();
    const { code, out } = await project.run("provider install 'my ${mirror}'");
    expect(code).toBe(0);
    expect(below(path.join(project.folder, "my ${mirror}"))).toEqual(LAID_OUT);
    project.write("cli.tfrc", out);
    expect(initialise(project, { source: "outreach-as-code/outreach", configuration: "cli.tfrc" })).toContain(
      "The configuration is valid.",
    );
  });

  test("leaves alone what is there already, older versions too", async () => {
    const project = await openProject();
    const older = `mirror/${FOLDERS[0] ?? ""}/terraform-provider-outreach_0.0.1_linux_amd64.zip`;
    project.write(older, "older");
    project.write(`mirror/${FOLDERS[0] ?? ""}/index.json`, '{"versions":{"0.0.1":{}}}');
    await project.run("provider install mirror/");
    const before = identities(path.join(project.folder, "mirror"));
    const { code, err } = await project.run("provider install ./other/../mirror");
    expect([code, err.split("\n")[0]]).toEqual([
      0,
      expect.stringContaining(`is already installed in ${project.folder}/mirror.`),
    ]);
    expect(identities(path.join(project.folder, "mirror"))).toEqual(before);
    expect(project.read(older)).toBe("older");
    expect(JSON.parse(project.read(`mirror/${FOLDERS[0] ?? ""}/index.json`))).toEqual({
      versions: { "0.0.1": {}, [VERSION]: {} },
    });
  });

  test("repairs a damaged package of this version, and is not stopped by the remains of a killed run", async (context) => {
    needsTerraform(context);
    const project = await openProject();
    const mirror = path.join(project.folder, ".terraform.d/plugins");
    await project.run("provider install");
    const [folder = "", other = ""] = FOLDERS.map((one) => path.join(mirror, one));
    const [zip, list] = [path.join(folder, zipFor(PLATFORM)), path.join(other, `${VERSION}.json`)];
    const before = [readFileSync(zip), readFileSync(list)];
    project.write(path.relative(project.folder, zip), "torn");
    project.write(path.relative(project.folder, list), '{"archives":');
    project.write(`.terraform.d/plugins/${FOLDERS[0] ?? ""}.tmp-1/${zipFor(PLATFORM)}`, "half");
    const { code, err } = await project.run("provider install");
    expect([code, err.split("\n")[0]]).toEqual([0, expect.stringContaining("is installed in")]);
    expect([readFileSync(zip), readFileSync(list)]).toEqual(before);
    expect(initialise(project, { source: "outreach-as-code/outreach" })).toContain("The configuration is valid.");
  });

  test("several at once all succeed", async () => {
    const project = await openProject({ realProcess: "several at once" });
    const ran = await Promise.all(Array.from({ length: 4 }, () => project.run("provider install mirror")));
    expect(ran.map(({ code, err }) => (code === 0 ? 0 : err))).toEqual([0, 0, 0, 0]);
    expect(below(path.join(project.folder, "mirror"))).toEqual(LAID_OUT);
  });

  test.each(["there", "there/below"])("says so when %s is not a folder", async (dir) => {
    const project = await openProject();
    project.write("there", "a file");
    const { code, out, err } = await project.run(`provider install ${dir}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("Not a folder");
    expect(err).toContain("Name a folder: outreach provider install DIR");
    expect(project.files()).toEqual({ there: "a file" });
  });

  test("takes no empty name for the folder where it runs", async () => {
    const project = await openProject();
    const { code, out, err } = await project.run(`provider install ''`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("Empty folder name");
    expect(project.files()).toEqual({});
  });

  test("says so when the folder cannot be written", async (context) => {
    const project = await openProject();
    mkdirSync(path.join(project.folder, "closed"), { mode: 0o555 });
    // Root may write anywhere but there.
    const isRoot = process.getuid?.() === 0;
    if (isRoot && process.platform !== "linux") context.skip("root may write everywhere");
    const { code, out, err } = await project.run(`provider install ${isRoot ? "/sys/kernel" : "closed"}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("The folder cannot be written");
  });

  test("lets nobody else change what Terraform will run, whatever the umask", async () => {
    const project = await openProject();
    const before = process.umask(0);
    try {
      await project.run("provider install mirror");
    } finally {
      process.umask(before);
    }
    const all = [
      "mirror",
      ...readdirSync(path.join(project.folder, "mirror"), { recursive: true, encoding: "utf8" }).map((name) =>
        path.join("mirror", name),
      ),
    ];
    const modes = all.map((name) =>
      [/\.(?:json|zip)$/.test(name) ? "file" : "folder", modeOf(project, name)].join(": "),
    );
    expect([...new Set(modes)].toSorted()).toEqual(["file: 644", "folder: 755"]);
  });

  test("says so when there is no home folder", async () => {
    const project = await openProject();
    const { code, err } = await project.run("provider install", { HOME: undefined });
    expect(code).toBe(1);
    expect(err).toContain("HOME is not set");
  });
});
