import type { Configuration } from "../../core/config/block.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, type Result, warningOf } from "../../core/model/diagnostic.ts";
import { getOrMake } from "../../core/model/maps.ts";
import { loadPatterns } from "../../core/model/pattern.ts";
import type { FileSystem } from "../../core/model/ports.ts";
import { realPathInside } from "../../core/model/real-path-inside.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import type { Source } from "../../frontends/yaml/config-file.ts";
import { readYaml } from "../../frontends/yaml/read-yaml.ts";
import { type OperationOptions, DEFAULT_CONFIG } from "../options.ts";
import {
  type Configurations,
  type OpenedConfiguration,
  type OperationContext,
  type Ports,
  noConfigurations,
} from "../context.ts";
import { CONFIG_VARIABLE } from "./environment-names.ts";
import { leftOutFiles } from "./left-out-files.ts";
import { linkLeadsOut, namedPath, readNamedFile, resolvePath } from "./named-file.ts";

const STACK_FILE = "cdk.tf.json";
const TERRAFORM_FILE = /\.(?:tf|tofu)(?:\.json)?$/;
const YAML_FILE = /^[^.].*\.ya?ml$/i;
const SYNTHESISE =
  "Running the program creates the stack: npx tsx main.ts. Then run this command in the same folder with -c cdktf.out/stacks/NAME.";
const NAME_IT = "Name the configuration with -c PATH.";
const OTHER_ENDING = "outreach.yml";
const PROGRAM = /\.[cm]?[jt]s$/;
/** The settings of a CDK application, and the list of its synthesized stacks. */
const APPLICATION_FILE = /^(?:cdktf|manifest)\.json$/;

type OpeningOptions = Pick<OperationOptions, "config" | "runsCommands" | "secrets">;

/** The configuration of `-c`, which a run reads once. Throws only if nothing can be read. */
export async function openConfiguration(
  context: OperationContext,
  options: OpeningOptions,
): Promise<OpenedConfiguration> {
  const { configurations } = context;
  const read = await getOrMake(configurations.opened, nameOf(options), () => readConfiguration(context, options));
  configurations.isStack = read.value.isStack ?? false;
  return read;
}

/** For a run with a configuration that another one has read. */
export function openedBefore(options: OpeningOptions, read: OpenedConfiguration): Configurations {
  return { ...noConfigurations(), opened: new Map([[nameOf(options), Promise.resolve(read)]]) };
}

function nameOf({ config, secrets, runsCommands = secrets !== false }: OpeningOptions): string {
  return JSON.stringify([config, runsCommands]);
}

/**
 * Reads a YAML file, a synthesized stack (its folder or file), or a folder whose YAML files form one configuration.
 * `looksBeside`: warns about configurations below that folder.
 */
export async function readConfiguration(
  context: OperationContext,
  { config, secrets, runsCommands = secrets !== false }: OpeningOptions,
  { looksBeside }: { readonly looksBeside: boolean } = { looksBeside: true },
): Promise<OpenedConfiguration> {
  let read = await readFiles(context, config, looksBeside);
  if (read.value.teamsFrom) {
    const { withTeamLists } = await import("./team-lists.ts");
    read = { ...read, ...(await withTeamLists(read, context, runsCommands)) };
  }
  await loadPatternsIn(read.value, context.catalog);
  return { ...read, inCommon: new Map() };
}

async function readFiles(
  context: OperationContext,
  path: string,
  looksBeside: boolean,
): Promise<Result<Configuration>> {
  const { environment, files, folder } = context;
  const there = (await namedPath(context, path)) ?? resolvePath(folder, path);
  if ((await files.kind(there)) === "folder") return readFolder(context, path.replace(/(?<=.)\/+$/, ""), looksBeside);
  const read = PROGRAM.test(path) ? null : await readFile(context, path);
  if (read) return read;
  if (path === DEFAULT_CONFIG) return missing(`The file ${path} does not exist.`, await hintFor(context, "."));
  if (environment[CONFIG_VARIABLE] === path)
    return missing(`The file ${path}, which ${CONFIG_VARIABLE} names, does not exist.`, NAME_IT);
  const isProgram = PROGRAM.test(path) && (await files.kind(there)) === "file";
  return missing(
    isProgram
      ? `${path} is a program, not a configuration. Its synthesized stack is the configuration.`
      : `The file ${path} does not exist.`,
    await hintInstead(context, path),
  );
}

async function readFolder(
  context: OperationContext,
  path: string,
  looksBeside: boolean,
): Promise<Result<Configuration>> {
  const { files, folder, catalog } = context;
  const full = resolvePath(folder, path);
  const names = (await files.list(full)).filter((name) => YAML_FILE.test(name)).toSorted();
  const stack = await readFile(context, `${path}/${STACK_FILE}`);
  if (stack)
    return { ...stack, diagnostics: [...stack.diagnostics, ...names.map((name) => notRead(`${path}/${name}`))] };
  const read = await Promise.all(
    names.map((name) => readOneOf(files, full, { name, file: `${path}/${name}`.replace(/^\.\//, "") })),
  );
  const sources = read.flat();
  if (sources.length > 0) {
    const { value, diagnostics } = readYaml(sources, { folder: full, catalog });
    const leftOut = looksBeside ? await leftOutFiles(files, { full, path, read: names }) : [];
    return { value, diagnostics: [...leftOut, ...diagnostics] };
  }
  const stacks = await stacksBelow(context, path);
  if (stacks.length > 0) return severalStacks(path, stacks);
  return missing(
    `The folder ${path} contains neither ${STACK_FILE}, the file of a synthesized stack, nor a YAML file (*.yaml, *.yml).`,
    await hintFor(context, path),
  );
}

/** A file of a folder that is a configuration; none for a folder with such a name. */
async function readOneOf(
  files: FileSystem,
  folder: string,
  { name, file }: { readonly name: string; readonly file: string },
): Promise<readonly Source[]> {
  const real = await realPathInside(files, folder, `${folder}/${name}`).catch(() => null);
  if (real === null)
    throw new DiagnosticsError([linkLeadsOut(file, "Replace the link with a copy of the file, or remove it.")]);
  const bytes = (await files.kind(real)) === "file" ? await files.read(real) : null;
  return bytes === null ? [] : [{ file, bytes }];
}

/** The hint for a folder without a configuration. */
async function hintFor(context: Ports, path: string): Promise<string> {
  const stacks = await stacksBelow(context, path);
  if (stacks.length > 0) return didYouMean(stacks);
  return (
    (await elsewhere(context, path)) ??
    "Name the configuration with -c PATH, or write a starter configuration: outreach init"
  );
}

/** The hint for the default configuration with its other ending, or in the folder above. */
async function elsewhere({ files, folder }: Ports, path: string): Promise<string | null> {
  const isThere = async (file: string): Promise<boolean> => (await files.kind(resolvePath(folder, file))) === "file";
  if (path !== ".") return null;
  if (await isThere(OTHER_ENDING)) return `Did you mean -c ${OTHER_ENDING}?`;
  return (await isThere(`../${DEFAULT_CONFIG}`))
    ? "The folder .. has one: run the command there, or name another configuration with -c PATH."
    : null;
}

/** The hint for a path that does not exist: a stack may not be synthesized yet, or have another name or folder. */
async function hintInstead(context: Ports, path: string): Promise<string> {
  if (YAML_FILE.test(path.slice(path.lastIndexOf("/") + 1))) return NAME_IT;
  const parent = path.replace(/\/+$/, "").replace(/\/?[^/]*$/, "");
  const stacks = [
    ...new Set([...(await stacksBelow(context, parent === "" ? "." : parent)), ...(await stacksBelow(context, "."))]),
  ];
  if (stacks.length > 0) return didYouMean(stacks);
  const isStack = PROGRAM.test(path) || /(?:^|\/)(?:cdktf\.out|stacks)\//.test(path);
  if (isStack) return SYNTHESISE;
  return NAME_IT;
}

function notRead(file: string): Diagnostic {
  return warningOf("config_beside_stack", "Ignored file", {
    detail: `${file} is in the folder of a stack, and outreach reads only the stack.`,
    hint: "If it is a configuration, name it with -c. Otherwise move it to another folder.",
    place: { file },
  });
}

/** Null if the file does not exist. */
async function readFile(context: OperationContext, path: string): Promise<Result<Configuration> | null> {
  const { files, folder, catalog } = context;
  const full = resolvePath(folder, path);
  const bytes = await readNamedFile(context, path);
  if (bytes === null) return null;
  const inside = folderOf(full);
  const called = path.slice(path.lastIndexOf("/") + 1);
  if (TERRAFORM_FILE.test(called) && called !== STACK_FILE)
    return missing(
      `${path} is a Terraform file. outreach reads only ${STACK_FILE}, the file of a synthesized stack.`,
      "Run it with Terraform and the outreach provider, or name a stack with -c.",
    );
  if (APPLICATION_FILE.test(called)) {
    const stacks = await stacksBelow(context, path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".");
    if (stacks.length > 0) return severalStacks(path, stacks);
    if (called === "cdktf.json")
      return missing(`${path} holds the settings of a CDK application, which is not synthesized yet.`, SYNTHESISE);
  }
  if (called !== STACK_FILE) return readYaml([{ file: path, bytes }], { folder: inside, catalog });
  // The state is in the working folder: every synthesis recreates the stack's own folder.
  const name = (await files.realPath(inside)).split("/").at(-1) ?? "stack";
  // Most configurations are YAML, so this module is loaded only for a stack.
  const { otherFiles, readStack } = await import("../../frontends/cdk/read-stack.ts");
  const { value, diagnostics } = readStack(bytes, {
    file: path,
    folder,
    name,
    catalog,
  });
  const others = otherFiles(await files.list(inside), path.slice(0, -STACK_FILE.length));
  return { value: { ...value, isStack: true }, diagnostics: [...diagnostics, ...others] };
}

/** The synthesized stacks of an application, found from its folder or its output folder. */
async function stacksBelow({ files, folder }: Ports, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of [path, `${path}/stacks`, `${path}/cdktf.out/stacks`]) {
    const full = resolvePath(folder, place);
    const names = (await files.kind(full)) === "folder" ? await files.list(full) : [];
    for (const name of names.toSorted())
      if ((await files.kind(`${full}/${name}/${STACK_FILE}`)) === "file")
        found.push(`${place}/${name}`.replace(/^\.\//, ""));
  }
  return found;
}

/** A configuration is one stack, with a state of its own. */
function severalStacks(path: string, stacks: readonly string[]): never {
  const [count, one] =
    stacks.length === 1 ? ["1 stack", "Plan it"] : [`${String(stacks.length)} stacks`, "Plan one of them"];
  return missing(
    `${path} belongs to a CDK application with ${count}. outreach runs one stack at a time.`,
    `${one}:\n${stacks.map((stack) => `  outreach plan -c ${shellWord(stack)}`).join("\n")}`,
  );
}

function didYouMean(stacks: readonly string[]): string {
  return `Did you mean ${stacks.map((one) => `-c ${one}`).join(" or ")}?`;
}

function missing(detail: string, hint: string): never {
  throw DiagnosticsError.of("config_missing", "No configuration", { detail, hint });
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Loads the engine of patterns if the configuration may contain one. Call it before the first evaluation. */
async function loadPatternsIn(configuration: Configuration, { dataSources, resources }: Catalog): Promise<void> {
  const schemas = [...dataSources, ...resources].flatMap(({ schema }) => Object.entries(schema));
  const attributes = new Set(schemas.flatMap(([name, { isPattern }]) => (isPattern ? [name] : [])));
  const isGiven = configuration.blocks.some((block) =>
    Object.keys(block.arguments).some((name) => attributes.has(name)),
  );
  if (isGiven || mayCall(configuration)) await loadPatterns();
}

/** Whether a text may call `replace`, which takes patterns. Looks at every text, so that no argument is missed. */
function mayCall(part: unknown): boolean {
  if (typeof part === "string") return part.includes("replace");
  return typeof part === "object" && part !== null && Object.values(part).some(mayCall);
}
