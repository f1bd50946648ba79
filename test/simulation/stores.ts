import { local, tidied } from "./local/local-part.ts";
import type { StoreKind } from "./ports.ts";
import { httpKind } from "./remote/http-kind.ts";
import { pgKind } from "./remote/pg-kind.ts";
import { s3Kind } from "./remote/s3-kind.ts";

export const STORES: readonly StoreKind[] = [local, httpKind, s3Kind, pgKind];
/** Those on which many troubles are combined. */
export const DEEP_STORES: readonly StoreKind[] = [tidied, httpKind, s3Kind, pgKind];
export const ALL_STORES: readonly StoreKind[] = [tidied, ...STORES];
