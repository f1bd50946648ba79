import type { Argument, Block, Configuration } from "../../core/config/block.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { type Diagnostic, type Place, type Result, type Written, errorOf } from "../../core/model/diagnostic.ts";
import type { Path } from "../../core/model/path.ts";
import { refersToEach } from "../../core/config/blocks/own-arguments.ts";
import { templateOf } from "../../core/config/blocks/references.ts";
import { textArgument } from "../../frontends/yaml/yaml-arguments.ts";
import { evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import { type Value, isUnknown } from "../../core/model/value.ts";
import { secretSource } from "../../core/state/settings.ts";
import type { SettledConfiguration } from "../context.ts";
import { settingText } from "./setting-text.ts";

/** The names of environment variables and files that hold secrets, with the variables in them evaluated. */
export function withSecretSources(settled: SettledConfiguration): Result<Configuration> {
  const { configuration } = settled;
  const diagnostics: Diagnostic[] = [];
  const evaluated = (
    argument: Argument,
    locate: (path: Path, written?: Written) => Place | undefined,
    address?: string,
    fanOut?: Block["fanOut"],
  ): Argument => {
    if (argument.kind !== "secret") return argument;
    const own = fanOut ? ownText(argument.source) : null;
    const wrong = own ? anyName(argument.source, own) : notAName(argument.source, configuration);
    if (wrong) {
      const place = locate([argument.source.kind]);
      diagnostics.push({ ...wrong, ...(address === undefined ? {} : { address }), ...(place ? { place } : {}) });
      return argument;
    }
    if (own) return { ...argument, own };
    const { value: source, diagnostics: found } = evaluatedSource(argument.source, (text) =>
      settingText(textArgument(text), settled, (written) => locate([argument.source.kind], written)),
    );
    diagnostics.push(...found.map((one) => (address === undefined ? one : { address, ...one })));
    return { kind: "secret", source };
  };
  const ofBlock = (block: Block): Block => {
    if (!Object.values(block.arguments).some((argument) => isTemplate(argument) || isShellName(argument))) return block;
    const address = `${block.type}.${block.name}`;
    const all = Object.entries(block.arguments).map(
      ([name, argument]) =>
        [
          name,
          evaluated(argument, (path, written) => block.locate([name, ...path], written), address, block.fanOut),
        ] as const,
    );
    return { ...block, arguments: Object.fromEntries(all) };
  };
  const { service } = configuration;
  const apiKey =
    service.apiKey && evaluated(service.apiKey, (path, written) => service.locate(["api_key", ...path], written));
  const notify = configuration.notify?.map((target) => ({
    ...target,
    url: target.url && evaluated(target.url, (path, written) => target.locate(["url", ...path], written)),
  }));
  const blocks = configuration.blocks.map(ofBlock);
  return {
    value: { ...configuration, blocks, ...(notify ? { notify } : {}), service: { ...service, apiKey } },
    diagnostics,
  };
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
  return errorOf("env_name_invalid", "Not the name of an environment variable", {
    detail: `env takes the name of an environment variable, but is ${text}.`,
    hint: `Write env: ${name}.`,
  });
}

function isTemplate(argument: Argument): boolean {
  return argument.kind === "secret" && textOfSource(argument.source)?.kind === "template";
}

function textOfSource(source: SecretSource): Argument | null {
  return source.kind === "env" ? textArgument(source.name) : source.kind === "file" ? textArgument(source.path) : null;
}

/** The name or path, if each instance of a fan-out has its own: the evaluation of the block finds it. */
function ownText(source: SecretSource): Argument | null {
  const text = textOfSource(source);
  return text && refersToEach(text) ? text : null;
}

/** Matches every name that an instance can have. Null if that could be any name. */
export function ownNames(own: Argument): RegExp | null {
  const template = own.kind === "template" ? templateOf(own) : null;
  if (!template || "detail" in template || template.parts.every((part) => typeof part !== "string")) return null;
  return new RegExp(
    `^${template.parts.map((part) => (typeof part === "string" ? part.replaceAll(/[$()*+./?[\\\]^{|}-]/g, "\\$&") : ".*")).join("")}$`,
    "s",
  );
}

/** Commands do not see the environment variables of secrets, so a part of their names must be known. */
function anyName({ kind }: SecretSource, own: Argument): Diagnostic | null {
  if (kind !== "env" || own.kind !== "template" || ownNames(own)) return null;
  return errorOf("env_name_invalid", "Not the name of an environment variable", {
    detail: `env is ${own.text} alone, which could name any environment variable.`,
    hint: `Write a common prefix: env: HOOK_SECRET_${own.text}.`,
  });
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

/** The environment variables that the secrets of a configuration name: in its blocks, its state and its notices. */
export function secretVariablesOf(
  { configuration: { blocks, state, notify = [] }, settings }: SettledConfiguration,
  environment: { readonly [variable: string]: string | undefined },
): readonly string[] {
  const secrets = blocks
    .flatMap((block) => Object.values(block.arguments))
    .filter((argument) => argument.kind === "secret");
  const patterns = secrets.flatMap(({ source, own }) => (source.kind === "env" && own && ownNames(own)) || []);
  const ofState = Object.values(state.settings).flatMap((argument) =>
    sourcesIn(evaluateArgument(argument, settings).value),
  );
  const ofNotify = notify.flatMap(({ url }) => (url?.kind === "secret" ? [url.source] : []));
  return [
    ...[...secrets.map(({ source }) => source), ...ofState, ...ofNotify].flatMap((source) =>
      source.kind === "env" ? [source.name] : [],
    ),
    ...(patterns.length === 0
      ? []
      : Object.keys(environment).filter((name) => patterns.some((pattern) => pattern.test(name)))),
  ];
}

/** The references to secrets in a setting of the state, at any depth. */
function sourcesIn(value: Value): readonly SecretSource[] {
  if (typeof value !== "object" || value === null || isUnknown(value)) return [];
  const source = secretSource(value);
  return source ? [source] : Object.values(value as { readonly [name: string]: Value }).flatMap(sourcesIn);
}
