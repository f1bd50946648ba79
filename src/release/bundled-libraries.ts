import { byName } from "../core/model/address.ts";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import type { Metafile } from "esbuild";

/** A program, and the files in it. */
export interface BundledProgram {
  /** The CommonJS script that Node starts with. */
  readonly script: Uint8Array;
  readonly files: readonly string[];
}

/** A library in esbuild's output. */
export interface BundledLibrary {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression. */
  readonly licence: string;
  /** Its licence. If it has no licence file, the text in its README, or the notices of its files in the bundle. */
  readonly notice: string;
}

/** The absolute paths of the files whose code is in the outputs. */
export function filesIn({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => path.resolve(file)))];
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

/** The licences of everything that a package contains, as the licences ask for. `what` begins the first sentence. */
export function licencesText(
  what: string,
  libraries: readonly BundledLibrary[],
  more: readonly { readonly title: string; readonly text: string }[] = [],
): string {
  const parts = [
    ...libraries.map(({ name, version, licence, notice }) => ({
      title: `${name} ${version} (${licence})`,
      text: notice,
    })),
    ...more,
  ];
  const intro = `${what} the software listed here. The text of the Apache License is in LICENSE.\n`;
  return [
    intro,
    ...parts.map(({ title, text }) => `${"=".repeat(80)}\n${title}\n${"=".repeat(80)}\n\n${text.trim()}\n`),
  ].join("\n");
}

async function describeLibrary(folder: string, files: readonly string[]): Promise<BundledLibrary> {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
    readonly [key in "name" | "version" | "license"]: string;
  };
  const licence = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
  const notice =
    licence === undefined
      ? (await noticeInReadme(folder)) || (await noticesIn(files))
      : await readFile(path.join(folder, licence), "utf8");
  if (notice === "") throw new Error(`${name} has no licence text`);
  return { name, version, licence: license.replace(/^\((.*)\)$/, "$1"), notice };
}

/** The section about the licence, with its text; empty if there is none. */
async function noticeInReadme(folder: string): Promise<string> {
  const readme = await readFile(path.join(folder, "README.md"), "utf8").catch(() => "");
  const section = /^#+ licen[cs]e\n([^]*?)(?=^#|$(?![^]))/im.exec(readme)?.[1] ?? "";
  return section.includes("Copyright") ? section.trim() : "";
}

/** The comments at the start of the files, without duplicates. */
async function noticesIn(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.toSorted().map((file) => readFile(file, "utf8")));
  const comments = texts.map((text) => /^(?:\/\/.*\n)+/.exec(text)?.[0].replaceAll(/^\/\/ ?/gm, "") ?? "");
  return [...new Set(comments.filter((comment) => comment.includes("Copyright")))].join("\n");
}
