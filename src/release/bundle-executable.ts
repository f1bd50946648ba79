import path from "node:path";
import { type TransformOptions, build, transform } from "esbuild";
import { type BundledFile, bundleCommand } from "./bundle-command.ts";
import type { BundledProgram } from "./bundled-libraries.ts";

/** A script of an executable has no loader for `import()`. `main.ts` reads `import.meta` only in a package. */
const COMMON_JS = {
  format: "cjs",
  platform: "node",
  minifyWhitespace: true,
  supported: { "dynamic-import": false },
  define: { "import.meta.dirname": "undefined" },
} as const satisfies TransformOptions;

/** Others are notices of licences, which the package has in a file of its own. */
const isScript = ({ name }: BundledFile): boolean => name.endsWith(".js");

/** Bundles the command for a single executable: the modules of the npm package, as CommonJS. */
export async function bundleExecutable(): Promise<BundledProgram> {
  const { modules, files } = await bundleCommand();
  const assets = await Promise.all(
    modules.filter(isScript).map(async ({ name, text }) => {
      const { code } = await transform(text, COMMON_JS);
      return [`./${name}`, `(function(exports,require,module){${code}\n})`] as const;
    }),
  );
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, "executable-main.ts")],
    write: false,
    platform: "node",
    format: "cjs",
    minifyWhitespace: true,
  });
  const [main] = outputFiles;
  if (!main) throw new Error("esbuild wrote nothing");
  return { script: main.contents, assets: Object.fromEntries(assets), files };
}
