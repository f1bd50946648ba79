import { spellings } from "../../secrecy/spellings.ts";

const MOST_REMEMBERED = 10_000;

/** Finds the first secret that a text contains, in any spelling. */
export function secretSearch(secrets: readonly string[]): (text: string) => string | null {
  const places = secrets.flatMap((secret) => spellings(secret).map(({ text: place }) => ({ secret, place })));
  const clean = new Set<string>();
  return (text) => {
    if (clean.has(text)) return null;
    const found = places.find(({ place }) => text.includes(place))?.secret ?? null;
    if (clean.size > MOST_REMEMBERED) clean.clear();
    if (found === null) clean.add(text);
    return found;
  };
}
