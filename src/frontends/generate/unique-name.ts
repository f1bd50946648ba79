/** The name, or the name with the first number from 2 on that is not taken; takes it. */
export function uniqueName(name: string, taken: Set<string>, separator = "-"): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number++) unique = `${name}${separator}${String(number)}`;
  taken.add(unique);
  return unique;
}
