import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deepPackage } from "../deep/packages.ts";
import { ROOT } from "../docs/pages.ts";
import { type Project, useProjects } from "../frontends/cli/project.ts";
import { hasTerraform } from "../frontends/terraform/terraform-under-test.ts";
import { type PackageRegistry, openRegistry } from "./package-registry.ts";

const openProject = useProjects();

const ADDED = ["outreach-as-code", "cdktn", "constructs"];
/** What cdktn bundles: Yarn installs it from the registry anyway. */
const BUNDLED = ["fflate", "safe-stable-stringify", "semver"].map((name) => `cdktn/node_modules/${name}`);
const FOLDERS = [ROOT, ...["cdktn", "constructs", ...BUNDLED].map((name) => path.join(ROOT, "node_modules", name))];

interface Manager {
  readonly name: string;
  /** The program and its first words. */
  readonly program: readonly string[];
  readonly settings: { readonly [file: string]: string };
  readonly add: readonly string[];
  /** The words that run a command as a script of the project would. */
  readonly exec: (words: readonly string[]) => readonly string[];
  /** How its users call the command. */
  readonly called: string;
  /** A file that shows how packages are laid out. */
  readonly laidOut: string;
}

const MANAGERS: readonly Manager[] = [
  {
    name: "npm",
    program: ["npm"],
    settings: {},
    add: ["install", "--no-audit"],
    exec: (words) => ["exec", "--call", words.join(" ")],
    called: "npx outreach-as-code",
    laidOut: "node_modules/outreach-as-code/package.json",
  },
  {
    name: "pnpm, strict",
    program: [process.execPath, path.join(deepPackage("pnpm"), "bin/pnpm.cjs")],
    settings: { ".npmrc": "node-linker=isolated\nhoist=false\nstrict-peer-dependencies=true\n" },
    add: ["add"],
    exec: (words) => ["exec", ...words],
    called: "pnpm exec outreach",
    laidOut: "node_modules/.pnpm/lock.yaml",
  },
  {
    name: "Yarn with its default linker, PnP",
    program: [process.execPath, path.join(deepPackage("@yarnpkg/cli-dist"), "bin/yarn.js")],
    settings: { ".yarnrc.yml": "nodeLinker: pnp\nunsafeHttpWhitelist: [127.0.0.1]\n", "yarn.lock": "" },
    add: ["add"],
    exec: (words) => ["exec", ...words],
    called: "yarn outreach",
    laidOut: ".pnp.cjs",
  },
];

let folder = "";
let registry: PackageRegistry;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "outreach-registry-"));
  registry = await openRegistry(folder, FOLDERS);
});
afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

type Exec = (...words: readonly string[]) => Promise<string>;

/** Runs the words in the project. Everything that a package manager keeps is below its folder. */
async function runIn(project: Project, [program = "", ...words]: readonly string[]): Promise<string> {
  const env = {
    ...project.environment,
    PATH: process.env["PATH"],
    HOME: project.folder,
    CI: "true",
    OUTREACH_SETTLE: "0s",
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: path.join(project.folder, "cli.tfrc"),
    npm_config_registry: registry.url,
    YARN_NPM_REGISTRY_SERVER: registry.url,
    YARN_ENABLE_TELEMETRY: "0",
    YARN_GLOBAL_FOLDER: path.join(project.folder, ".yarn/global"),
  };
  const child = spawn(program, words, { cwd: project.folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(code, `${[program, ...words].join(" ")}\n${out}${err}`).toBe(0);
  return out;
}

async function install(project: Project, manager: Manager): Promise<Exec> {
  project.write("package.json", '{ "name": "hooks", "private": true, "type": "module" }\n');
  for (const [file, content] of Object.entries(manager.settings)) project.write(file, content);
  await runIn(project, [...manager.program, ...manager.add, ...ADDED]);
  expect(Object.keys(project.files())).toContain(manager.laidOut);
  return (...words) => runIn(project, [...manager.program, ...manager.exec(words)]);
}

const CONFIGURATION = `version: 1
webhooks:
  crm: { target_url: "https://crm.example.com/", type: emailsReplied, secret: { file: secret } }
`;
const MODULE = `terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}
resource "outreach_webhook" "crm" {
  target_url = "https://module.example.com/"
}
`;
const APP = `import { App, TerraformStack } from "cdktn";
import { provider, webhook } from "outreach-as-code/cdktn";
import { plan } from "outreach-as-code";
const app = new App({ outdir: "cdktf.out" });
const stack = new TerraformStack(app, "hooks");
new provider.OutreachProvider(stack, "outreach");
new webhook.Webhook(stack, "crm", { targetUrl: "https://stack.example.com/" });
app.synth();
process.stdout.write(typeof plan);
`;

describe.each(MANAGERS)("a project of $name", { timeout: 120_000 }, (manager) => {
  test("has the command, the library and the constructs", async () => {
    const project = await openProject();
    const exec = await install(project, manager);
    project.write("secret", "hook-secret\n");
    project.write("outreach.yaml", CONFIGURATION);
    expect(await exec("outreach", "validate")).toContain("The configuration is valid.");
    expect(await exec("outreach", "plan", "--out", "saved.plan")).toContain(`    ${manager.called} apply saved.plan\n`);
    expect(await exec("outreach", "apply", "saved.plan")).toContain("Resources: 1 added");
    expect(await exec("outreach", "plan")).toContain("No changes.");
    project.write("app.js", APP);
    expect(await exec("node", "app.js")).toBe("function");
    expect(await exec("outreach", "plan", "-c", "cdktf.out/stacks/hooks", "--state", "stack.json")).toContain(
      "https://stack.example.com/",
    );
    expect(project.sandbox.webhooks().map(({ targetUrl, secret }) => [targetUrl, secret])).toEqual([
      ["https://crm.example.com/", "hook-secret"],
    ]);
  });

  test("installs the provider, and terraform runs it as a script of the project", async (context) => {
    const project = await openProject();
    const exec = await install(project, manager);
    project.write("cli.tfrc", await exec("outreach", "provider", "install", "mirror"));
    const [zip = ""] = Object.keys(project.files()).filter(
      (name) => name.endsWith(".zip") && name.startsWith("mirror/"),
    );
    expect(readFileSync(path.join(project.folder, zip)).length).toBeGreaterThan(100_000);
    if (!hasTerraform) context.skip("no terraform on the PATH");
    project.write("main.tf", MODULE);
    for (const words of ["init", "apply -auto-approve", "plan -detailed-exitcode", "destroy -auto-approve"])
      await exec("terraform", ...words.split(" "), "-no-color", "-input=false");
    expect(project.sandbox.requests().map(({ method }) => method)).toEqual(expect.arrayContaining(["POST", "DELETE"]));
    expect(project.sandbox.webhooks()).toEqual([]);
  });
});
