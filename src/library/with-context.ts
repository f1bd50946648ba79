import { posix } from "node:path";
import { type Diagnostic, errorOf } from "../core/model/diagnostic.ts";
import type { Clock, FileSystem } from "../core/model/ports.ts";
import { fingerprinter } from "../core/secrets/fingerprint.ts";
import { personalMask } from "../core/secrets/personal-mask.ts";
import { runSecrets } from "../core/secrets/run-secrets.ts";
import { noConfigurations, type OperationContext } from "../operations/context.ts";
import { failureOf } from "../operations/known-failure.ts";
import { arrangedDiagnostics } from "../operations/messages/arrange-diagnostics.ts";
import { DEFAULT_CONFIG, type OperationOptions, givenText } from "../operations/options.ts";
import { assertVerifiedTls } from "../operations/service/verified-tls.ts";
import { VERSION } from "../operations/version.ts";
import { filesInFolder } from "../platform/node-files.ts";
import { nodeClock } from "../platform/node-clock.ts";
import { nodeKeyedDigest } from "../platform/node-digest.ts";
import { nodeProcess, nodeSurroundings } from "../platform/node-process.ts";
import { nodeRandom } from "../platform/node-random.ts";
import { catalog } from "../service/resources/catalog.ts";
import { type Accepts, checkConfiguration, checkOptions } from "./check-input.ts";
import type { Problem } from "./json-value.ts";
import type { ConfigurationInput, Options } from "./library-options.ts";
import { type ProgramCalls, programCalls } from "./progress.ts";
import type { Message } from "./results.ts";

/** An operation's context, and what the caller has chosen. */
export interface Opened {
  readonly context: OperationContext;
  readonly chosen: OperationOptions;
  readonly calls: ProgramCalls;
  /** Diagnostics as a result has them. */
  readonly messages: (diagnostics: readonly Diagnostic[]) => readonly Message[];
}

interface Failed {
  readonly status: "failed" | "interrupted" | "undecided";
  readonly diagnostics: readonly Message[];
}

/** The name of a configuration that is an object: in messages, and in saved plans. */
const OBJECT_NAME = "configuration.yaml";
type Pacers = NonNullable<OperationContext["pacers"]>;

/** One for each key: operations that run at once share the rate limit. A pacer is of one clock. */
const PACERS = new WeakMap<Clock, Pacers>();
const SALT_BYTES = 16;

/** The arguments of an operation, as the program has passed them. */
export interface Given<O> {
  readonly configuration: unknown;
  readonly options: unknown;
  readonly accepts: Accepts<O>;
  /** Checks further arguments. */
  readonly check?: (problems: Problem[]) => void;
}

/** Checks the arguments, does the work with them, and closes what it has opened. A mistake of the user is a result with `nothing`; faults are thrown. */
export async function withContext<O extends Options, N extends object, R>(
  { configuration: given, options: givenOptions, accepts, check }: Given<O>,
  nothing: N,
  work: (opened: Opened, options: O) => Promise<R>,
): Promise<R | (N & Failed)> {
  const problems: Problem[] = [];
  const configuration = checkConfiguration(given, problems);
  const options = checkOptions(givenOptions, accepts, problems);
  check?.(problems);
  if (problems.length > 0) return { ...nothing, status: "failed", diagnostics: inputMessages(problems) };
  const calls = programCalls(options);
  const chosen = chosenBy(configuration, options);
  const result = await withCalls({ configuration, options, chosen, calls }, nothing, work);
  await calls.end();
  return result;
}

async function withCalls<O extends Options, N extends object, R>(
  checked: Checked<O>,
  nothing: N,
  work: (opened: Opened, options: O) => Promise<R>,
): Promise<R | (N & Failed)> {
  const { options, chosen, calls } = checked;
  const closing: (() => Promise<void>)[] = [];
  const context = openContext(checked, (close) => void closing.push(close));
  const messages = (found: readonly Diagnostic[]): readonly Message[] =>
    arrangedDiagnostics(context, found, { hidesEmails: false }).map((one) =>
      messageOf(one, (text) => context.redactor.redact(text)),
    );
  try {
    assertVerifiedTls(nodeSurroundings().environment);
    context.stop.throwIfAborted();
    return await work({ context, chosen, calls, messages }, options);
  } catch (error) {
    if (error instanceof WrongAnswer)
      return { ...nothing, status: "failed", diagnostics: inputMessages([error.problem]) };
    // What a program aborts with may look like a failure.
    const known = context.stop.aborted && error === context.stop.reason ? null : failureOf(error);
    if (known) return { ...nothing, status: known.status, diagnostics: messages(known.diagnostics) };
    if (context.stop.aborted) return { ...nothing, status: "interrupted", diagnostics: messages([INTERRUPTED]) };
    throw error;
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

interface Checked<O> {
  readonly configuration: ConfigurationInput;
  readonly options: O;
  readonly chosen: OperationOptions;
  readonly calls: ProgramCalls;
}

/** A function of the program has answered what it may not. */
export class WrongAnswer extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.text);
    this.problem = problem;
  }
}

/** Further ones would not help. */
const MAX_PROBLEMS = 20;

function inputMessages(problems: readonly Problem[]): readonly Message[] {
  return problems.slice(0, MAX_PROBLEMS).map(({ path, text }) => {
    const invalid = errorOf("input_invalid", "Invalid argument", { detail: `${path} ${text}. Nothing was sent.` });
    return { ...messageOf(invalid, (detail) => detail), path };
  });
}

const INTERRUPTED: Diagnostic = errorOf("interrupted", "Interrupted", {
  detail: "The signal was aborted. No further requests were sent.",
});

function chosenBy(
  configuration: ConfigurationInput,
  { variables = {}, team, state, lock, lockTimeoutMs }: Options,
): OperationOptions {
  return {
    config: typeof configuration === "string" ? configuration : OBJECT_NAME,
    var: Object.entries(variables).map(([name, value]) => `${name}=${String(value)}`),
    varFile: [],
    team: team === undefined ? [] : [team],
    ...(state === undefined ? {} : { state }),
    ...(lock === undefined ? {} : { lock }),
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  };
}

function openContext(
  { configuration, options, chosen, calls }: Checked<Options>,
  atEnd: OperationContext["atEnd"],
): Opened["context"] {
  const here = nodeSurroundings();
  const { environment = here.environment, clock = nodeClock } = options;
  const folder = posix.resolve(here.folder, options.folder ?? "");
  const files = filesInFolder(folder, options.files);
  return {
    version: VERSION,
    catalog,
    environment,
    files:
      typeof configuration === "string"
        ? files
        : withFile(files, `${folder}/${OBJECT_NAME}`, JSON.stringify(configuration, null, 2)),
    folder,
    clock,
    random: nodeRandom,
    process: nodeProcess,
    fingerprinter,
    pacers: pacersOf(clock),
    ...runSecrets(),
    configurations: noConfigurations(),
    personal: personalMask(() => Buffer.from(nodeRandom.bytes(SALT_BYTES)).toString("hex"), nodeKeyedDigest),
    asCalled: (text) => text,
    // An object has no name that a command takes.
    given: givenText(typeof configuration === "string" ? chosen : { ...chosen, config: DEFAULT_CONFIG }),
    notify: calls.report,
    stop: calls.stop,
    atEnd,
  };
}

function pacersOf(clock: Clock): Pacers {
  const pacers: Pacers = PACERS.get(clock) ?? new Map();
  PACERS.set(clock, pacers);
  return pacers;
}

/** A file system with one more file. */
function withFile(files: FileSystem, file: string, text: string): FileSystem {
  const bytes = new TextEncoder().encode(text);
  return {
    ...files,
    read: (path, options) => (path === file ? Promise.resolve(bytes) : files.read(path, options)),
    kind: (path) => (path === file ? Promise.resolve("file") : files.kind(path)),
    realPath: (path) => (path === file ? Promise.resolve(path) : files.realPath(path)),
  };
}

function messageOf(
  { severity, code, summary, detail, hint, address, place }: Diagnostic,
  redact: (text: string) => string,
): Message {
  const { file = "", line, column } = place ?? {};
  return {
    severity,
    code,
    summary: redact(summary),
    detail: redact(detail),
    ...(hint === undefined ? {} : { hint: redact(hint) }),
    ...(address === undefined ? {} : { address }),
    ...(place
      ? { place: { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) } }
      : {}),
  };
}
