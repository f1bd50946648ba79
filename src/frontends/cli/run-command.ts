import type { Readable, Writable } from "node:stream";
import type { KeyedDigest } from "../../core/model/ports.ts";
import { personalMask } from "../../core/secrets/personal-mask.ts";
import { runSecrets } from "../../core/secrets/run-secrets.ts";
import { hidesEmails } from "../../output/formats/formats.ts";
import { ansi, type Paint, plain, printed } from "../../output/content/paint.ts";
import { noConfigurations, type Ports } from "../../operations/context.ts";
import type { CommandContext, Part } from "./command-context.ts";
import { commandWords } from "./program/command-list.ts";
import { type Chosen, readCommandLine } from "./program/program.ts";
import { isInCi } from "../../core/model/in-ci.ts";
import { learnWords } from "../../operations/personal-data.ts";
import { showFailure } from "./screen/show-failure.ts";
import { assertVerifiedTls } from "../../operations/service/verified-tls.ts";
import { VERSION } from "../../operations/version.ts";
import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import { durationText } from "../../output/content/progress-text.ts";
import type { RunEvent } from "../../operations/run-event.ts";
import { shellWord } from "../../core/model/shell-word.ts";

type Terminal = { readonly isTTY?: boolean };
type OutputStream = Writable & Terminal & { readonly columns?: number };

/** The surroundings of one run of the command. */
export interface CommandPorts
  extends Ports, Pick<CommandContext, "catalog" | "machine" | "placeFiles" | "providerFolder" | "saveMemory"> {
  /** The command line behind the program's name. */
  readonly words: readonly string[];
  readonly stdin: Readable & Terminal;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly keyedDigest: KeyedDigest;
  /** Calls the listener at each Ctrl-C, at each request to end, and when the terminal is closed. */
  onInterrupt(listener: () => void): void;
  /** Ends the process at once, with exit code 1. */
  quit(): void;
}

const SALT_BYTES = 16;

/** Runs one command line. Resolves to the exit code; a failure is printed, not thrown. */
export async function runCommand(ports: CommandPorts): Promise<number> {
  const { words, stdout, stderr } = ports;
  const called = asCalled(ports.environment, commandWords);
  const output = {
    writeOut: (text: string) => void stdout.write(text),
    writeErr: (text: string) => void stderr.write(printed(text, { hasCodes: false })),
    getOutHelpWidth: () => stdout.columns as number,
    getErrHelpWidth: () => stderr.columns as number,
  };
  const chosen = await readCommandLine(withHelp(words).map(longOption), output, called);
  if ("exitCode" in chosen) return chosen.exitCode;
  const closing: (() => Promise<void>)[] = [];
  const context = openContext(ports, chosen, { asCalled: called, atEnd: (close) => void closing.push(close) });
  try {
    assertVerifiedTls(ports.environment);
    assertInputSetting(ports);
    return await chosen.run(context);
  } catch (error) {
    return await showFailure(context, chosen.format, error);
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

/** `help plan` is `plan --help`. */
function withHelp(words: readonly string[]): readonly string[] {
  return words[0] === "help" ? [...words.slice(1), "--help"] : words;
}

/** What a command may use. */
export function openContext(
  ports: CommandPorts,
  { entry, color, format, showEmails, input, named }: Omit<Chosen, "run">,
  given: Pick<CommandContext, "asCalled" | "atEnd">,
): CommandContext {
  const { words, stdin, stdout, stderr, random, environment } = ports;
  const secrets = runSecrets();
  const { redactor: clean } = secrets;
  const hidden = {
    out: hidesEmails({ isTerminal: stdout.isTTY === true, format, showEmails }),
    // Messages are text, whatever the format of the results.
    err: hidesEmails({ isTerminal: stderr.isTTY === true, format: "text", showEmails }),
  };
  const colour = (stream: OutputStream) => (color && showsColour(stream, environment) ? ansi : plain);
  const stop = stopSignal(ports, entry);
  const cannotAsk = whyNotAsked(ports, input);
  // Until a state is open, emails are masked under a salt of this run.
  const salt = (): string => Buffer.from(random.bytes(SALT_BYTES)).toString("hex");
  const newMasks = () => ({ ...runSecrets(), personal: personalMask(salt, ports.keyedDigest) });
  const common = {
    ...ports,
    ...given,
    version: VERSION,
    ...secrets,
    configurations: noConfigurations(),
    hidesEmails: hidden,
    pacers: new Map(),
    paint: colour(stdout),
    paintErrors: colour(stderr),
    columns: (stderr.isTTY && stderr.columns) || null,
    isOneScreen: stdout.isTTY === true && stderr.isTTY === true,
    input: async () => Buffer.concat((await stdin.toArray()) as Buffer[]),
    cannotAsk: cannotAsk ?? "",
    streams: { stdin, stdout },
    newMasks,
    stop,
    begunMs: ports.clock.monotonicMs(),
  };
  /** Masks, and what goes through them. */
  const masked = ({ out, err, progress, notice }: Pick<Part, "out" | "err" | "progress" | "notice">) => {
    const personal = personalMask(salt, ports.keyedDigest);
    learnWords(named, personal);
    const through = (print: (text: string) => void, isHidden: boolean) => (text: string) =>
      print(isHidden ? personal.mask(clean.redact(text)) : clean.redact(text));
    const masks = {
      out: through(out, hidden.out),
      progress: through(progress, hidden.out),
      err: through(err, hidden.err),
      notice: through(notice, hidden.err),
    };
    return {
      personal,
      notify: (event: RunEvent) => masks.notice(runEventText(event, ports.clock.now())),
      ...masks,
    };
  };
  const part: CommandContext["part"] = ({ team, ask: question, ...own }) => ({
    ...common,
    ...own,
    ...masked(own),
    given: givenOptions(words, team),
    isPart: true,
    isLive: false,
    ask: question,
    part,
  });
  const print = { out: writerTo(stdout, common.paint), err: writerTo(stderr, common.paintErrors) };
  return {
    ...common,
    ...masked({ ...print, progress: print.out, notice: print.err }),
    given: givenOptions(words),
    summarize: () => undefined,
    isPart: false,
    isLive: stdout.isTTY === true && environment["TERM"] !== "dumb",
    ask: cannotAsk === null ? ask(ports, { print: print.out, signal: stop }) : null,
    part,
  };
}

function writerTo(stream: OutputStream, paint: Paint): (lines: string) => void {
  const hasCodes = stream.isTTY === true || paint !== plain;
  return (lines) => void stream.write(printed(lines, { hasCodes }));
}

/** NO_COLOR wins over the variables that force colours, and these over the terminal. */
function showsColour({ isTTY }: Terminal, environment: CommandPorts["environment"]): boolean {
  const {
    NO_COLOR: off = "",
    FORCE_COLOR: force = "",
    CLICOLOR_FORCE: forced = "",
    CLICOLOR: allowed,
    TERM: terminal,
  } = environment;
  if (off !== "") return false;
  if (force !== "") return force !== "0" && force !== "false";
  if (forced !== "" && forced !== "0") return true;
  return isTTY === true && terminal !== "dumb" && allowed !== "0";
}

/** Aborted by the first interrupt; the second one quits. */
function stopSignal({ stderr, onInterrupt, quit }: CommandPorts, { serves, writes }: Chosen["entry"]): AbortSignal {
  const stop = new AbortController();
  onInterrupt(() => {
    if (stop.signal.aborted) {
      if (writes === "recorded") stderr.write("\nQuit. The next plan finds out what the requests in flight did.\n");
      quit();
    }
    stop.abort();
    if (!serves) stderr.write("\nInterrupted: finishing requests in flight. Press Ctrl-C again to quit now.\n");
  });
  return stop.signal;
}

function ask(
  { stdin, stdout }: CommandPorts,
  { print, signal }: { readonly print: (text: string) => void; readonly signal: AbortSignal },
): NonNullable<CommandContext["ask"]> {
  return async ({ text, prompt }) => {
    const { createInterface } = await import("node:readline/promises");
    print(text);
    const lines = createInterface({ input: stdin, output: stdout });
    const closed = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
    try {
      const answer = await Promise.race([lines.question(prompt, { signal }), closed]);
      return answer?.trim() ?? null;
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return null;
      throw error;
    } finally {
      lines.close();
    }
  };
}

/** The values of OUTREACH_INPUT, which are those of Terraform's TF_INPUT. */
const VALUES: { readonly [text: string]: boolean } = { "": true, 1: true, true: true, 0: false, false: false };

/** Why no question may be asked, as a clause; null if one may. `input` is false with `--input=false`. */
function whyNotAsked({ environment, stdin }: CommandPorts, input: boolean): string | null {
  if (!input) return "--input=false forbids questions";
  if (VALUES[environment["OUTREACH_INPUT"] ?? ""] === false) return "OUTREACH_INPUT forbids questions";
  return stdin.isTTY ? null : "the input is not a terminal";
}

/** Throws `setting_invalid` for a value of OUTREACH_INPUT that means nothing. */
function assertInputSetting({ environment }: Ports): void {
  const text = environment["OUTREACH_INPUT"] ?? "";
  if (Object.hasOwn(VALUES, text)) return;
  throw DiagnosticsError.of("setting_invalid", "Invalid setting", {
    detail: `OUTREACH_INPUT is ${JSON.stringify(text)}, which is neither true nor false.`,
    hint: "Set it to 0 to forbid questions, or unset it.",
  });
}

/** What an operation says while it works, as a line. */
function runEventText(event: RunEvent, nowMs: number): string {
  switch (event.kind) {
    case "waiting-for-lock":
      return `Waiting up to ${durationText(event.timeoutMs)} for the lock of ${event.state}, held by ${event.holder}.\n`;
    case "waiting-for-list":
      return `Waiting ${durationText(event.durationMs)} for the service's list to catch up with the last write.\n`;
    case "log":
      return `${isoTime(nowMs)} [${event.level.toUpperCase()}] ${event.text}\n`;
  }
}

/** Accepts `-auto-approve` for `--auto-approve`, as Terraform does. */
export function longOption(word: string): string {
  return /^-[a-z][a-z-]+(=|$)/.test(word) ? `-${word}` : word;
}

const NAMING = ["-c", "--config", "--state", "--team"];

/** `-c PATH`, `--state PATH` and `--team NAME`, quoted for a shell, each followed by a space. A `team` stands in for those that are given. */
function givenOptions(words: readonly string[], team?: string): string {
  const spelled = words.map(longOption).flatMap((word) => {
    const at = word.startsWith("--") ? word.indexOf("=") : -1;
    return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
  });
  const isGiven = (word: string): boolean => NAMING.includes(word) && (team === undefined || word !== "--team");
  const given = spelled.flatMap((word, index) =>
    isGiven(word) ? [`${word} ${shellWord(spelled[index + 1] ?? "")} `] : [],
  );
  return [...given, ...(team === undefined ? [] : [`--team ${team} `])].join("");
}

/** How the package managers run a command of a project, by the first word of their user agent. */
const RUNNERS: { readonly [manager: string]: string } = {
  pnpm: "pnpm exec outreach",
  yarn: "yarn outreach",
  bun: "bunx outreach-as-code",
};

/**
 * Makes the command lines in a text call the program as the user does: a package manager that has started it finds it where
 * a shell does not, and so it is where someone reads the log of a CI. `commands` are the words behind the program's name.
 */
function asCalled(
  environment: { readonly [name: string]: string | undefined },
  commands: () => readonly string[],
): (text: string) => string {
  const { npm_command: command, npm_lifecycle_event: event, npm_config_user_agent: agent = "" } = environment;
  if (!command && !event && !agent && !isInCi(environment)) return (text) => text;
  const called = RUNNERS[agent.split("/", 1)[0] ?? ""] ?? "npx outreach-as-code";
  const calls = new RegExp(
    `(?<![\\w./-]|npx |exec |yarn |bunx )outreach (?=(?:${commands().join("|")})(?![\\w-])|(?:[a-z]+ )?--help)`,
    "g",
  );
  return (text) => text.replaceAll(calls, `${called} `);
}
