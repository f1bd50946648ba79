import { type Semaphore, semaphore } from "../../../core/model/async.ts";
import { oneStateNamed } from "../../../operations/state/state-place.ts";
import { DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import type { Team } from "../../../core/config/block.ts";
import type { CommandContext, ExitCode, Question } from "../command-context.ts";
import { openConfiguration } from "../../../operations/configuration/read-configuration.ts";
import { stateOfSeveral, teamMistakes, teamsNamed } from "../../../operations/configuration/team-configuration.ts";
import type { ForTeams, Invocation } from "../program/command-definition.ts";
import type { CommandOptions } from "../program/command-options.ts";
import { showFailure } from "../screen/show-failure.ts";
import { TeamFindings } from "./team-findings.ts";
import { type TeamOutput, documentsOutput, joinedOutput, linesOutput, textOutput, withTeam } from "./team-output.ts";

/** Teams at once: each has a connection, and the requests of different keys need not wait for each other. */
const MAX_AT_ONCE = 4;

type TeamOptions = CommandOptions & { readonly format?: string };
type Call = Invocation<TeamOptions, unknown>;

/** A command, whatever its options are in addition. */
interface TeamCommand {
  readonly run: (context: CommandContext, call: Call) => Promise<ExitCode>;
  readonly forTeams: ForTeams<TeamOptions, unknown>;
}

/** Runs a command once for each team of the configuration, or for those that --team names. Without teams, it just runs. */
export async function runForTeams(context: CommandContext, command: TeamCommand, invocation: Call): Promise<ExitCode> {
  const { forTeams, run } = command;
  const { options } = invocation;
  if (await forTeams.knowsTeam?.(context, invocation)) return run(context, invocation);
  // The command itself reports a configuration that cannot be read.
  const opening = forTeams.runsNoCommands ? { ...options, runsCommands: false } : options;
  const configuration = await openConfiguration(context, opening).catch(() => null);
  const declared = configuration?.value.teams ?? [];
  if (!configuration || declared.length === 0) return run(context, invocation);
  const isBroken = hasErrors([...configuration.diagnostics, ...teamMistakes(configuration.value)]);
  // The mistakes may be why a team is not known.
  const isNamed =
    options.team.length > 0 && !(isBroken && options.team.some((name) => declared.every((team) => team.name !== name)));
  const teams = isNamed ? teamsNamed(declared, options.team) : declared;
  const [first] = teams;
  if (first && (teams.length === 1 || isBroken)) return runOne(context, command, { invocation, team: first });
  if (oneStateNamed(context, options)) throw new DiagnosticsError([stateOfSeveral(teams)]);
  return runAll(context, command, { invocation, teams });
}

interface OfTeam {
  readonly invocation: Call;
  readonly team: Team;
}

async function callFor(
  context: CommandContext,
  { forTeams }: TeamCommand,
  { invocation, team }: OfTeam,
): Promise<Call> {
  const { options, operands } = (await forTeams.call?.(context, invocation, team.name)) ?? {};
  return {
    ...invocation,
    options: { ...invocation.options, team: [team.name], ...options },
    ...(operands ? { operands } : {}),
  };
}

/** A single team prints as a configuration without teams does; only its JSON lines name it. */
async function runOne(context: CommandContext, command: TeamCommand, of: OfTeam): Promise<ExitCode> {
  const { invocation, team } = of;
  const call = await callFor(context, command, of);
  if (formatOf(invocation) !== "json" || command.forTeams.json !== "lines") return command.run(context, call);
  const named = {
    ...context,
    out: (text: string) => context.out(withTeam(text, team.name)),
    progress: (text: string) => context.progress(withTeam(text, team.name)),
  };
  return command.run(named, call).catch((error: unknown) => showFailure(named, "json", error));
}

async function runAll(
  context: CommandContext,
  command: TeamCommand,
  { invocation, teams }: { readonly invocation: Call; readonly teams: readonly Team[] },
): Promise<ExitCode> {
  const names = teams.map(({ name }) => name);
  const output = await outputOf(context, command, { names, invocation });
  const slots = semaphore(MAX_AT_ONCE);
  const question = context.ask && openSharedQuestion(names, context.ask, () => output.show());
  const findings = new TeamFindings(names);
  const codes = await Promise.all(
    teams.map((team) => runTeam(context, command, { invocation, output, slots, question, findings, team })),
  );
  const skipped = findings.skippedTeams();
  if (skipped.size === teams.length) throw findings.nothingDone();
  if (formatOf(invocation) !== "json") findings.print(context);
  output.close(skipped);
  return worst(codes);
}

interface Running extends OfTeam {
  readonly output: TeamOutput;
  readonly slots: Semaphore;
  readonly question: SharedQuestion | null;
  readonly findings: TeamFindings;
}

/** A team's turn, which ends while its question waits. */
interface Turn {
  end: () => void;
}

async function runTeam(context: CommandContext, command: TeamCommand, running: Running): Promise<ExitCode> {
  const { invocation, output, slots, question, team } = running;
  const turn: Turn = { end: () => undefined };
  const part = partFor(context, { ...running, turn });
  turn.end = await slots.enter();
  let exitCode: ExitCode = 1;
  try {
    context.stop.throwIfAborted();
    exitCode = await command.run(part, await callFor(part, command, running));
  } catch (error) {
    exitCode = await showFailure(part, formatOf(invocation) === "json" ? "json" : "text", error);
  } finally {
    turn.end();
    output.end(team.name, exitCode);
    question?.end();
  }
  return exitCode;
}

/** The context of one team. While its question waits for the other teams, one of these runs. */
function partFor(
  context: CommandContext,
  { output, slots, question, findings, team: { name }, turn }: Running & { readonly turn: Turn },
): CommandContext {
  return context.part({
    team: name,
    out: (text) => output.write(name, "out", text),
    err: (text) => output.write(name, "err", text),
    progress: (text) => output.progress(name, "out", text),
    notice: (text) => output.progress(name, "err", text),
    summarize: (text, result) => output.summarize(name, text, result),
    skip: (why) => findings.skip(name, why),
    keepNote: (note) => findings.keepNote(name, note),
    keyUsed: (key, source) => findings.keyUsed(name, { key, source }),
    ask:
      question &&
      (async (asked) => {
        turn.end();
        try {
          return await question.ask(name, asked);
        } finally {
          turn.end = await slots.enter();
        }
      }),
  });
}

async function outputOf(
  context: CommandContext,
  { forTeams }: TeamCommand,
  { names, invocation }: { readonly names: readonly string[]; readonly invocation: Call },
): Promise<TeamOutput> {
  const format = formatOf(invocation);
  if (format === "json") return forTeams.json === "lines" ? linesOutput(context) : documentsOutput(context, names);
  if (forTeams.join) return joinedOutput(context, names, await forTeams.join(context, invocation));
  return textOutput(context, names, { isHeaded: format === "text" });
}

function formatOf({ options: { json, format } }: Call): string {
  return json === true ? "json" : (format ?? "text");
}

/** Exit codes from the best to the worst. */
const RANKS: readonly ExitCode[] = [0, 2, 1, 3];

function worst(codes: readonly ExitCode[]): ExitCode {
  return codes.reduce((before, code) => (RANKS.indexOf(code) > RANKS.indexOf(before) ? code : before), 0);
}

/** One question for all teams: it is asked when every team has either asked it or ended. */
interface SharedQuestion {
  /** The answer for all of them. */
  ask(team: string, question: Question): Promise<string | null>;
  /** This team will not ask any more. */
  end(): void;
}

interface Asking {
  readonly team: string;
  readonly question: Question;
  readonly resolve: (answer: string | null) => void;
  readonly reject: (error: unknown) => void;
}

/** `show` prints what the teams have to show so far. */
function openSharedQuestion(
  teams: readonly string[],
  ask: NonNullable<CommandContext["ask"]>,
  show: () => void,
): SharedQuestion {
  let asking: readonly Asking[] = [];
  let ended = 0;
  const askOnce = async (all: readonly Asking[], { text, prompt }: Question): Promise<void> => {
    show();
    const names = teams.filter((team) => all.some((one) => one.team === team)).join(", ");
    try {
      const answer = await ask({ text: `\nTeams: ${names}\n${text}`, prompt });
      for (const { resolve } of all) resolve(answer);
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  };
  const askIfComplete = (): void => {
    const [first] = asking;
    if (!first || asking.length + ended < teams.length) return;
    const all = asking;
    asking = [];
    void askOnce(all, first.question);
  };
  return {
    ask: (team, question) =>
      new Promise((resolve, reject) => {
        asking = [...asking, { team, question, resolve, reject }];
        askIfComplete();
      }),
    end: () => {
      ended++;
      askIfComplete();
    },
  };
}
