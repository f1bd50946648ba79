/**
 * Null for a text that is not an absolute URL. `URL.canParse` would be simpler, but Node.js 20 answers wrong for texts with ü or é once it has been called
 * about 2,000 times.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
