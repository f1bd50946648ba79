/** A date in a header, in milliseconds since 1970; NaN for any other text. */
export function httpDateMs(text: string): number {
  // oxlint-disable-next-line no-restricted-globals -- parses a text, does not read the clock
  return Date.parse(text);
}
