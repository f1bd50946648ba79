/** A time in milliseconds since the epoch as ISO 8601, in UTC. */
export function isoTime(epochMs: number): string {
  // oxlint-disable-next-line no-restricted-globals -- it only formats; the time itself comes from the clock
  return new Date(epochMs).toISOString();
}
