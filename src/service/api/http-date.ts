/** A date as headers write it, in milliseconds since the epoch; NaN for what is not a date. */
export function httpDateMs(text: string): number {
  // oxlint-disable-next-line no-restricted-globals -- it only parses; the time itself comes from the clock
  return Date.parse(text);
}
