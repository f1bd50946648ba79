import type { LoggedRequest } from "../../src/sandbox/request-log.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";

import { unmarked } from "../simulation/marks.ts";
import { NEIGHBOUR, type Scenario, SECRETS } from "./scenarios.ts";
import type { Project, Ran } from "./project.ts";

const MOST_REQUESTS = 20;
const WINDOW_MS = 2000;

/** What is wrong in the end, by the log and the list of the service. `undisturbed` is the log of a run without a kill. */
export function serviceViolations(
  scenario: Pick<Scenario, "live" | "unsubscribed" | "marks">,
  sandbox: Sandbox,
  undisturbed: readonly LoggedRequest[],
): readonly string[] {
  const live = sandbox.webhooks();
  const own = live
    .flatMap(({ _id, targetUrl, secret }) =>
      _id === NEIGHBOUR._id ? [] : [`${unmarked(targetUrl).url} ${String(secret)}`],
    )
    .toSorted();
  const unlike = live.filter(
    ({ _id, targetUrl }) => _id !== NEIGHBOUR._id && (unmarked(targetUrl).mark !== null) !== (scenario.marks === true),
  );
  const log = sandbox.requests();
  const [expected, found] = [effects(undisturbed), effects(log)];
  return [
    ...(live.some(({ _id }) => _id === NEIGHBOUR._id) ? [] : ["the webhook of somebody else is gone"]),
    ...(own.join("\n") === scenario.live.toSorted().join("\n") ? [] : [`live are ${own.join(", ")}`]),
    ...unlike.map(({ targetUrl }) => `${targetUrl} ${scenario.marks ? "carries no mark" : "carries a mark"}`),
    ...(expected.join("\n") === found.join("\n")
      ? []
      : [`it needs ${expected.join(", ")}; it did ${found.join(", ")}`]),
    ...(scenario.unsubscribed ?? []).flatMap((email) =>
      unsubscriptions(log).some((one) => one.endsWith(email)) ? [] : [`${email} is not unsubscribed`],
    ),
    ...unsubscriptions(log).flatMap((one) =>
      scenario.unsubscribed?.some((email) => one.endsWith(email)) ? [] : [`${one} was never planned`],
    ),
    ...tooFast(log),
  ];
}

/** The creates and deletes that took effect. Each must happen once, whatever was killed. */
function effects(log: readonly LoggedRequest[]): readonly string[] {
  return log
    .flatMap(({ method, path, body, processed, response }) => {
      if (method === "GET" || path.includes("/leads/") || !processed || /"error|not found/i.test(response ?? ""))
        return [];
      return [method === "POST" ? `create ${unmarked(targetUrlOf(body)).url}` : `delete ${path}`];
    })
    .toSorted();
}

/** What recovery asked in addition to a run that has nothing to recover, and what was written in addition to what is needed. */
export function extraRequests(logs: {
  readonly [of in "killed" | "recovering" | "undisturbed"]: readonly LoggedRequest[];
}): number {
  const reads = (log: readonly LoggedRequest[]): number => log.filter(({ method }) => method === "GET").length;
  const writes = (log: readonly LoggedRequest[]): number => log.length - reads(log);
  const { killed, recovering, undisturbed } = logs;
  return reads(recovering) - reads(undisturbed) + writes([...killed, ...recovering]) - writes(undisturbed);
}

export function unsubscriptions(log: readonly LoggedRequest[]): readonly string[] {
  return log.flatMap(({ method, path }) =>
    method === "DELETE" && path.includes("/leads/") ? [decodeURIComponent(path)] : [],
  );
}

function tooFast(log: readonly LoggedRequest[]): readonly string[] {
  const isTooFast = log.some(
    ({ at }, index) => at - (log[index - MOST_REQUESTS]?.at ?? Number.NEGATIVE_INFINITY) < WINDOW_MS,
  );
  return isTooFast ? [`more than ${String(MOST_REQUESTS)} requests within ${String(WINDOW_MS)} ms`] : [];
}

/** What is wrong with the files and the output after any run. Reads them with a parser of its own. */
export async function diskViolations(
  { place, files }: Project,
  { out, err }: Ran,
): Promise<{ readonly serial: number; readonly violations: readonly string[] }> {
  const { state, journal } = await place.read();
  const texts = [
    state ?? "",
    journal ?? "",
    out,
    err,
    ...Object.entries(files()).flatMap(([name, text]) => (name === "outreach.yaml" ? [] : [text])),
  ].join("\n");
  const serial = state === null ? 0 : serialIn(state);
  return {
    serial: serial ?? 0,
    violations: [
      ...(serial === null ? ["the state cannot be read"] : []),
      ...(journal === null || isJournal(journal) ? [] : ["the journal cannot be read"]),
      ...leaks(texts),
    ],
  };
}

export function leaks(text: string): readonly string[] {
  const leaked = SECRETS.flatMap((secret) => [secret, Buffer.from(secret).toString("base64")]).some((form) =>
    text.includes(form),
  );
  return leaked ? ["a secret is in a file or in the output"] : [];
}

function serialIn(state: string): number | null {
  const { serial, lineage, instances } = (parsed(state) ?? {}) as {
    readonly serial?: unknown;
    readonly lineage?: unknown;
    readonly instances?: unknown;
  };
  return typeof serial === "number" && typeof lineage === "string" && Array.isArray(instances) ? serial : null;
}

const CHECKSUM_LENGTH = 8;

/** Each line has a checksum and JSON. Only the last one may be torn. */
function isJournal(journal: string): boolean {
  const whole = journal.split("\n").slice(0, -1);
  return whole.every((line) => typeof parsed(line.slice(CHECKSUM_LENGTH + 1)) === "object");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a write that arrives breaks, by what is durable at that moment: its intent must be. */
export function intentViolation({ method, path, body }: LoggedRequest, durable: string): string | null {
  if (method === "GET") return null;
  const { url, mark } =
    method === "POST"
      ? unmarked(targetUrlOf(body))
      : { url: decodeURIComponent(path.split("/").at(-1) ?? ""), mark: null };
  const isDurable = [url, ...(mark === null ? [] : [mark])].every((text) => durable.includes(JSON.stringify(text)));
  return isDurable ? null : `${method} ${url} was sent without a durable intent`;
}

function targetUrlOf(body: unknown): string {
  return (body as { readonly targetUrl: string }).targetUrl;
}
