import type { Clock } from "../../core/model/ports.ts";
import type { CommandOutput } from "../../core/secrets/command-output.ts";
import type { SecretsContext } from "../../operations/configuration/reveal-secrets.ts";
import { withTeamCommands } from "../../operations/configuration/team-commands.ts";
import type { TeamCommands } from "../../operations/context.ts";

/** The configuration is read every few seconds: a command that asks a database runs less often. */
const KEPT_MS = 60_000;

/** The commands of `teams_from`, each at most once a minute. What one printed is forgotten when it is asked for again. */
export function keptTeamCommands(clock: Clock): (context: SecretsContext) => TeamCommands["teamCommand"] {
  const kept = new Map<string, { readonly atMs: number; readonly output: Promise<CommandOutput> }>();
  return (context) => (command, configuration) => {
    const key = JSON.stringify([configuration.folder, command]);
    const before = kept.get(key);
    if (before && clock.monotonicMs() - before.atMs < KEPT_MS) return before.output;
    const output = withTeamCommands(context).teamCommand(command, configuration);
    kept.set(key, { atMs: clock.monotonicMs(), output });
    return output;
  };
}
