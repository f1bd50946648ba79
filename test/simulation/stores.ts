import { local } from "./local/local-part.ts";
import type { StoreKind } from "./ports.ts";
import { httpKind } from "./remote/http-kind.ts";
import { pgKind } from "./remote/pg-kind.ts";
import { s3Kind } from "./remote/s3-kind.ts";

export const STORES: readonly StoreKind[] = [local, httpKind, s3Kind, pgKind];
