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
