import type { Argument } from "../../core/config/block.ts";
import { evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { type Value, canonicalJson } from "../../core/model/value.ts";
import { digest } from "../../core/state/checksum.ts";
import type { Ports, SettledConfiguration } from "../context.ts";
import { baseUrlOf } from "./base-url.ts";

/** What tells the places of two states apart; the same for one state. Secrets by their names. */
export function statePlace(loaded: SettledConfiguration): string {
  const { backend, settings } = shownState(loaded);
  const { encryption: _, ...place } = settings;
  return digest(canonicalJson([backend, place]));
}

/** The service of a configuration, with secrets by their names. */
export function shownService(context: Ports, loaded: SettledConfiguration) {
  const { baseUrl, apiKey, rateShare = null, exclusive = null, mark = null } = loaded.configuration.service;
  const isHidden = baseUrl !== null && shownSetting(loaded, baseUrl) === baseUrl;
  return {
    baseUrl: isHidden ? baseUrl : baseUrlOf(context, loaded).value,
    apiKey: apiKey?.kind === "secret" ? shownSource(apiKey.source) : apiKey?.kind === "template" ? apiKey.text : null,
    rateShare,
    exclusive,
    mark,
  };
}

/** The section `state` of a configuration, with secrets by their names. */
export function shownState(loaded: SettledConfiguration): {
  readonly backend: string;
  readonly settings: { readonly [name: string]: Argument | Value };
} {
  const { backend, settings } = loaded.configuration.state;
  return {
    backend,
    settings: Object.fromEntries(
      Object.entries(settings).map(([name, argument]) => [name, shownSetting(loaded, argument)]),
    ),
  };
}

export function shownSource(source: SecretSource): object {
  return source.kind === "value" ? { kind: source.kind } : source;
}

/** The value of a setting, or what it is written as if that is sensitive. */
function shownSetting({ settings }: SettledConfiguration, argument: Argument): Argument | Value {
  if (argument.kind === "secret") return argument;
  const { value, sensitive } = evaluateArgument(argument, settings);
  return sensitive ? argument : value;
}
