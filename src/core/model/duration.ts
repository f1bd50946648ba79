const UNITS_MS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `30s`, `5m`, `250ms`, or plain seconds, in milliseconds; null for anything else. */
export function durationMs(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  return match ? Number(match[1]) * (UNITS_MS[match[2] ?? "s"] ?? 1000) : null;
}
