const UNITS_MS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30s`, `5m`, `90d`, `250ms`, or plain seconds, in milliseconds; null for anything else. */
export function durationMs(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
  return match ? Number(match[1]) * (UNITS_MS[match[2] ?? "s"] ?? 1000) : null;
}

/** A time in milliseconds since the epoch as ISO 8601, in UTC. */
export function isoTime(epochMs: number): string {
  // oxlint-disable-next-line no-restricted-globals -- it only formats; the time itself comes from the clock
  return new Date(epochMs).toISOString();
}

/** A time as a service writes it (ISO 8601, or the form of HTTP's `Date`), in milliseconds since the epoch; null for anything else. */
export function parsedTimeMs(text: string): number | null {
  // oxlint-disable-next-line no-restricted-globals -- it only parses
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
