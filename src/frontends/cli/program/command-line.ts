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

/** How the package managers run a command of a project, by the first word of their user agent. */
const RUNNERS: { readonly [manager: string]: string } = { pnpm: "pnpm exec outreach", yarn: "yarn outreach", bun: "bunx outreach" };

/**
 * Makes the command lines in a text call the program as the user does: a package manager that has started it finds it where
 * a shell does not. `commands` are the words behind the program's name.
 */
export function asCalled(environment: { readonly [name: string]: string | undefined }, commands: () => readonly string[]): (text: string) => string {
  const { npm_command: command = "", npm_lifecycle_event: event = "", npm_config_user_agent: agent = "" } = environment;
  if (command === "" && event === "") return (text) => text;
  const called = RUNNERS[agent.split("/", 1)[0] ?? ""] ?? "npx outreach";
  const calls = new RegExp(`(?<![\\w./-]|npx |exec |yarn |bunx )outreach (?=(?:${commands().join("|")})(?![\\w-])|(?:[a-z]+ )?--help)`, "g");
  return (text) => text.replaceAll(calls, `${called} `);
}
