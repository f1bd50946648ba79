import type { Argument, Block, Configuration } from "../../../core/config/block.ts";
import type { SecretSource } from "../../../core/model/declaration.ts";
import type { Diagnostic, Place, Result } from "../../../core/model/diagnostic.ts";
import { textArgument } from "../../yaml/arguments.ts";

/** The value of a setting once the variables are known. */
type TextOf = (argument: Argument, locate: () => Place | undefined) => Result<string | null>;

/** The names of environment variables and files that hold secrets, with the variables in them evaluated. */
export function withSecretSources(configuration: Configuration, textOf: TextOf): Result<Configuration> {
  const diagnostics: Diagnostic[] = [];
  const evaluated = (argument: Argument, locate: () => Place | undefined, address?: string): Argument => {
    if (argument.kind !== "secret") return argument;
    const { value: source, diagnostics: found } = evaluatedSource(argument.source, (text) => textOf(textArgument(text), locate));
    diagnostics.push(...found.map((one) => (address === undefined ? one : { address, ...one })));
    return { kind: "secret", source };
  };
  const ofBlock = (block: Block): Block => {
    if (!Object.values(block.arguments).some(isTemplate)) return block;
    const address = `${block.type}.${block.name}`;
    const all = Object.entries(block.arguments).map(([name, argument]) => [name, evaluated(argument, () => block.locate([name]), address)] as const);
    return { ...block, arguments: Object.fromEntries(all) };
  };
  const { service } = configuration;
  const apiKey = service.apiKey && evaluated(service.apiKey, () => service.locate(["api_key"]));
  return { value: { ...configuration, blocks: configuration.blocks.map(ofBlock), service: { ...service, apiKey } }, diagnostics };
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
