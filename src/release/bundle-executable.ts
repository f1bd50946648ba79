import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type TransformOptions, build, transform } from "esbuild";
import { type BundledFile, bundleCommand } from "./bundle-command.ts";
import type { BundledProgram } from "./bundled-libraries.ts";
import type { Assets, Maker } from "./runtimes.ts";

/** What most runs need, this one needs too. */
const REHEARSAL = ["validate", "-c", path.join(import.meta.dirname, "../../examples/quick-start/outreach.yaml")];

/** A script of an executable has no loader for `import()`. `main.ts` uses `import.meta` only in a package. */
const COMMON_JS = {
  format: "cjs",
  platform: "node",
  minifyWhitespace: true,
  supported: { "dynamic-import": false },
  define: { "import.meta.dirname": '""' },
} as const satisfies TransformOptions;

/** Others are notices of licences, which the package has in a file of its own. */
const isScript = ({ name }: BundledFile): boolean => name.endsWith(".js");

/** Bundles the command for a single executable: the modules of the npm package, as CommonJS. */
export async function bundleExecutable(): Promise<BundledProgram> {
  const { modules, files } = await bundleCommand();
  const texts = await Promise.all(
    modules.filter(isScript).map(async ({ name, text }) => {
      const { code } = await transform(text, COMMON_JS);
      return [`./${name}`, `(function(exports,require,module){${code}\n})`] as const;
    }),
  );
  const withCaches = (caches: { readonly [name: string]: string }): Assets =>
    Object.fromEntries(
      texts.flatMap(([name, text]) => [
        [name, text],
        [`${name}.cache`, Buffer.from(caches[name] ?? "", "base64")],
      ]),
    );
  const codeCaches = async ({ node, folder }: Maker) => {
    const [script, modulesFile, caches] = ["rehearsal.js", "modules.json", "caches.json"].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    await writeFile(script, await bundleScript("executable-rehearsal.ts"));
    await writeFile(modulesFile, JSON.stringify(Object.fromEntries(texts)));
    // The seed makes the caches the same in each build. V8 compares it with no other.
    await promisify(execFile)(node, ["--random-seed=1", script, modulesFile, caches, ...REHEARSAL], { env: {} });
    return withCaches(JSON.parse(await readFile(caches, "utf8")) as { readonly [name: string]: string });
  };
  return { script: await bundleScript("executable-main.ts"), assets: withCaches({}), codeCaches, files };
}

async function bundleScript(name: string): Promise<Uint8Array> {
  const entryPoints = [path.join(import.meta.dirname, name)];
  const { outputFiles } = await build({
    entryPoints,
    write: false,
    bundle: true,
    platform: "node",
    format: "cjs",
    minifyWhitespace: true,
  });
  const [script] = outputFiles;
  if (!script) throw new Error("esbuild wrote nothing");
  return script.contents;
}
