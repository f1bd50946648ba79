import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../src/operations/version.ts";
import { platformName } from "../../src/frontends/cli/commands/provider/provider-mirror.ts";
import { embed, makeBlob, NODE_PACKAGES, PLATFORMS, type Platform, isPlatform } from "../../src/release/runtimes.ts";
import { type Release, writeRelease } from "../../src/release/write-release.ts";
import { startSandbox } from "../../src/sandbox/server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The libraries in the bundle. */
const OF_PG = [
  "pg-connection-string",
  "pg-int8",
  "pg-pool",
  "pg-protocol",
  "pg-types",
  "postgres-array",
  "postgres-bytea",
  "postgres-date",
  "postgres-interval",
];
const LIBRARIES = ["@bufbuild/protobuf", "@msgpack/msgpack", "aws4fetch", "fflate", "pg", ...OF_PG, "re2js", "xtend"];
const NAME = `terraform-provider-outreach_${VERSION}`;
const folder = mkdtempSync(path.join(tmpdir(), "packages-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A release whose executables are only the program, so that it needs no download from the npm registry. */
const bare = (name: string, changes: Partial<Release> = {}): Release => ({
  out: path.join(folder, name),
  platforms: PLATFORMS,
  runtimeOf: (platform: Platform) => {
    const { version, name: of, integrity } = NODE_PACKAGES[platform];
    return Promise.resolve({
      platform,
      executable: "",
      version,
      from: { name: of, integrity },
      licence: platform === "windows_amd64" ? null : `Node's, ${platform}`,
    });
  },
  embed: (runtime, script) => Promise.resolve(Buffer.concat([Buffer.from(`${runtime.platform}\n`), script])),
  nodeLicence: "Node's, of another platform",
  key: null,
  ...changes,
});

const fileOf = (release: Release, name: string): Buffer => readFileSync(path.join(release.out, name));
const textIn = (zip: Buffer, name: string): string => Buffer.from(unzipSync(zip)[name] ?? []).toString();
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe("a release of the provider", () => {
  const release = bare("release");
  let names: readonly string[];
  beforeAll(async () => {
    names = await writeRelease(release);
  });

  test("is named and laid out as the registries want it", () => {
    expect(PLATFORMS).toEqual(["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64"]);
    const checked = [
      ...PLATFORMS.map((platform) => `${NAME}_${platform}.zip`),
      `${NAME}_manifest.json`,
      `${NAME}_sbom.cdx.json`,
    ];
    expect(names).toEqual([...checked, `${NAME}_SHA256SUMS`]);
    expect(readdirSync(release.out).toSorted()).toEqual(names.toSorted());
    const sums = checked.toSorted().map((name) => `${sha256(fileOf(release, name))}  ${name}\n`);
    expect(fileOf(release, `${NAME}_SHA256SUMS`).toString()).toBe(sums.join(""));
    expect(JSON.parse(fileOf(release, `${NAME}_manifest.json`).toString())).toEqual({
      version: 1,
      metadata: { protocol_versions: ["6.0"] },
    });
    expect(fileOf(release, `${NAME}_manifest.json`)).toEqual(
      readFileSync(path.join(ROOT, "terraform-registry-manifest.json")),
    );
    for (const platform of PLATFORMS) {
      const zip = fileOf(release, `${NAME}_${platform}.zip`);
      const executable = `terraform-provider-outreach_v${VERSION}${platform === "windows_amd64" ? ".exe" : ""}`;
      expect(Object.keys(unzipSync(zip))).toEqual([executable, "LICENSE", "THIRD_PARTY_LICENSES.txt"]);
      expect(textIn(zip, executable)).toMatch(new RegExp(`^${platform}\n`));
    }
  });

  test("says what is in it, each with its licence", () => {
    const { components, dependencies } = JSON.parse(fileOf(release, `${NAME}_sbom.cdx.json`).toString()) as {
      readonly components: readonly {
        readonly name: string;
        readonly version?: string;
        readonly hashes?: readonly { readonly content: string }[];
      }[];
      readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
    };
    const zips = PLATFORMS.map((platform) => `${NAME}_${platform}.zip`);
    expect(components.map(({ name }) => name)).toEqual([...zips, ...PLATFORMS.map(() => "node"), ...LIBRARIES]);
    for (const zip of zips) {
      expect(components.find(({ name }) => name === zip)?.hashes?.[0]?.content).toBe(sha256(fileOf(release, zip)));
      const parts = dependencies.find(({ ref }) => ref === zip)?.dependsOn ?? [];
      const libraries = LIBRARIES.map(
        (name) => expect.stringContaining(`pkg:npm/${name.replace("@", "%40")}@`) as unknown,
      );
      expect(parts).toEqual([expect.stringMatching(/^pkg:npm\/node-.*@24\./), ...libraries]);
    }
    const locked = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
      readonly devDependencies: { readonly [name: string]: string };
    };
    for (const name of LIBRARIES.filter((one) => one in locked.devDependencies))
      expect(components.find((component) => component.name === name)?.version).toBe(locked.devDependencies[name]);
    const [onLinux, onWindows] = ["linux_amd64", "windows_amd64"].map((platform) =>
      textIn(fileOf(release, `${NAME}_${platform}.zip`), "THIRD_PARTY_LICENSES.txt"),
    );
    expect(onLinux).toContain("Node's, linux_amd64");
    expect(onWindows).toContain("Node's, of another platform");
    for (const notice of [
      "Copyright 2008 Google Inc.",
      "Buf Technologies",
      "The MessagePack Community",
      "Arjun Barrett",
      "Oleksii Vasyliev",
    ])
      expect(onLinux).toContain(notice);
  });

  test("is the same to the byte in another time zone, at another time and in another folder", async () => {
    const other = bare("other");
    const zone = process.env["TZ"];
    process.env["TZ"] = "Pacific/Auckland";
    // The time in a zip has steps of two seconds.
    await delay(2100);
    await writeRelease(other).finally(() =>
      zone === undefined ? delete process.env["TZ"] : (process.env["TZ"] = zone),
    );
    for (const name of names) expect(fileOf(other, name).equals(fileOf(release, name)), name).toBe(true);
  });

  test("has no checksums while it is not whole", async () => {
    const broken = bare("broken", { embed: () => Promise.reject(new Error("no room")) });
    cpSync(release.out, broken.out, { recursive: true });
    expect(readdirSync(broken.out)).toContain(`${NAME}_SHA256SUMS`);
    await expect(writeRelease(broken)).rejects.toThrow("no room");
    expect(readdirSync(broken.out)).not.toContain(`${NAME}_SHA256SUMS`);
  });

  test("is signed by a key of gpg's", async (context) => {
    if (spawnSync("gpg", ["--version"]).status !== 0) context.skip("no gpg on the PATH");
    const home = mkdtempSync(path.join(tmpdir(), "gpg-"));
    const before = process.env["GNUPGHOME"];
    process.env["GNUPGHOME"] = home;
    try {
      execFileSync(
        "gpg",
        [
          "--batch",
          "--quiet",
          "--passphrase",
          "",
          "--quick-generate-key",
          "release@example.com",
          "rsa2048",
          "sign",
          "never",
        ],
        {
          stdio: "pipe",
        },
      );
      const signed = bare("signed", { platforms: ["linux_amd64"], key: "release@example.com" });
      expect((await writeRelease(signed)).at(-1)).toBe(`${NAME}_SHA256SUMS.sig`);
      const verified = spawnSync("gpg", ["--verify", `${NAME}_SHA256SUMS.sig`, `${NAME}_SHA256SUMS`], {
        cwd: signed.out,
        encoding: "utf8",
      });
      expect([verified.status, verified.stderr]).toEqual([0, expect.stringContaining("Good signature")]);
      expect(fileOf(signed, `${NAME}_SHA256SUMS.sig`).toString()).not.toContain("BEGIN PGP");
      await expect(writeRelease({ ...signed, key: "nobody@example.com" })).rejects.toThrow(
        /gpg could not sign with the key nobody@example.com: gpg: /,
      );
    } finally {
      spawnSync("gpgconf", ["--kill", "all"]);
      if (before === undefined) delete process.env["GNUPGHOME"];
      else process.env["GNUPGHOME"] = before;
      rmSync(home, { recursive: true, force: true });
    }
  });
});

const CONFIGURATION = `
terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}
resource "outreach_webhook" "crm" {
  target_url = "https://crm.example.com/hooks"
  type       = "emailsSent"
  secret     = "a-secret"
}
`;

const terraform = spawnSync("sh", ["-c", "command -v terraform"], { encoding: "utf8" }).stdout.trim();

test("a package runs under terraform on a machine without Node", { timeout: 240_000 }, async (context) => {
  const platform = platformName({ platform: process.platform, architecture: process.arch });
  if (terraform === "") context.skip("no terraform on the PATH");
  if (!isPlatform(platform) || process.platform !== "linux")
    return context.skip(`the Node that runs here, on ${platform}, is no part of a package`);
  const release = bare("whole", {
    platforms: [platform],
    runtimeOf: () =>
      Promise.resolve({
        platform,
        executable: process.execPath,
        version: process.versions.node,
        from: { name: "node", integrity: "sha512-" },
        licence: "Node's",
      }),
    embed: async (runtime, script) => {
      const blob = await makeBlob(script, { node: process.execPath, folder });
      return embed(runtime.executable, { blob, folder });
    },
  });
  await writeRelease(release);
  // As in the registry: terraform unpacks it.
  const packed = path.join(folder, "mirror/registry.terraform.io/outreach-as-code/outreach");
  mkdirSync(packed, { recursive: true });
  writeFileSync(path.join(packed, `${NAME}_${platform}.zip`), fileOf(release, `${NAME}_${platform}.zip`));
  writeFileSync(
    path.join(folder, "cli.tfrc"),
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(path.join(folder, "mirror"))}\n  }\n}\n`,
  );
  const module = path.join(folder, "module");
  mkdirSync(module);
  writeFileSync(path.join(module, "main.tf"), CONFIGURATION);
  const sandbox = await startSandbox({
    clock: { now: () => Date.now(), sleep: (ms, signal) => delay(ms, undefined, { signal }) },
    random: () => 0.5,
    rateLimit: null,
  });
  const env = {
    PATH: path.join(folder, "nothing"),
    HOME: folder,
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: path.join(folder, "cli.tfrc"),
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
  };
  const run = (...words: readonly string[]): Promise<string> => {
    const child = spawn(terraform, [...words, "-no-color", "-input=false"], { cwd: module, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return new Promise((resolve) => child.on("close", () => resolve(output)));
  };
  try {
    expect(await run("init")).toContain("Terraform has been successfully initialized!");
    expect(await run("apply", "-auto-approve")).toContain(
      "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
    );
    expect(await run("plan")).toContain("No changes.");
    expect(await run("destroy", "-auto-approve")).toContain("Destroy complete! Resources: 1 destroyed.");
  } finally {
    await sandbox.close();
  }
});
