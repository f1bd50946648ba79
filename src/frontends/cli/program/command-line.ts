import { shellWord } from "../../../core/model/shell-word.ts";

/** Accepts `-auto-approve` for `--auto-approve`, as Terraform does. */
export function longOption(word: string): string {
  return /^-[a-z][a-z-]+(=|$)/.test(word) ? `-${word}` : word;
}

/** `-c PATH` and `--state PATH`, quoted for a shell, each followed by a space. */
export function givenOptions(words: readonly string[]): string {
  const spelled = words.map(longOption).flatMap((word) => {
    const at = word.startsWith("--") ? word.indexOf("=") : -1;
    return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
  });
  return spelled.flatMap((word, index) => (["-c", "--config", "--state"].includes(word) ? [`${word} ${shellWord(spelled[index + 1] ?? "")} `] : [])).join("");
}
