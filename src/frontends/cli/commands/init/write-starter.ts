import { posix } from "node:path";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { FileSystem } from "../../../../core/model/ports.ts";
import { shellWord } from "../../../../core/model/shell-word.ts";
import { namedPath, resolvePath } from "../../../../operations/configuration/named-file.ts";
import type { Ports } from "../../../../operations/context.ts";
import { DEFAULT_CONFIG } from "../../../../operations/options.ts";
import type { CommandContext } from "../../command-context.ts";
import { starterText } from "./starter-text.ts";

/** The file that `init` writes: in a folder, the default name. */
export async function newFile({ files, folder }: Ports, given: string): Promise<string> {
  const isFolder = given.endsWith("/") || (await files.kind(resolvePath(folder, given))) === "folder";
  return (isFolder ? `${given.replace(/\/+$/, "")}/${DEFAULT_CONFIG}` : given).replace(/^\.\//, "");
}

/** Writes the starter configuration, and the lines that keep its state out of version control. Never overwrites a file. Prints what comes next. */
export async function writeStarter(context: CommandContext, config: string, baseUrl: string | null): Promise<void> {
  const { files, folder, out } = context;
  const path = resolvePath(folder, config);
  await makeFolderOf(context, config);
  const ignoring = `${config.slice(0, config.lastIndexOf("/") + 1)}.gitignore`;
  // First: a state must not be committed, even if the disk is full now.
  const added = await addLines(files, (await namedPath(context, ignoring)) ?? resolvePath(folder, ignoring), IGNORED);
  const isCreated = await createIfAbsent(files, path, `${schemaLine(folder, path)}\n${starterText(baseUrl)}`);
  out(isCreated ? `Created ${config}: edit it to declare your webhooks.\n` : `${config} exists and is unchanged.\n`);
  out(added.length === 0 ? `${ignoring} needs no change.\n` : `Added to ${ignoring}: ${added.join(", ")}\n`);
  const settings = unsetText(context.environment, baseUrl);
  const option = config === DEFAULT_CONFIG ? "" : ` -c ${shellWord(config)}`;
  const next = `${settings}${settings === "" ? "Review" : "Then review"} the plan: outreach plan${option}\n`;
  out(`\n${context.paint("green", "outreach has been initialized.")}\n\n${context.asCalled(next)}`);
}

/** What is still to be set. */
function unsetText(environment: Ports["environment"], baseUrl: string | null): string {
  const unset = ["OUTREACH_BASE_URL", "OUTREACH_API_KEY"].filter(
    (name) => (environment[name] ?? "") === "" && (name === "OUTREACH_API_KEY" || baseUrl === null),
  );
  if (unset.length === 0) return "";
  const orSandbox =
    unset[0] === "OUTREACH_BASE_URL" ? ", or start a local copy of the service with outreach sandbox" : "";
  return `Set ${unset.join(" and ")}${orSandbox}.\n`;
}

async function makeFolderOf({ files, folder }: Ports, config: string): Promise<void> {
  try {
    await files.makeFolder(posix.dirname(resolvePath(folder, config)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw DiagnosticsError.of("init_not_a_folder", "Not a folder", {
      detail: `${config} cannot be created: a part of its path is a file.`,
      hint: "Name another file with -c PATH.",
    });
  }
}

/** Editors complete and check the file with the schema of a local installation. */
function schemaLine(folder: string, path: string): string {
  const up = posix.relative(posix.dirname(path), folder);
  return `# yaml-language-server: $schema=${up === "" ? "" : `${up}/`}node_modules/outreach-as-code/schemas/config.schema.json`;
}

async function createIfAbsent(files: FileSystem, path: string, text: string): Promise<boolean> {
  try {
    await files.createExclusively(path, new TextEncoder().encode(text), { isPublic: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Appends the lines that the file lacks, and returns them. */
async function addLines(files: FileSystem, path: string, lines: readonly string[]): Promise<readonly string[]> {
  const before = new TextDecoder().decode((await files.read(path)) ?? new Uint8Array());
  const there = new Set(before.split("\n").map((line) => line.trim()));
  const missing = lines.filter((line) => !there.has(line));
  if (missing.length === 0) return [];
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  const file = await files.openAppend(path, { isPublic: true });
  try {
    await file.append(new TextEncoder().encode(`${gap}${REASON}\n${missing.join("\n")}\n`));
  } finally {
    await file.close();
  }
  return missing;
}

const REASON = "# Files of outreach: the state, its backup, the journal and the lock, saved plans, keys and secrets";
const IGNORED = ["*.state.json", "*.state.json.*", "*.plan", "keys/", "secrets/"];
