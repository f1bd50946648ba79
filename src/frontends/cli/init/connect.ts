import { type Diagnostic, DiagnosticsError, errorOf } from "../../../core/model/diagnostic.ts";
import { assertBaseUrl } from "../../../operations/configuration/base-url.ts";
import { API_KEY_VARIABLE, BASE_URL_VARIABLE } from "../../../operations/configuration/environment-names.ts";
import { failureOf } from "../../../operations/known-failure.ts";
import { type KnownError, ServiceError } from "../../../service/api/service-errors.ts";
import type { CommandContext, Input, Question } from "../command-context.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";

/** Where and with which key to reach the service. */
export interface Connection {
  readonly baseUrl: string;
  /** The surroundings with both: the key stays in memory. */
  readonly context: CommandContext;
  readonly isKeyTyped: boolean;
}

/** Asks, or is null where nothing may be asked. */
type Ask = Input["ask"];

/**
 * Reads the service with the given base URL and key, and asks for those that are not given: again, until `read` works. Null after Ctrl-C or
 * Ctrl-D. Throws for what no other answer can fix.
 */
export async function connect<T>(
  context: CommandContext,
  { baseUrl, ask }: { readonly baseUrl: string | undefined; readonly ask: Ask },
  read: (context: CommandContext) => Promise<T>,
): Promise<(Connection & { readonly found: T }) | null> {
  const { environment } = context;
  const given = {
    baseUrl: baseUrl ?? filled(environment[BASE_URL_VARIABLE]),
    apiKey: filled(environment[API_KEY_VARIABLE]),
  };
  const typed: { baseUrl?: string; apiKey?: string | undefined } = {};
  let refused: Fault | null = null;
  for (;;) {
    if (ask && given.baseUrl === undefined) {
      const answer = await askBaseUrl(context, ask, typed.baseUrl);
      if (answer === null) return null;
      typed.baseUrl = answer;
    }
    if (ask && given.apiKey === undefined && (typed.apiKey === undefined || refused === "api_key")) {
      const answer = await askKey(context, ask);
      if (answer === null) return null;
      typed.apiKey = answer;
    }
    const url = given.baseUrl ?? typed.baseUrl ?? "";
    const connected = {
      ...context,
      environment: { ...environment, [BASE_URL_VARIABLE]: url, [API_KEY_VARIABLE]: given.apiKey ?? typed.apiKey },
      // A secret is read once for each redactor, and the next attempt may have another key.
      redactor: { ...context.redactor },
    };
    try {
      if (ask) context.out("Checking the service, read-only.\n");
      return { baseUrl: url, context: connected, isKeyTyped: typed.apiKey !== undefined, found: await read(connected) };
    } catch (error) {
      const { diagnostics, fault } = problemOf(error, url);
      const isTyped = fault === "api_key" ? typed.apiKey !== undefined : typed.baseUrl !== undefined;
      if (context.stop.aborted || fault === null || !isTyped)
        throw diagnostics ? new DiagnosticsError(diagnostics, { cause: error }) : error;
      printDiagnostics(context, diagnostics);
      refused = fault;
    }
  }
}

function filled(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

async function askBaseUrl(
  context: CommandContext,
  ask: NonNullable<Ask>,
  before: string | undefined,
): Promise<string | null> {
  const question = {
    text: "",
    prompt:
      before === undefined ? "Base URL of the service, as in https://api.example.com/api: " : `Base URL [${before}]: `,
  };
  return askUntil(context, ask, question, (answer) => {
    const baseUrl = answer === "" ? before : answer;
    if (baseUrl === undefined)
      throw noAnswer(
        "No base URL",
        "Enter the URL of the service. For a local copy of the service, run outreach sandbox in another terminal.",
      );
    assertBaseUrl(baseUrl);
    return baseUrl;
  });
}

async function askKey(context: CommandContext, ask: NonNullable<Ask>): Promise<string | null> {
  const question = { text: "", prompt: "API key (not shown): ", isHidden: true };
  return askUntil(context, ask, question, (answer) => {
    if (answer === "") throw noAnswer("No API key", "Paste a key from the integration settings of the application.");
    context.redactor.add(answer);
    return answer;
  });
}

/** Asks until `accept` throws no mistake. Null after Ctrl-C or Ctrl-D. */
export async function askUntil<T>(
  context: CommandContext,
  ask: NonNullable<Ask>,
  question: Question,
  accept: (answer: string) => T,
): Promise<T | null> {
  for (;;) {
    const answer = await ask(question);
    if (answer === null) return null;
    try {
      return accept(answer);
    } catch (error) {
      if (!(error instanceof DiagnosticsError)) throw error;
      printDiagnostics(context, error.diagnostics);
    }
  }
}

function noAnswer(summary: string, hint: string): DiagnosticsError {
  return DiagnosticsError.of("init_no_answer", summary, { detail: "The answer is empty.", hint });
}

/** The answer that a problem is about. */
type Fault = "base_url" | "api_key";

type Problem =
  | { readonly diagnostics: readonly Diagnostic[]; readonly fault: Fault }
  | { readonly diagnostics: readonly Diagnostic[] | null; readonly fault: null };

const FAULTS: { readonly [code: string]: Fault } = { base_url_invalid: "base_url", api_key_invalid: "api_key" };

/** Null diagnostics for an interrupt and for bugs of outreach. */
function problemOf(error: unknown, baseUrl: string): Problem {
  const diagnostics = failureOf(error)?.diagnostics ?? null;
  if (diagnostics === null) return { diagnostics, fault: null };
  if (error instanceof ServiceError) return serviceProblem(error, { baseUrl, diagnostics });
  return { diagnostics, fault: FAULTS[diagnostics[0]?.code ?? ""] ?? null };
}

/** The documented answers to a request without a valid key. */
const KEY_ERRORS: ReadonlySet<KnownError> = new Set([
  "no_key",
  "wrong_key",
  "key_blocked",
  "key_without_user",
  "unauthorized",
]);

function serviceProblem(
  error: ServiceError,
  { baseUrl, diagnostics }: { readonly baseUrl: string; readonly diagnostics: readonly Diagnostic[] },
): Problem {
  const { known, problem, status, message } = error;
  if (problem !== null) {
    const subject = problem.kind === "proxy" ? "" : `${baseUrl} `;
    const hint =
      problem.hint ??
      (problem.kind === "refused"
        ? "Check the base URL. For the local service: is outreach sandbox running?"
        : "Check the base URL and the network.");
    return {
      fault: "base_url",
      diagnostics: [
        errorOf("init_unreachable", "Cannot reach the service", { detail: `${subject}${problem.text}.`, hint }),
      ],
    };
  }
  const detail = message.replace(" /", ` ${baseUrl.replace(/\/+$/, "")}/`).replace(/(?<![.?!])$/, ".");
  if ((known !== null && KEY_ERRORS.has(known)) || status === 401 || status === 403) {
    const hint =
      "Enter a key from the integration settings of the application, and the base URL of the service of this key.";
    return {
      fault: "api_key",
      diagnostics: [errorOf("init_key_refused", "The service refused the API key", { detail, hint })],
    };
  }
  if (status !== null && status < 500 && status !== 408 && status !== 425 && status !== 429) {
    const hint = "Check the base URL, and that it has its path, as in https://api.example.com/api.";
    return {
      fault: "base_url",
      diagnostics: [errorOf("init_other_service", "Not the outreach automation service", { detail, hint })],
    };
  }
  return { fault: "base_url", diagnostics };
}
