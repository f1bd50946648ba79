// Builds the sources that are made from definitions, then the published files into dist/: the command, the Terraform provider, the constructs of
// both flavours, the library for programs, and the one for receivers. `--if-missing` builds only what is missing or outdated, `--sources` only the sources.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { tsImport } from "tsx/esm/api";

const ROOT = path.dirname(fileURLToPath(import.meta.url));
const DIST = path.join(ROOT, "dist");
const STAMP = path.join(DIST, ".made-from");
const BUILT_SOURCES = "src/generate/built-sources.ts";
/** The folders with built sources, and with sources that a generator copies. */
const WITH_BUILT_SOURCES = ["src/frontends/constructs", "src/frontends/yaml", "src/service"];
const SOURCES_STAMP = path.join(DIST, ".sources-made-from");
const LICENCES = "THIRD_PARTY_LICENSES.txt";
const PARTS = ["bin", "provider", "cdktf", "cdktn", "events", "library", LICENCES];
/** What everything is built from, outside src/. */
const FILES = ["build.mjs", "package.json", "package-lock.json", "tsconfig.json"];
const ATTEMPTS = 5;
/** The core contains the modules that at least this many entry points of the command load. */
const SHARED_BY = 12;

const isForced = process.argv.length === 2;
if (isForced || (await readStamp(SOURCES_STAMP)) !== (await digestOfBuiltSources())) await buildSources();
if (!process.argv.includes("--sources")) {
  const digest = await digestOf([...FILES, ...(await filesBelow("src"))]);
  if (isForced || (await readStamp(STAMP)) !== digest) await buildAll(digest);
}

async function buildSources() {
  await rm(SOURCES_STAMP, { force: true });
  const { writeBuiltSources } = await tsImport(`./${BUILT_SOURCES}`, import.meta.url);
  await writeBuiltSources();
  await mkdir(DIST, { recursive: true });
  await writeFile(SOURCES_STAMP, await digestOfBuiltSources());
}

/** Builds into a temporary folder first: programs that run from dist/ see a single build, and a failed build changes nothing. */
async function buildAll(digest) {
  const next = path.join(DIST, `.next-${process.pid}`);
  try {
    await mkdir(next, { recursive: true });
    const bundled = await Promise.all([
      buildCommand(path.join(next, "bin")),
      buildProvider(path.join(next, "provider")),
      buildConstructs(next),
      buildEvents(path.join(next, "events")),
      buildLibrary(path.join(next, "library")),
    ]);
    await writeFile(path.join(next, LICENCES), await licencesOf(bundled.flat()));
    await rm(STAMP, { force: true });
    for (const part of PARTS)
      await swapIn(path.join(next, part), path.join(DIST, part), path.join(next, `old-${part}`));
    await writeFile(STAMP, digest);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

/** The command as ES modules: `outreach.js`, and those that it loads. Returns the files in it. */
async function buildCommand(outdir) {
  const { filesIn } = await tsImport("./src/release/bundled-libraries.ts", import.meta.url);
  const { moduleForm } = await tsImport("./src/release/module-form.ts", import.meta.url);
  const parts = `${outdir}-parts`;
  const start = path.join(parts, "outreach.js");
  const { metafile } = await build({
    ...moduleForm(),
    entryPoints: { outreach: path.join(ROOT, "src/frontends/cli/start.ts") },
    outdir: parts,
  });
  const alone = metafile.outputs[path.relative(ROOT, start)].imports.filter(({ kind }) => kind === "import-statement");
  await joinParts(start, { dir: outdir, alone: alone.map((part) => path.join(ROOT, part.path)) });
  await rm(parts, { recursive: true });
  // Node searches the folders above a module for its type: a short package.json next to it starts fastest.
  await writeFile(path.join(outdir, "package.json"), '{"type":"module"}\n');
  const command = path.join(outdir, "outreach.js");
  await writeFile(command, `#!/usr/bin/env node\n${await readFile(command, "utf8")}`);
  await chmod(command, 0o755);
  return filesIn(metafile);
}

/**
 * Merges the modules that many commands load into one. esbuild writes a module for each set of entry points, so a start would read 70 of them, which
 * takes a fifth of its time. `alone`: the modules that `outreach version` loads, and nothing else.
 */
async function joinParts(entry, { dir, alone }) {
  const joined = await rolldown({ input: entry, platform: "node", external: /^node:/, treeshake: false });
  await joined.write({
    dir,
    format: "esm",
    minify: { compress: false, mangle: false, codegen: true },
    chunkFileNames: ({ name }) => `${name.replace(/-[A-Z0-9]{8}$/, "")}-[hash].js`,
    codeSplitting: {
      groups: [
        { name: "start", test: (part) => alone.includes(part), priority: 1 },
        { name: "core", minShareCount: SHARED_BY },
      ],
    },
  });
  await joined.close();
}

/** The library for programs as ES modules, with the types that its own refer to. Returns the files in it. */
async function buildLibrary(outdir) {
  const { filesIn } = await tsImport("./src/release/bundled-libraries.ts", import.meta.url);
  const { moduleForm } = await tsImport("./src/release/module-form.ts", import.meta.url);
  const { metafile } = await build({
    ...moduleForm(),
    entryPoints: { index: path.join(ROOT, "src/library/index.ts") },
    outdir,
  });
  const all = path.join(outdir, ".types");
  await compile(path.join(ROOT, "src/library/tsconfig.build.json"), all);
  const needed = ["library/index.d.ts"];
  for (const file of needed) {
    const text = await readFile(path.join(all, file), "utf8");
    for (const [, imported] of text.matchAll(/(?:from|import\() ?"(\.[^"]*)\.ts"/g)) {
      const other = path.join(path.dirname(file), `${imported}.d.ts`);
      if (!needed.includes(other)) needed.push(other);
    }
    await mkdir(path.dirname(path.join(outdir, "types", file)), { recursive: true });
    await writeFile(path.join(outdir, "types", file), text.replaceAll(/("\.[^"]*)\.ts"/g, '$1.js"'));
  }
  await rm(all, { recursive: true });
  return filesIn(metafile);
}

/** The licences of the libraries in the command, the provider, the library and the one for receivers. */
async function licencesOf(files) {
  const { bundledLibraries, licencesText } = await tsImport("./src/release/bundled-libraries.ts", import.meta.url);
  return licencesText(
    "The command, the provider, the library and outreach-as-code/events in this package contain",
    await bundledLibraries([...new Set(files)]),
  );
}

/** The provider as a script. Returns the files in it. */
async function buildProvider(folder) {
  const mirror = await tsImport("./src/release/bundle-provider.ts", import.meta.url);
  return mirror.buildProvider(path.join(folder, "terraform-provider-outreach"));
}

/** One ES module for every runtime, and the same as CommonJS for tools such as Jest, each with its types. Returns the files in it. */
async function buildEvents(outdir) {
  const { filesIn } = await tsImport("./src/release/bundled-libraries.ts", import.meta.url);
  const source = path.join(ROOT, "src/service/receiver");
  const form = {
    entryPoints: [path.join(source, "index.ts")],
    outdir,
    bundle: true,
    metafile: true,
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    logLevel: "warning",
  };
  const { metafile } = await build({ ...form, format: "esm" });
  await build({ ...form, format: "cjs", outExtension: { ".js": ".cjs" } });
  await compile(path.join(source, "tsconfig.build.json"), outdir);
  // The sources import each other by the names of the sources.
  const types = (await readdir(outdir, { recursive: true })).filter((file) => file.endsWith(".d.ts"));
  for (const file of types) {
    const text = await readFile(path.join(outdir, file), "utf8");
    const importing = (extension) => text.replaceAll(/(from "\.[^"]*)\.ts"/g, `$1.${extension}"`);
    await writeFile(path.join(outdir, file), importing("js"));
    await writeFile(path.join(outdir, file.replace(/\.d\.ts$/, ".d.cts")), importing("cjs"));
  }
  return filesIn(metafile);
}

/** CommonJS, like the ecosystem's other prebuilt constructs. */
async function buildConstructs(outDir) {
  await compile(path.join(ROOT, "src/frontends/constructs/tsconfig.build.json"), outDir);
  for (const flavour of ["cdktf", "cdktn"])
    await writeFile(path.join(outDir, flavour, "package.json"), '{"type":"commonjs"}\n');
  return [];
}

async function compile(project, outDir) {
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "-p", project, "--outDir", outDir]);
  } catch (error) {
    throw new Error(`${path.relative(ROOT, project)} does not compile:\n${error.stdout}${error.stderr}`, {
      cause: error,
    });
  }
}

/** Concurrent builds can collide here; the last one wins. */
async function swapIn(from, to, aside) {
  for (let attempt = 1; ; attempt++) {
    await rename(to, `${aside}-${attempt}`).catch(() => undefined);
    try {
      return await rename(from, to);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Changes with the built sources, and with what they are built from: definitions, generators, and sources that a generator copies. */
async function digestOfBuiltSources() {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [BUILT_SOURCES],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    metafile: true,
    write: false,
  });
  const below = await Promise.all(WITH_BUILT_SOURCES.map(filesBelow));
  return digestOf([...new Set([...FILES, ...Object.keys(metafile.inputs), ...below.flat()])]);
}

/** Stamps hold the digest of what a build was made from and, for sources, of what it made. */
function readStamp(file) {
  return readFile(file, "utf8").catch(() => "");
}

async function filesBelow(folder) {
  const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
}

async function digestOf(files) {
  const hash = createHash("sha256");
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(await readFile(path.join(ROOT, file)));
  return hash.digest("hex");
}
