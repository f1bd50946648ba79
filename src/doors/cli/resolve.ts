import { openLiveList } from "../../core/apply/live-list.ts";
import { otherService } from "../../core/apply/plan-run.ts";
import { recover, unconfirmedOneWay } from "../../core/apply/recovery.ts";
import { type Adoption, type OpenAt, adopted, givenUp, openAt, takenAsNotDone } from "../../core/apply/settle.ts";
import { type WriteResult, createOne, openBaseline } from "../../core/apply/write.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { type RecordedInstance, managedIds } from "../../core/model/instance.ts";
import { openJournal } from "../../core/state/journal.ts";
import { openRequest } from "../../core/state/journal-event.ts";
import { type OpenState, foldInto, withDocument } from "../../core/state/open-state.ts";
import type { StateOptions } from "./options.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { meantAddresses } from "./records.ts";
import { type Session, withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface ResolveOptions extends StateOptions {
  readonly adopt?: string;
  readonly retry: boolean;
  readonly forget: boolean;
}

/**
 * Settles what recovery could not: outcomes that are undecided, one-way writes that are unconfirmed, and creates that were
 * given up and may turn up late. Sends nothing but the one-way writes that it is told to retry.
 */
export function resolveCommand(terminal: Terminal, addresses: readonly string[], options: ResolveOptions): Promise<ExitCode> {
  const { adopt, retry, forget } = options;
  if ([adopt !== undefined, retry, forget].filter(Boolean).length !== 1) throw new DiagnosticsError([howMissing()]);
  if (adopt !== undefined && addresses.length !== 1) throw new DiagnosticsError([oneAddress()]);
  return withSession(terminal, options, { operation: "resolve" }, async (opened): Promise<ExitCode> => {
    const elsewhere = otherService(opened.open, opened.ports);
    if (elsewhere.length > 0) throw new DiagnosticsError(elsewhere);
    const session = { ...opened, open: withDocument(opened.open, await lookedAt(terminal, opened)) };
    const { document } = session.open;
    const chosen = [...new Set(meantAddresses(terminal, session, addresses))].map((address) => openAt(document, address, terminal.catalog));
    const isOpen = ({ pending, unconfirmed, tombstones }: OpenAt): boolean => pending.length > 0 || unconfirmed !== null || (!retry && tombstones.length > 0);
    const unknown = chosen.filter((at) => !isOpen(at));
    if (unknown.length > 0) throw new DiagnosticsError([nothingOpen(unknown, retry)]);
    if (adopt !== undefined) return adoptAt(terminal, session, { at: chosen[0], id: adopt });
    return retry ? retryAt(terminal, session, chosen) : forgetAt(terminal, session, chosen);
  });
}

/** What a plan shows without having waited: the commands that it names are to be understood here. */
async function lookedAt(terminal: Terminal, { open, ports }: Session): Promise<OpenState["document"]> {
  const { catalog, clock } = terminal;
  if (!open.restored) return unconfirmedOneWay(open.document, catalog, clock.now());
  const live = (type: string) => openLiveList(resourceOf(catalog, type), ports.readClient, () => managedIds(open.document.instances));
  const { document, diagnostics } = await recover(open, { ...ports, live });
  printDiagnostics(terminal, diagnostics);
  return document;
}

async function store({ store: into, open }: Session, document: OpenState["document"], signal: AbortSignal): Promise<OpenState> {
  return foldInto(into, { ...open, document }, [], signal);
}

async function forgetAt(terminal: Terminal, session: Session, chosen: readonly OpenAt[]): Promise<ExitCode> {
  await store(session, chosen.reduce(givenUp, session.open.document), terminal.stop);
  for (const { address, unconfirmed } of chosen) {
    terminal.out(unconfirmed ? `${address}: it stays unconfirmed, and is not asked about again.\n` : `${address}: what was open there is given up.\n`);
  }
  return 0;
}

async function retryAt(terminal: Terminal, session: Session, chosen: readonly OpenAt[]): Promise<ExitCode> {
  const document = chosen.reduce((before, at) => takenAsNotDone(before, at, terminal.catalog), session.open.document);
  const open = await store(session, document, terminal.stop);
  for (const { address, pending } of chosen) {
    for (const one of pending)
      terminal.out(`${address}: the ${openRequest(one).words} is settled as not carried out. outreach plan shows what is to be done now.\n`);
  }
  const again = chosen.flatMap(({ unconfirmed }) => (unconfirmed ? [unconfirmed] : []));
  return again.length === 0 ? 0 : sendAgain(terminal, { ...session, open }, again);
}

/** Being named one by one is the approval. */
async function sendAgain(terminal: Terminal, session: Session, instances: readonly RecordedInstance[]): Promise<ExitCode> {
  const { store: into, open, ports } = session;
  if (!into.journal) throw new Error("a store without a journal beside it cannot be written yet");
  const { lineage, serial, journalSeq } = open.document;
  const journal = openJournal(into.journal, { journal: 1, lineage, baseSerial: serial, baseSeq: journalSeq });
  const { access, clock, readClient } = ports;
  const results: WriteResult[] = [];
  try {
    for (const instance of instances) {
      if (terminal.stop.aborted) break;
      const definition = resourceOf(terminal.catalog, instance.type);
      const live = openLiveList(definition, readClient, () => new Set());
      const context = { access, live, journal, baseline: openBaseline(live, journal), clock, isManaged: () => false, signal: terminal.stop };
      const computed = Object.entries(definition.schema).flatMap(([name, { mode }]) => (mode === "computed" ? [[name, null] as const] : []));
      const attributes = { ...instance.attributes, ...Object.fromEntries(computed) };
      const result = await createOne(definition, { ...instance, attributes, secrets: {}, allowTwin: false, attempted: true }, context);
      results.push(result);
      printDiagnostics(terminal, result.kind === "done" ? result.warnings : [{ ...result.diagnostic, address: instance.address }]);
      if (result.kind === "done") terminal.out(`${instance.address}: sent again. It is done.\n`);
    }
  } finally {
    if (journal.recorded().length > 0) await foldInto(into, open, journal.recorded(), new AbortController().signal);
  }
  if (results.some(({ kind }) => kind === "unconfirmed" || kind === "undecided")) return 3;
  return results.length === instances.length && results.every(({ kind }) => kind === "done") ? 0 : 1;
}

async function adoptAt(terminal: Terminal, session: Session, { at, id }: { readonly at: OpenAt | undefined; readonly id: string }): Promise<ExitCode> {
  const type = at?.pending[0]?.intent.type ?? at?.tombstones[0]?.type;
  if (!at || type === undefined) throw new DiagnosticsError([notAdopted("nothing-to-adopt", { address: at?.address ?? "", id })]);
  const definition = resourceOf(terminal.catalog, type);
  const invalid = definition.checkId?.(id);
  if (invalid) throw new DiagnosticsError([invalid]);
  if (!definition.list) throw new DiagnosticsError([notAdopted("nothing-to-adopt", { address: at.address, id })]);
  const { objects } = await openLiveList(definition, session.ports.readClient, () => new Set([id])).get(terminal.stop);
  const adoption = adopted(session.open.document, at, { catalog: terminal.catalog, id, objects, nowMs: terminal.clock.now() });
  if (!("document" in adoption)) throw new DiagnosticsError([notAdopted(adoption.kind, { address: at.address, id })]);
  await store(session, adoption.document, terminal.stop);
  terminal.out(
    adoption.kind === "current"
      ? `${at.address}: ${id} is recorded. outreach plan shows what is to be done now.\n`
      : `${at.address}: ${id} is deposed. The next apply deletes it.\n`,
  );
  return 0;
}

function howMissing(): Diagnostic {
  return {
    code: "resolve_how",
    severity: "error",
    summary: "Say how to settle it",
    detail: "resolve needs exactly one of --adopt ID, --retry and --forget. Nothing was done.",
    hint: "--adopt ID takes over what is live, --retry has it done again, --forget gives it up.",
  };
}

function oneAddress(): Diagnostic {
  return {
    code: "resolve_one_address",
    severity: "error",
    summary: "One address for one id",
    detail: "--adopt ID records one object, but several addresses are given. Nothing was done.",
    hint: "Run resolve once for each address.",
  };
}

function nothingOpen(unknown: readonly OpenAt[], retry: boolean): Diagnostic {
  const givenUpBefore = retry && unknown.every(({ tombstones }) => tombstones.length > 0);
  return {
    code: "nothing_pending",
    severity: "error",
    summary: "Nothing to resolve",
    detail: `No outcome is undecided at ${unknown.map(({ address }) => address).join(", ")}.`,
    hint: givenUpBefore
      ? "It was given up before. Take over what has turned up with --adopt ID, or hear no more of it with --forget."
      : "outreach plan names the addresses that are.",
  };
}

function notAdopted(kind: Exclude<Adoption, { document: unknown }>["kind"], { address, id }: { readonly address: string; readonly id: string }): Diagnostic {
  const details = {
    "nothing-to-adopt": `No create is open at ${address}, so there is nothing that ${id} could have come from.`,
    "not-live": `The service's list does not show ${id}.`,
    managed: `${id} is managed already.`,
    unlike: `${id} is not what was to be created at ${address}.`,
  };
  return {
    code: "resolve_not_adopted",
    severity: "error",
    summary: "It cannot be taken over",
    detail: `${details[kind]} Nothing was changed.`,
    hint: "outreach plan names the ids that it could be; otherwise use --retry or --forget.",
    address,
  };
}
