import { openLiveList } from "../../../core/apply/live/live-list.ts";
import { recover, unconfirmedIrreversible } from "../../../core/apply/recovery/recovery.ts";
import {
  type Adoption,
  type OpenAt,
  adopted,
  givenUp,
  openAt,
  takenAsNotDone,
} from "../../../core/apply/recovery/resolve-by-hand.ts";
import { otherService } from "../../../core/apply/run/plan-run.ts";
import { assertOneRecord } from "../../../core/state/one-record.ts";
import { storeResults } from "../../../core/apply/run/store-results.ts";
import { createOne } from "../../../core/apply/write/write.ts";
import { type WriteResult, openBaseline, openLostCreates } from "../../../core/apply/write/write-context.ts";
import { resourceOf } from "../../../core/model/definition.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { parseAddress } from "../../../core/model/address.ts";
import type { WayOut } from "../../../core/model/way-out.ts";
import { type RecordedInstance, managedIds } from "../../../core/model/instance.ts";
import { openRequest } from "../../../core/state/journal-event.ts";
import { type OpenState, foldInto, withDocument } from "../../../core/state/open-state.ts";
import { openRunJournal } from "../../../core/state/run-journal.ts";
import type { OperationContext } from "../../../operations/context.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";

import { exitCodeOf } from "../exit-code.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type CommandOptions, withState } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { meantAddresses } from "../../../operations/state/records.ts";
import { type OpenRun, withOpenRun } from "../../../operations/open-run.ts";

interface ResolveOptions extends CommandOptions {
  readonly adopt?: string;
  readonly retry: boolean;
  readonly forget: boolean;
}

/**
 * Resolves what recovery could not: undecided outcomes, unconfirmed irreversible writes, and lost creates whose objects may
 * appear late. Sends nothing except the irreversible writes that the user retries.
 */
export const definition: CommandDefinition<ResolveOptions, readonly [addresses: readonly string[]]> = {
  description: "resolves undecided outcomes (exit code 3)",
  example: { lines: ["outreach resolve outreach_webhook.crm-replies --retry"] },
  declare: (command) =>
    withState(command)
      .argument("<addresses...>", "the addresses that plan reports")
      .option("--adopt <id>", "record this object as the outcome of the undecided create")
      .option(
        "--retry",
        "treat the writes as not carried out: the next apply sends them again if they are still wanted; unconfirmed unsubscriptions are sent at once",
        false,
      )
      .option("--forget", "stop looking for the outcomes; unconfirmed unsubscriptions stay unconfirmed", false),
  run: (context, { options, operands: [addresses] }) => {
    const { adopt, retry, forget } = options;
    if ([adopt !== undefined, retry, forget].filter(Boolean).length !== 1)
      throw DiagnosticsError.of("resolve_how", "Specify how to resolve the outcome", {
        detail: "resolve needs exactly one of --adopt ID, --retry and --forget. Nothing was changed.",
        ways: addresses.slice(0, 1).flatMap((address) => waysOf(address, typeOf(address), { adopts: true })),
      });
    if (adopt !== undefined && addresses.length !== 1) throw oneAddress();
    return withOpenRun(
      context,
      { ...options, operation: "resolve", needs: "blocks" },
      async (opened): Promise<ExitCode> => {
        const elsewhere = otherService(opened.open, opened.ports);
        if (elsewhere.length > 0) throw new DiagnosticsError(elsewhere);
        const session = { ...opened, open: withDocument(opened.open, await lookedAt(context, opened)) };
        const { document } = session.open;
        const chosen = [...new Set(meantAddresses(context, session, addresses))].map((address) =>
          openAt(document, address, context.catalog),
        );
        const isOpen = ({ pending, unconfirmed, lostCreates }: OpenAt): boolean =>
          pending.length > 0 || unconfirmed !== null || (!retry && lostCreates.length > 0);
        const unknown = chosen.filter((at) => !isOpen(at));
        if (unknown.length > 0) throw nothingOpen(unknown, retry);
        if (adopt !== undefined) return adoptAt(context, session, { at: chosen[0], id: adopt });
        return retry ? retryAt(context, session, chosen) : forgetAt(context, session, chosen);
      },
    );
  },
};

/** The view that a plan has without waiting, so that the addresses and ids that a plan reports are accepted here. */
async function lookedAt(context: CommandContext, { open, ports }: OpenRun): Promise<OpenState["document"]> {
  const { catalog, clock } = context;
  if (!open.restored) return unconfirmedIrreversible(open.document, catalog, clock.now());
  const live = (type: string) =>
    openLiveList(resourceOf(catalog, type), ports.readClient, () => managedIds(open.document.instances));
  const { document, diagnostics } = await recover(open, { ...ports, live });
  printDiagnostics(context, diagnostics);
  return document;
}

async function store(
  { store: into, open, ports }: OpenRun,
  document: OpenState["document"],
  signal: AbortSignal,
): Promise<OpenState> {
  assertOneRecord(ports.catalog, document.instances);
  return foldInto(into, { ...open, document }, signal);
}

async function forgetAt(context: CommandContext, session: OpenRun, chosen: readonly OpenAt[]): Promise<ExitCode> {
  await store(session, chosen.reduce(givenUp, session.open.document), context.stop);
  for (const { address, unconfirmed } of chosen) {
    context.out(
      unconfirmed
        ? `${address}: stays unconfirmed. Plans no longer report it.\n`
        : `${address}: its undecided outcome is forgotten.\n`,
    );
  }
  return 0;
}

async function retryAt(context: CommandContext, session: OpenRun, chosen: readonly OpenAt[]): Promise<ExitCode> {
  const document = chosen.reduce((before, at) => takenAsNotDone(before, at, context.catalog), session.open.document);
  const open = await store(session, document, context.stop);
  for (const { address, pending } of chosen) {
    for (const one of pending)
      context.out(`${address}: the ${openRequest(one).words} is recorded as not carried out. ${nextSteps(context)}\n`);
  }
  const again = chosen.flatMap(({ unconfirmed }) => (unconfirmed ? [unconfirmed] : []));
  return again.length === 0 ? 0 : sendAgain(context, { ...session, open }, again);
}

/** Naming each address is the approval. */
async function sendAgain(
  context: CommandContext,
  session: OpenRun,
  instances: readonly RecordedInstance[],
): Promise<ExitCode> {
  const { store: into, open, ports } = session;
  const { access, clock, listingDelayMs, readClient } = ports;
  const journal = openRunJournal(into, open, ports);
  const lost = openLostCreates(open.document);
  const results: WriteResult[] = [];
  try {
    for (const instance of instances) {
      if (ports.signal.aborted) break;
      const resource = resourceOf(context.catalog, instance.type);
      const live = openLiveList(resource, readClient, () => new Set());
      const writing = {
        access,
        live,
        journal,
        baseline: openBaseline(resource, live, journal),
        lost,
        listingDelayMs,
        clock,
        isManaged: () => false,
        signal: ports.signal,
      };
      const computed = Object.entries(resource.schema).flatMap(([name, { mode }]) =>
        mode === "computed" ? [[name, null] as const] : [],
      );
      const attributes = { ...instance.attributes, ...Object.fromEntries(computed) };
      const result = await createOne(
        resource,
        { ...instance, attributes, secrets: {}, allowDuplicate: false, attempted: true },
        writing,
      );
      results.push(result);
      printDiagnostics(
        context,
        result.kind === "done" ? result.warnings : [{ ...result.diagnostic, address: instance.address }],
      );
      if (result.kind === "done") context.out(`${instance.address}: sent again, successfully.\n`);
    }
  } finally {
    const ended = await journal.end();
    if (ended.hasFacts) await storeResults(into, ended.open, { ports, said: [] });
  }
  if (results.some(({ kind }) => kind === "unconfirmed" || kind === "undecided")) return exitCodeOf("undecided");
  return results.length === instances.length && results.every(({ kind }) => kind === "done") ? 0 : 1;
}

async function adoptAt(
  context: CommandContext,
  session: OpenRun,
  { at, id }: { readonly at: OpenAt | undefined; readonly id: string },
): Promise<ExitCode> {
  const type = at?.pending[0]?.intent.type ?? at?.lostCreates[0]?.type;
  if (!at || type === undefined) throw notAdopted("nothing-to-adopt", { address: at?.address ?? "", id });
  const resource = resourceOf(context.catalog, type);
  const invalid = resource.checkId?.(id);
  if (invalid) throw new DiagnosticsError([invalid]);
  if (!resource.list) throw notAdopted("nothing-to-adopt", { address: at.address, id });
  const { objects } = await openLiveList(resource, session.ports.readClient, () => new Set([id])).get(context.stop);
  const adoption = adopted(session.open.document, at, {
    catalog: context.catalog,
    id,
    objects,
    nowMs: context.clock.now(),
  });
  if (!("document" in adoption)) throw notAdopted(adoption.kind, { address: at.address, id });
  await store(session, adoption.document, context.stop);
  context.out(
    adoption.kind === "current"
      ? `${at.address}: ${id} is recorded. ${nextSteps(context)}\n`
      : `${at.address}: ${id} is deposed. The next apply deletes it.\n`,
  );
  return 0;
}

function nextSteps({ asCalled, given }: OperationContext): string {
  return asCalled(`Review the next steps: ${`outreach plan ${given}`.trimEnd()}`);
}

/** Every way to resolve an outcome; `adopts` where an object may be recorded. */
function waysOf(address: string, type: string, { adopts }: { readonly adopts: boolean }): readonly WayOut[] {
  return [
    ...(adopts ? [{ kind: "adopt", address, id: "ID" } as const] : []),
    { kind: "retry", address, type },
    { kind: "forget", address },
  ];
}

function typeOf(address: string): string {
  return parseAddress(address).value?.type ?? "";
}

function oneAddress(): DiagnosticsError {
  return DiagnosticsError.of("resolve_one_address", "--adopt takes one address", {
    detail: "--adopt ID records one object, but several addresses are given. Nothing was changed.",
    hint: "Run resolve once for each address.",
  });
}

function nothingOpen(unknown: readonly OpenAt[], retry: boolean): DiagnosticsError {
  const givenUpBefore = retry && unknown.every(({ lostCreates }) => lostCreates.length > 0);
  return DiagnosticsError.of("nothing_pending", "Nothing to resolve", {
    detail: `${unknown.map(({ address }) => address).join(", ")} has no undecided outcome.`,
    ...(givenUpBefore
      ? {
          hint: "It was resolved before.",
          ways: unknown.flatMap(({ address }) => [
            { kind: "delete-late", address, id: "ID" } as const,
            { kind: "dismiss", address } as const,
          ]),
        }
      : { hint: "A plan lists the undecided addresses.", ways: [{ kind: "plan" }] }),
  });
}

function notAdopted(
  kind: Exclude<Adoption, { document: unknown }>["kind"],
  { address, id }: { readonly address: string; readonly id: string },
): DiagnosticsError {
  const details = {
    "nothing-to-adopt": `${address} has no undecided create, so ${id} cannot come from it.`,
    "not-live": `The service's list does not show ${id}.`,
    managed: `${id} is already managed.`,
    unlike: `${id} differs from the webhook that was to be created at ${address}.`,
  };
  return DiagnosticsError.of("resolve_not_adopted", "Object cannot be adopted", {
    detail: `${details[kind]} Nothing was changed.`,
    hint: "A plan lists the possible ids.",
    ways: [{ kind: "plan" }, ...waysOf(address, typeOf(address), { adopts: false })],
    address,
  });
}
