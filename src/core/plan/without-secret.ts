import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource, Catalog } from "../model/definition.ts";
import { type Diagnostic, warningOf } from "../model/diagnostic.ts";
import { type IgnoredWarnings, isIgnored } from "../model/ignored-warnings.ts";
import { groupBy } from "../model/maps.ts";
import { capitalised, firstFew } from "../model/words.ts";

/** The attributes that are secrets, and that no other one stands for. */
export function secretsOf({ schema }: AnyResource): readonly string[] {
  return Object.entries(schema).flatMap(([name, { sensitive, writeOnly }]) => (sensitive && !writeOnly ? [name] : []));
}

/** The code of a warning or finding about an object without a secret. */
export function withoutSecretCode({ noun }: AnyResource): string {
  return `${noun}_without_secret`;
}

const MOST_NAMED = 10;

interface Declared {
  readonly catalog: Catalog;
  readonly declarations: readonly Declaration[];
  /** Whether they are of a synthesised stack, which cannot silence a warning. */
  readonly isStack: boolean;
}

/** Warns about declarations without a secret: once for each type, with the blocks. */
export function withoutSecret(
  { catalog, declarations, isStack }: Declared,
  ignored: IgnoredWarnings,
): readonly Diagnostic[] {
  return catalog.resources.flatMap((definition) => {
    const { type, noun, plural } = definition;
    const [secret] = secretsOf(definition);
    if (secret === undefined) return [];
    const code = withoutSecretCode(definition);
    const found = declarations.filter(
      ({ type: own, address, secrets, attributes }) =>
        own === type &&
        !(secret in secrets) &&
        (attributes[secret] ?? null) === null &&
        !isIgnored(ignored, code, address),
    );
    const [first] = found;
    if (!first) return [];
    const blocks = [...groupBy(found, ({ address }) => blockOf(address)).keys()];
    const named = `${firstFew(blocks, MOST_NAMED)} ${blocks.length === 1 ? "has" : "have"} no ${secret}`;
    return [
      warningOf(`${noun}_without_secret`, `${capitalised(blocks.length === 1 ? noun : plural)} without a ${secret}`, {
        detail: `${named}. The receiver cannot verify that an event comes from the service.`,
        hint: isStack
          ? `Set ${secret} to a sensitive variable.`
          : `Set a ${secret} from an environment variable, a file or a program, or silence this with ignore: [${code}].`,
        ...(blocks.length === 1 ? { address: found.length === 1 ? first.address : blocks[0] } : {}),
        place: first.locate([]),
      }),
    ];
  });
}
