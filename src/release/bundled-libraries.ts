import { byName } from "../core/model/address.ts";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";

/** A library in esbuild's output. */
export interface BundledLibrary {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression. */
  readonly licence: string;
  /** Its licence. If it has no licence file, the notices of its files in the bundle. */
  readonly notice: string;
}

/** The libraries of these files, by name. Files that belong to no library are ignored. */
export async function bundledLibraries(files: readonly string[]): Promise<readonly BundledLibrary[]> {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(file) ?? []));
  const libraries = await Promise.all(
    [...folders].map((folder) =>
      describeLibrary(
        folder,
        files.filter((file) => file.startsWith(folder)),
      ),
    ),
  );
  return libraries.toSorted(byName);
}

async function describeLibrary(folder: string, files: readonly string[]): Promise<BundledLibrary> {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
    readonly [key in "name" | "version" | "license"]: string;
  };
  const licence = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
  const notice = licence === undefined ? await noticesIn(files) : await readFile(path.join(folder, licence), "utf8");
  if (notice === "") throw new Error(`${name} has no licence text`);
  return { name, version, licence: license.replace(/^\((.*)\)$/, "$1"), notice };
}

/** The comments at the start of the files, without duplicates. */
async function noticesIn(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.toSorted().map((file) => readFile(file, "utf8")));
  const comments = texts.map((text) => /^(?:\/\/.*\n)+/.exec(text)?.[0].replaceAll(/^\/\/ ?/gm, "") ?? "");
  return [...new Set(comments.filter((comment) => comment.includes("Copyright")))].join("\n");
}
