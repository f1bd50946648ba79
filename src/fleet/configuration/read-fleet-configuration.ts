import type { Configuration, Team } from "../../core/config/block.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { LOCAL_BACKEND } from "../../core/state/backends.ts";
import { digest } from "../../core/state/checksum.ts";
import { checkedConfiguration } from "../../operations/configuration/check-configuration.ts";
import type { LoadedConfiguration } from "../../operations/configuration/load-configuration.ts";
import { openedBefore, readConfiguration } from "../../operations/configuration/read-configuration.ts";
import { teamOutput } from "../../operations/configuration/team-commands.ts";
import type { OpenedConfiguration, OperationContext } from "../../operations/context.ts";
import { statePlace } from "../../operations/configuration/shown-settings.ts";
import { stateOfSeveral, teamMistakes } from "../../operations/configuration/team-configuration.ts";
import type { OperationOptions } from "../../operations/options.ts";
import { stateNamed } from "../../operations/state/state-place.ts";
import type { DeclaredTeam, FleetConfiguration } from "../team-work.ts";
import { checkoutCommit } from "./checkout-commit.ts";
import { teamDigest } from "./team-digest.ts";
import type { FileSystem } from "../../core/model/ports.ts";

/** Where the configuration of a fleet is, and the values of its variables. */
export type ReadOptions = Pick<OperationOptions, "config" | "var" | "varFile">;

/** The configuration of a fleet, and what its teams are loaded from. */
export interface FleetRead {
  readonly configuration: FleetConfiguration;
  readonly read: OpenedConfiguration;
  /** This configuration with the commit of now, if nothing else that it was read from has changed; null otherwise. */
  readonly again: (context: OperationContext) => Promise<FleetRead | null>;
}

/** More teams with mistakes are not reported. */
const MAX_BROKEN = 20;
/** After so many teams, the runs of other teams go on for a moment. */
const AT_ONCE = 20;

/** Reads the configuration once, and checks it for each of its teams. Throws for mistakes. */
export async function readFleetConfiguration(
  context: OperationContext,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<FleetRead> {
  const { files, environment } = context;
  const noted = notedFiles(files);
  const environmentBefore = digest(JSON.stringify(environment));
  const read = await readNow({ ...context, files: noted.files }, options, signal);
  const printed = await digestOfPrinted(context, read.read.value);
  const withCommit = async (): Promise<FleetRead> => ({
    read: read.read,
    configuration: { ...read.configuration, commit: await checkoutCommit(context, options.config) },
    again: async (now) => {
      const isSame =
        digest(JSON.stringify(environment)) === environmentBefore &&
        (await noted.areUnchanged()) &&
        (await digestOfPrinted(now, read.read.value)) === printed;
      return isSame ? withCommit() : null;
    },
  });
  return withCommit();
}

async function readNow(
  context: OperationContext,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<{ readonly configuration: Omit<FleetConfiguration, "commit">; readonly read: OpenedConfiguration }> {
  // It was planned before, with all warnings.
  const read = await readConfiguration(context, options, { looksBeside: false });
  const { value, diagnostics } = read;
  const mistakes = [...diagnostics, ...teamMistakes(value)];
  if (hasErrors(mistakes)) throw new DiagnosticsError(mistakes);
  const { teams = [] } = value;
  if (teams.length === 0) throw new DiagnosticsError([noTeams(options.config)]);
  if (stateNamed(context, {})) throw new DiagnosticsError([stateOfSeveral(teams)]);
  const declared = await declaredTeams(
    { ...context, configurations: openedBefore(options, read) },
    { options, teams, signal },
  );
  const all = digest(declared.map(({ name, digest: one }) => `${name} ${one}\n`).join(""));
  return { read, configuration: { digest: all, teams: declared } };
}

interface Declaring {
  readonly options: ReadOptions;
  readonly teams: readonly Team[];
  readonly signal: AbortSignal;
}

async function declaredTeams(
  context: OperationContext,
  { options, teams, signal }: Declaring,
): Promise<readonly DeclaredTeam[]> {
  const declared: DeclaredTeam[] = [];
  const broken: Diagnostic[][] = [];
  const places = new Map<string, string>();
  for (const [index, { name }] of teams.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await context.clock.sleep(0, signal);
    const { value, diagnostics } = await checkedConfiguration(context, { ...options, team: [name] });
    const found = [...diagnostics, ...wrongPlace(value.loaded, { name, places })].filter(
      ({ severity }) => severity === "error",
    );
    if (found.length === 0) declared.push({ name, digest: teamDigest(context, value) });
    else if (broken.push(found) === MAX_BROKEN) break;
  }
  if (broken.length > 0) throw new DiagnosticsError(broken.flat());
  return declared;
}

/** All processes need the same state of a team, and each team a state of its own. */
function wrongPlace(
  loaded: LoadedConfiguration,
  { name, places }: { readonly name: string; readonly places: Map<string, string> },
): readonly Diagnostic[] {
  const { state } = loaded.configuration;
  const place = state.locate?.(["backend"]);
  const located = place ? { place } : {};
  if (state.backend === LOCAL_BACKEND.name) return [{ ...LOCAL_STATE, ...located }];
  const where = statePlace(loaded);
  const other = places.get(where);
  places.set(where, name);
  return other === undefined ? [] : [{ ...commonState(other, name), ...located }];
}

function noTeams(config: string): Diagnostic {
  return {
    code: "fleet_teams_missing",
    severity: "error",
    summary: "No teams",
    detail: `The controller reconciles teams, but ${config} declares none.`,
    hint: "Declare them under teams. To apply a configuration without teams, run: outreach apply",
  };
}

const LOCAL_STATE: Diagnostic = {
  code: "fleet_state_local",
  severity: "error",
  summary: "The state is a local file",
  detail: "All processes of a fleet need the same states, and a local file exists on one machine only.",
  hint: "Keep the states in PostgreSQL:\n  state:\n    backend: pg\n    name: outreach-${team.name}\nSet PG_CONN_STR to the URL of the server.",
};

function commonState(first: string, second: string): Diagnostic {
  return {
    code: "fleet_state_shared",
    severity: "error",
    summary: "Two teams have the same state",
    detail: `The settings of the state are the same for the teams ${first} and ${second}.`,
    hint: "Make the name of the state end with ${team.name} alone, as in name: outreach-${team.name}.",
  };
}

/** A file system that notes what it was asked, and tells later whether it would answer the same. */
interface NotedFiles {
  readonly files: FileSystem;
  readonly areUnchanged: () => Promise<boolean>;
}

type Ask = () => Promise<Uint8Array | string | readonly string[] | null>;

/** Keeps digests of the answers, not the answers. */
function notedFiles(files: FileSystem): NotedFiles {
  const noted = new Map<string, { readonly ask: Ask; readonly answer: string }>();
  const noting =
    <Answer extends Awaited<ReturnType<Ask>>, Given extends readonly unknown[]>(
      name: string,
      ask: (...given: Given) => Promise<Answer>,
    ) =>
    async (...given: Given): Promise<Answer> => {
      const key = JSON.stringify([name, ...given]);
      const asked = ask(...given);
      // The first answer: one that changes while the rest is read differs from the next one, too.
      if (!noted.has(key)) noted.set(key, { ask: () => ask(...given), answer: await digestOf(asked) });
      return asked;
    };
  return {
    files: {
      ...files,
      read: noting("read", (path, options) => files.read(path, options)),
      list: noting("list", (path) => files.list(path)),
      kind: noting("kind", (path) => files.kind(path)),
      realPath: noting("realPath", (path) => files.realPath(path)),
    },
    areUnchanged: async () => {
      for (const { ask, answer } of noted.values()) if ((await digestOf(ask())) !== answer) return false;
      return true;
    },
  };
}

/** A digest of what the commands of `teams_from` print. */
async function digestOfPrinted(context: OperationContext, configuration: Configuration): Promise<string> {
  const digests: string[] = [];
  for (const { from } of configuration.teamsFrom ?? []) {
    if (from.kind !== "command") continue;
    const output = await teamOutput(context, from.command, configuration);
    digests.push(digest("bytes" in output ? output.bytes : JSON.stringify(output)));
  }
  return digests.join(" ");
}

async function digestOf(answer: ReturnType<Ask>): Promise<string> {
  try {
    const found = await answer;
    return digest(found instanceof Uint8Array ? found : JSON.stringify(found));
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
