import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The files of a folder at these paths, by path. A path may be a folder, or have a `*` in a name of the folder itself. */
export function filesOf(folder: string, paths: readonly string[]): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  );
  const wanted = paths.map((one) => new RegExp(`^${one.split("*").map(escaped).join("[^/]*")}(?:/|$)`));
  return new Map(
    names
      .filter((name) => wanted.some((pattern) => pattern.test(name)))
      .map((name) => [name, readFileSync(path.join(folder, name))]),
  );
}

/** What GitHub's action uploads: of a folder its content, without the name of the folder. */
export function artifactOf(folder: string, given: string): ReadonlyMap<string, Buffer> {
  return new Map(
    [...filesOf(folder, [given])].map(([name, bytes]) => [
      name.startsWith(`${given}/`) ? name.slice(given.length + 1) : name,
      bytes,
    ]),
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
}

export function place(folder: string, files: ReadonlyMap<string, Buffer>): void {
  for (const [file, bytes] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
}
