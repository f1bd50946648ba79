import path from "node:path";
import { execFileSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { createRequire } from "node:module";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { type Browser, chromium } from "playwright-core";

export type { Browser, BrowserContextOptions, Page } from "playwright-core";

const PACKAGE = path.dirname(path.dirname(path.dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium"))));
const CACHE = path.join(import.meta.dirname, "../../node_modules/.cache/chromium");

/** Without the requests of its own that a browser sends, and without a sandbox, which a container does not allow. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Why there is no browser here; null where there is one. */
export function missingBrowser(): string | null {
  const here = `${process.platform}-${process.arch}`;
  return here === "linux-x64" ? null : `the browser that npm ci installs is for linux-x64, not ${here}`;
}

/** Starts the Chromium that npm ci installs, packed, with its libraries and a font. */
export async function openBrowser(): Promise<Browser> {
  const folder = await unpacked();
  const environment = {
    ...process.env,
    LD_LIBRARY_PATH: path.join(folder, "lib"),
    FONTCONFIG_FILE: path.join(folder, "fonts.conf"),
    HOME: folder,
  };
  return chromium.launch({ executablePath: path.join(folder, "chromium"), args: FLAGS, env: environment });
}

/** Unpacks it once. The folder appears as a whole, because test files run at the same time. */
async function unpacked(): Promise<string> {
  if (existsSync(CACHE)) return CACHE;
  const next = `${CACHE}-${String(process.pid)}`;
  mkdirSync(next, { recursive: true });
  const unpack = (name: string, to: string) =>
    pipeline(
      createReadStream(path.join(PACKAGE, "bin", name)),
      createBrotliDecompress(),
      createWriteStream(path.join(next, to)),
    );
  await Promise.all([
    unpack("chromium.br", "chromium"),
    unpack("al2023.tar.br", "libraries.tar"),
    unpack("fonts.tar.br", "fonts.tar"),
  ]);
  for (const name of ["fonts.tar", "libraries.tar"]) execFileSync("tar", ["-xf", name], { cwd: next });
  writeFileSync(
    path.join(next, "fonts.conf"),
    `<fontconfig><dir>/usr/share/fonts</dir><dir>${CACHE}/fonts</dir><cachedir>${CACHE}/font-cache</cachedir></fontconfig>\n`,
  );
  await chmod(path.join(next, "chromium"), 0o755);
  try {
    renameSync(next, CACHE);
  } catch (error) {
    if (!existsSync(CACHE)) throw error;
    rmSync(next, { recursive: true });
  }
  return CACHE;
}
