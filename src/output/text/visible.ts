/** A line that a runner of GitHub Actions takes for a command, such as `::set-output name=a::b`, and the older form within a line. */
const RUNNER_COMMAND = /:(?<=^[^\S\n]*:)(?=:[^\n]*::)|#(?<=##)(?=\[[a-z])/gim;

/** Text with control, escape and bidi characters replaced one for one, and without commands to a CI. Line ends and tabs stay. */
export function visible(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => (character === "\n" || character === "\t" ? character : "\u{fffd}"))
    .replaceAll(RUNNER_COMMAND, "\u{fffd}");
}
