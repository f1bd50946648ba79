import { shellWord } from "../../../core/model/shell-word.ts";

/** Accepts `-auto-approve` for `--auto-approve`, as Terraform does. */
export function longOption(word: string): string {
  return /^-[a-z][a-z-]+(=|$)/.test(word) ? `-${word}` : word;
}

const NAMING = ["-c", "--config", "--state", "--team"];

/** `-c PATH`, `--state PATH` and `--team NAME`, quoted for a shell, each followed by a space. A `team` stands in for those that are given. */
export function givenOptions(words: readonly string[], team?: string): string {
  const spelled = words.map(longOption).flatMap((word) => {
    const at = word.startsWith("--") ? word.indexOf("=") : -1;
    return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
  });
  const isGiven = (word: string): boolean => NAMING.includes(word) && (team === undefined || word !== "--team");
  const given = spelled.flatMap((word, index) => (isGiven(word) ? [`${word} ${shellWord(spelled[index + 1] ?? "")} `] : []));
  return [...given, ...(team === undefined ? [] : [`--team ${team} `])].join("");
}
