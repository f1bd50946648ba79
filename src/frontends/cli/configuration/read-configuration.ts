import type { Configuration } from "../../../core/config/block.ts";
import { type Diagnostic, DiagnosticsError, type Result } from "../../../core/model/diagnostic.ts";
import { otherFiles, readStack } from "../../cdk/read-stack.ts";
import { readYaml } from "../../yaml/read-yaml.ts";
import { DEFAULT_CONFIG } from "../program/options.ts";
import type { CommandContext } from "../command-context.ts";

const STACK_FILE = "cdk.tf.json";
const TERRAFORM_FILE = /\.(?:tf|tofu)(?:\.json)?$/;
const YAML_FILE = /^[^.].*\.ya?ml$/;
const NAME_IT = "Name the configuration with -c PATH.";
const PROGRAM = /\.[cm]?[jt]s$/;

/** A configuration as its door reads it. */
export interface ReadConfiguration extends Result<Configuration> {
  readonly stack: boolean;
}

/**
 * Reads what `-c` names: a YAML file, a synthesised stack (its folder or its file), or a folder whose YAML files count as
 * one configuration. Throws only when there is nothing to read.
 */
export async function readConfiguration(context: CommandContext, path: string): Promise<ReadConfiguration> {
  const { files, folder } = context;
  const full = resolvePath(folder, path);
  const there = await files.realPath(full).catch(() => full);
  if ((await files.kind(there)) === "folder") return readFolder(context, path.replace(/(?<=.)\/+$/, ""));
  const read = PROGRAM.test(path) ? null : await readFile(context, path);
  if (read) return read;
  if (path === DEFAULT_CONFIG) return missing(`There is no file ${path}.`, await hintFor(context, "."));
  const isProgram = PROGRAM.test(path) && (await files.kind(there)) === "file";
  return missing(isProgram ? `${path} is a program. What it synthesises is a configuration.` : `There is no file ${path}.`, await hintInstead(context, path));
}

async function readFolder(context: CommandContext, path: string): Promise<ReadConfiguration> {
  const { files, folder, catalog } = context;
  const full = resolvePath(folder, path);
  const names = (await files.list(full)).filter((name) => YAML_FILE.test(name)).toSorted();
  const stack = await readFile(context, `${path}/${STACK_FILE}`);
  if (stack) return { ...stack, diagnostics: [...stack.diagnostics, ...names.map((name) => notRead(`${path}/${name}`))] };
  const read = await Promise.all(
    names.map(async (name) => {
      const real = await files.realPath(`${full}/${name}`);
      const bytes = (await files.kind(real)) === "file" ? await files.read(real) : null;
      return bytes === null ? [] : [{ file: `${path}/${name}`.replace(/^\.\//, ""), bytes }];
    }),
  );
  const sources = read.flat();
  if (sources.length > 0) return { ...(await readYaml(sources, { folder: full, catalog })), stack: false };
  return missing(
    `The folder ${path} holds neither ${STACK_FILE}, the file of a synthesised stack, nor a YAML file (*.yaml, *.yml).`,
    await hintFor(context, path),
  );
}

/** What to do where a folder holds no configuration. */
async function hintFor(context: CommandContext, path: string): Promise<string> {
  const stacks = await stacksBelow(context, path);
  if (stacks.length > 0) return didYouMean(stacks);
  return "Name the configuration with -c PATH, or begin one with: outreach init";
}

/** What to do where the path names nothing: a stack that is not synthesised yet, or whose name is another one, or a path of another folder. */
async function hintInstead(context: CommandContext, path: string): Promise<string> {
  if (YAML_FILE.test(path.slice(path.lastIndexOf("/") + 1))) return NAME_IT;
  const parent = path.replace(/\/+$/, "").replace(/\/?[^/]*$/, "");
  const stacks = [...new Set([...(await stacksBelow(context, parent === "" ? "." : parent)), ...(await stacksBelow(context, "."))])];
  if (stacks.length > 0) return didYouMean(stacks);
  const isStack = PROGRAM.test(path) || /(?:^|\/)(?:cdktf\.out|stacks)\//.test(path);
  if (isStack)
    return "A stack is there once its program has run: npx tsx main.ts. Run it, and then this command, in the same folder, with -c cdktf.out/stacks/NAME.";
  return NAME_IT;
}

function notRead(file: string): Diagnostic {
  return {
    code: "config_beside_stack",
    severity: "warning",
    summary: "A file that is not read",
    detail: `${file} is in the folder of a stack, and only the stack is read.`,
    hint: "If it is a configuration, name it with -c. Otherwise keep it elsewhere.",
    place: { file },
  };
}

/** Null when there is no such file. */
async function readFile({ files, folder, catalog }: CommandContext, path: string): Promise<ReadConfiguration | null> {
  const full = resolvePath(folder, path);
  const bytes = await files.read(full, { followLinks: true });
  if (bytes === null) return null;
  const inside = folderOf(full);
  const called = path.slice(path.lastIndexOf("/") + 1);
  if (TERRAFORM_FILE.test(called) && called !== STACK_FILE)
    return missing(
      `${path} is a file of Terraform's. Of those only ${STACK_FILE} is read, the file of a synthesised stack.`,
      "Run it with Terraform and the outreach provider, or name a stack with -c.",
    );
  if (called !== STACK_FILE) return { ...(await readYaml([{ file: path, bytes }], { folder: inside, catalog })), stack: false };
  // The state lies where the command runs: the stack's own folder is made anew by every synthesis.
  const name = (await files.realPath(inside)).split("/").at(-1) ?? "stack";
  const { value, diagnostics } = readStack(bytes, { file: path, folder, name, catalog });
  const beside = otherFiles(await files.list(inside), path.slice(0, -STACK_FILE.length));
  return { value, diagnostics: [...diagnostics, ...beside], stack: true };
}

/** The stacks that an application was synthesised to, where its folder or its output folder was named. */
async function stacksBelow({ files, folder }: CommandContext, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of [path, `${path}/stacks`, `${path}/cdktf.out/stacks`]) {
    const full = resolvePath(folder, place);
    const names = (await files.kind(full)) === "folder" ? await files.list(full) : [];
    for (const name of names.toSorted())
      if ((await files.kind(`${full}/${name}/${STACK_FILE}`)) === "file") found.push(`${place}/${name}`.replace(/^\.\//, ""));
  }
  return found;
}

function didYouMean(stacks: readonly string[]): string {
  return `Did you mean ${stacks.map((one) => `-c ${one}`).join(" or ")}?`;
}

function missing(detail: string, hint: string): never {
  const diagnostic: Diagnostic = { code: "config_missing", severity: "error", summary: "No configuration", detail, hint };
  throw new DiagnosticsError([diagnostic]);
}

export function resolvePath(folder: string, path: string): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}
