import { existsSync, readFileSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linksOf } from "../docs/markdown.ts";
import { PackedPackage, run } from "../frontends/constructs/packed-package.ts";

let packed: PackedPackage;
let files: readonly string[];
beforeAll(async () => {
  packed = await PackedPackage.make();
  files = readdirSync(packed.content, { recursive: true, encoding: "utf8" });
});
afterAll(() => packed.remove());

const read = (file: string): string => readFileSync(path.join(packed.content, file), "utf8");

test("the package runs nothing when it is installed", () => {
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: object };
  // What npm takes for scripts of an installation, also of a tarball.
  for (const name of ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"])
    expect(scripts).not.toHaveProperty(name);
});

test("the package names one repository, and can be installed next to any newer constructs", () => {
  const { repository, homepage, bugs, peerDependencies } = JSON.parse(read("package.json")) as Named & {
    readonly repository: { readonly url: string };
  };
  const [, address = ""] = /^git\+(https:.*)\.git$/.exec(repository.url) ?? [];
  expect([homepage, bugs.url]).toEqual([`${address}#readme`, `${address}/issues`]);
  // What a CDK accepts is its own peer dependency: a project that only wants the command has none.
  expect(peerDependencies["constructs"]).toBe(">=10.3.0");
});

interface Named {
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly peerDependencies: { readonly [name: string]: string };
}

test("the pages in the package lead only to files in the package", () => {
  const pages = files.filter((file) => file.endsWith(".md"));
  expect(pages).toEqual(
    expect.arrayContaining([
      "README.md",
      "docs/reference/commands.md",
      "docs/tutorials/getting-started.md",
      "examples/quick-start/README.md",
    ]),
  );
  const broken = pages.flatMap((page) =>
    linksOf(read(page)).flatMap((link) => {
      const [target = ""] = link.split("#");
      const isThere =
        /^https?:/.test(link) || target === "" || existsSync(path.join(packed.content, path.dirname(page), target));
      return isThere ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("the package contains the licences of the libraries in the command, the provider and the library for receivers", () => {
  const text = read("dist/THIRD_PARTY_LICENSES.txt");
  for (const library of ["@bufbuild/protobuf", "@msgpack/msgpack", "@noble/hashes", "commander", "yaml"])
    expect(text).toMatch(new RegExp(`^${library} \\d.* \\(.+\\)$`, "m"));
  expect(text).toContain("Permission is hereby granted");
  expect(files).toContain("LICENSE");
});

test("a project with another version of cdktf can install it for the command", { timeout: 60_000 }, async () => {
  const project = path.join(packed.content, "../other-cdktf");
  const dependencies = { cdktf: "0.20.12", constructs: "10.4.2" };
  for (const [name, version] of Object.entries(dependencies)) {
    await mkdir(path.join(project, name), { recursive: true });
    await writeFile(path.join(project, name, "package.json"), JSON.stringify({ name, version }));
  }
  const named = Object.fromEntries(
    [...Object.keys(dependencies), "outreach-as-code"].map((name) => [
      name,
      name in dependencies ? `file:${name}` : "file:../package",
    ]),
  );
  await writeFile(
    path.join(project, "package.json"),
    JSON.stringify({ name: "project", version: "1.0.0", dependencies: named }),
  );
  const words = [
    "install",
    "--package-lock-only",
    "--ignore-scripts",
    "--install-links",
    "--offline",
    "--no-audit",
    "--no-fund",
  ];
  const { stdout } = await run("npm", words, {
    cwd: project,
    env: { ...process.env, npm_config_cache: path.join(project, "cache") },
  });
  expect(stdout).toContain("up to date");
});
