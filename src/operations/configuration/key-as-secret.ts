import type { Block } from "../../core/config/block.ts";
import { blockOf, formatAddress } from "../../core/model/address.ts";
import type { Declaration, Evaluation } from "../../core/model/declaration.ts";
import { type Diagnostic, errorOf } from "../../core/model/diagnostic.ts";

/** The service sends a webhook's secret with every event to its receiver: it must not be the API key. */
export function keysAsSecrets(blocks: readonly Block[], keys: ReadonlySet<string>): readonly Diagnostic[] {
  return blocks.flatMap(({ arguments: given, locate }) => {
    const secrets = Object.entries(given).flatMap(([name, argument]) =>
      argument.kind === "secret" ? [[name, argument.source] as const] : [],
    );
    return keysIn({ secrets: Object.fromEntries(secrets), locate }, keys);
  });
}

/** Adds the same mistake of instances of a fan-out that have secrets of their own. */
export function instanceKeys(evaluation: Evaluation, blocks: readonly Block[], keys: ReadonlySet<string>): Evaluation {
  const own = new Set(
    blocks
      .filter((block) => Object.values(block.arguments).some((argument) => argument.kind === "secret" && argument.own))
      .map(({ mode, type, name }) => formatAddress({ mode, type, name, key: null })),
  );
  if (own.size === 0) return evaluation;
  const found = evaluation.declarations
    .filter(({ address }) => own.has(blockOf(address)))
    .flatMap((one) => keysIn(one, keys));
  return { ...evaluation, diagnostics: [...evaluation.diagnostics, ...found] };
}

function keysIn(
  { secrets, locate }: Pick<Declaration, "secrets" | "locate">,
  keys: ReadonlySet<string>,
): readonly Diagnostic[] {
  return Object.entries(secrets).flatMap(([name, source]) => {
    if (source.kind !== "env" || !keys.has(source.name)) return [];
    const place = locate([name]);
    return [
      errorOf("secret_is_key", "API key used as a webhook's secret", {
        detail: `${name} names ${source.name}, which contains the API key. The service sends the secret with every event, so the receiver would get the key.`,
        hint: "Create a separate secret for the webhook.",
        place,
      }),
    ];
  });
}
