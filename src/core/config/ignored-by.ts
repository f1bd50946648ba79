import { formatAddress } from "../model/address.ts";
import type { IgnoredWarnings } from "../model/ignored-warnings.ts";
import type { Configuration } from "./block.ts";

/** What a configuration silences. */
export function ignoredBy({ ignore = [], blocks }: Configuration): IgnoredWarnings {
  const ofBlocks = blocks.flatMap(({ ignore: own, mode, type, name }) =>
    own ? [[formatAddress({ mode, type, name, key: null }), own] as const] : [],
  );
  return { everywhere: ignore, ofBlocks: new Map(ofBlocks) };
}
