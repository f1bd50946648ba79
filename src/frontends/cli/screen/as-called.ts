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
