import { local } from "./local/local-part.ts";
import type { StoreKind } from "./ports.ts";

export const STORES: readonly StoreKind[] = [local];
