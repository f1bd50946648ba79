import type { Declaration } from "../../core/model/declaration.ts";
import { type Attributes, canonicalJson, hasUnknown } from "../../core/model/value.ts";
import { digest } from "../../core/state/checksum.ts";
import type { CheckedConfiguration } from "../../operations/configuration/check-configuration.ts";
import type { LoadedConfiguration } from "../../operations/configuration/load-configuration.ts";
import { shownService, shownSource, shownState } from "../../operations/configuration/shown-settings.ts";
import type { Ports } from "../../operations/context.ts";

/**
 * A digest of all that a team's plan depends on in its configuration, without the values of secrets: others store it, and could guess
 * them. Where a value is sensitive or not known yet, the text that it comes from counts instead.
 */
export function teamDigest(context: Ports, { loaded, evaluated }: CheckedConfiguration): string {
  const { declarations, reads, outputs, imports, moved, removed, removals = [], checks = [] } = evaluated;
  const { limits } = loaded.configuration;
  const isOpen =
    reads.length > 0 ||
    declarations.some(({ attributes, masked }) => masked.length > 0 || hasUnknown(attributes)) ||
    outputs.some(({ value, sensitive }) => sensitive || hasUnknown(value)) ||
    imports.some(({ id }) => typeof id !== "string");
  const content = {
    declarations: declarations.map(shownDeclaration),
    reads: reads.map(({ address, type, config, masked = [] }) => ({ address, type, config: without(config, masked) })),
    outputs: outputs.map(({ name, value, sensitive }) => ({ name, sensitive, value: sensitive ? null : value })),
    imports: imports.map(({ to, id }) => ({ to, id })),
    checks: checks.map(({ name, severity, status }) => ({ name, severity, status })),
    moved,
    removed,
    removals: removals.map(({ type, id, reason }) => ({ type, id, reason })),
    limits,
    service: shownService(context, loaded),
    state: shownState(loaded),
    written: isOpen ? written(loaded) : null,
  };
  return digest(canonicalJson(content));
}

function shownDeclaration({ locate: _, attributes, masked, secrets, ...rest }: Declaration) {
  const names = Object.entries(secrets).map(([name, source]) => [name, shownSource(source)]);
  return { ...rest, masked, attributes: without(attributes, masked), secrets: Object.fromEntries(names) as object };
}

function without(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}

/** The text that open values come from, with the values of the variables. */
function written({ configuration, variables }: LoadedConfiguration): object {
  const { blocks, locals, outputs, imports } = configuration;
  const values = [...variables].map(([name, { value, sensitive }]) => [name, sensitive ? null : value]);
  return { blocks, locals, outputs, imports, variables: Object.fromEntries(values) as object };
}
