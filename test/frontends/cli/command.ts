import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildProvider } from "../../../src/release/bundle-provider.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const BUILT = path.join(ROOT, "dist/bin/outreach.js");

/** The command as users run it: the built one, or, where that is absent or older than the sources, one that is bundled now. */
export async function openCommand(): Promise<{ readonly file: string; close(): void }> {
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs >= newest(path.join(ROOT, "src")))
    return { file: BUILT, close: () => undefined };
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-command-"));
  const outdir = path.join(folder, "bin");
  await buildProvider(path.join(folder, "provider/terraform-provider-outreach"));
  await build({
    absWorkingDir: ROOT,
    entryPoints: { outreach: "src/frontends/cli/start.ts" },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
  return { file: path.join(outdir, "outreach.mjs"), close: () => rmSync(folder, { recursive: true, force: true }) };
}

function newest(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return Math.max(...entries.map(({ parentPath, name }) => statSync(path.join(parentPath, name)).mtimeMs));
}
