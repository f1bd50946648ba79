import type { Argument, Block, Configuration } from "../../../core/config/block.ts";
import type { SecretSource } from "../../../core/model/declaration.ts";
import type { Diagnostic, Place, Result, Written } from "../../../core/model/diagnostic.ts";
import type { Path } from "../../../core/model/path.ts";
import { textArgument } from "../../yaml/arguments.ts";

/** The value of a setting once the variables are known. */
type TextOf = (argument: Argument, locate: (written?: Written) => Place | undefined) => Result<string | null>;

/** The names of environment variables and files that hold secrets, with the variables in them evaluated. */
export function withSecretSources(configuration: Configuration, textOf: TextOf): Result<Configuration> {
  const diagnostics: Diagnostic[] = [];
  const evaluated = (argument: Argument, locate: (path: Path, written?: Written) => Place | undefined, address?: string): Argument => {
    if (argument.kind !== "secret") return argument;
    const wrong = notAName(argument.source, configuration);
    if (wrong) {
      const place = locate([argument.source.kind]);
      diagnostics.push({ ...wrong, ...(address === undefined ? {} : { address }), ...(place ? { place } : {}) });
      return argument;
    }
    const { value: source, diagnostics: found } = evaluatedSource(argument.source, (text) =>
      textOf(textArgument(text), (written) => locate([argument.source.kind], written)),
    );
    diagnostics.push(...found.map((one) => (address === undefined ? one : { address, ...one })));
    return { kind: "secret", source };
  };
  const ofBlock = (block: Block): Block => {
    if (!Object.values(block.arguments).some((argument) => isTemplate(argument) || isShellName(argument))) return block;
    const address = `${block.type}.${block.name}`;
    const all = Object.entries(block.arguments).map(
      ([name, argument]) => [name, evaluated(argument, (path, written) => block.locate([name, ...path], written), address)] as const,
    );
    return { ...block, arguments: Object.fromEntries(all) };
  };
  const { service } = configuration;
  const apiKey = service.apiKey && evaluated(service.apiKey, (path, written) => service.locate(["api_key", ...path], written));
  return { value: { ...configuration, blocks: configuration.blocks.map(ofBlock), service: { ...service, apiKey } }, diagnostics };
}

/** `$NAME`, `${NAME}` and `${env.NAME}`, as in a shell or in other tools. */
const AS_IN_A_SHELL = /^\$(?:(\w+)|\{(?:env\.)?(\w+)\})$/;

function isShellName(argument: Argument): boolean {
  return argument.kind === "secret" && argument.source.kind === "env" && AS_IN_A_SHELL.test(argument.source.name);
}

/** A reference to an environment variable in place of its name. */
function notAName(source: SecretSource, { variables }: Configuration): Diagnostic | null {
  const [text, plain, inBraces] = (source.kind === "env" && AS_IN_A_SHELL.exec(source.name)) || [];
  const name = plain ?? inBraces;
  if (text === undefined || name === undefined || variables.some((one) => one.name === inBraces)) return null;
  return {
    code: "env_name_invalid",
    severity: "error",
    summary: "Not the name of an environment variable",
    detail: `env takes the name of an environment variable, but is ${text}.`,
    hint: `Write env: ${name}.`,
  };
}

function isTemplate(argument: Argument): boolean {
  if (argument.kind !== "secret") return false;
  const { source } = argument;
  const text = source.kind === "env" ? source.name : source.kind === "file" ? source.path : "";
  return textArgument(text).kind === "template";
}

/** Values that are not known yet have been reported, and leave the text as it is. */
function evaluatedSource(source: SecretSource, textOf: (text: string) => Result<string | null>): Result<SecretSource> {
  if (!isTemplate({ kind: "secret", source })) return { value: source, diagnostics: [] };
  if (source.kind === "env") {
    const { value, diagnostics } = textOf(source.name);
    return { value: { ...source, name: value ?? source.name }, diagnostics };
  }
  if (source.kind === "file") {
    const { value, diagnostics } = textOf(source.path);
    return { value: { ...source, path: value ?? source.path }, diagnostics };
  }
  return { value: source, diagnostics: [] };
}
