/** The one of `names` that differs least from `name`, without case; null if none is close. */
export function closest(name: string, names: Iterable<string>): string | null {
  const wanted = name.slice(0, 64).toLowerCase();
  let [best, least]: [string | null, number] = [null, Math.max(1, Math.floor(wanted.length / 3)) + 1];
  for (const one of names) {
    const distance = editDistance(wanted, one.toLowerCase());
    if (distance < least) [best, least] = [one, distance];
  }
  return best;
}

/** The end of a sentence about an unknown name: a suggestion, or nothing. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const found = closest(name, names);
  return found === null ? "" : `; did you mean ${found}?`;
}

/** The number of characters to insert, delete or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
