import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import { erasedAttributes, personOf } from "../../core/plan/irreversible-records.ts";
import { type PersonText, personText } from "../../core/secrets/person-text.ts";
import type { StateDocument } from "../../core/state/document.ts";
import { type ErasedDocument, erasePeople, erasureMark, shortMark } from "../../core/state/erase-people.ts";
import {
  type OpenState,
  foldInto,
  pendingDiagnostics,
  stateRestored,
  writeState,
} from "../../core/state/open-state.ts";
import type { StateCopy, StateStore } from "../../core/state/state-store.ts";
import { teamState } from "../../frontends/yaml/sections.ts";
import { placeName } from "../configuration/configuration-name.ts";
import type { Interrupt, WorkingFolder } from "../context.ts";
import type { StateLockOptions } from "../options.ts";
import { type Records, type RecordsContext, changeRecords } from "../state/records.ts";
import type { ErasedPlace, ErasureCertificate, NotReached } from "./certificate.ts";
import { declaredPlaces } from "./declared-places.ts";
import { type FoundFiles, filesWith, relativeTo } from "./erasure-files.ts";
import { type Person, peopleOf } from "./people.ts";

export interface EraseOptions extends StateLockOptions {
  /** Saved plans outside of the working folder. */
  readonly plan: readonly string[];
}

const KEY_BYTES = 32;

/** What an erasure would do, for the question to the user. */
export interface ErasureScope {
  readonly state: string;
  readonly done: number;
  readonly waiting: number;
  /** Whether there is anything to erase. */
  readonly isAny: boolean;
}

/**
 * Replaces people by keyed hashes in everything that outreach keeps of this state, and says what it cannot reach. Null if `approve`
 * refuses. The state comes first and is whole after each write, so that a run that was killed is completed by the next one.
 */
export async function erase(
  context: RecordsContext,
  options: EraseOptions,
  {
    typed,
    approve,
  }: { readonly typed: readonly string[]; readonly approve: (scope: ErasureScope) => Promise<boolean> },
): Promise<ErasureCertificate | null> {
  const people = peopleOf(typed);
  return changeRecords(context, options, "erase", async (records) => {
    const erasing = openErasing(context, records, people);
    assertNothingOpen(records, erasing);
    const found = await find(context, options, { ...records, erasing });
    if (found.isAny && !(await approve(found))) return null;
    const { erased, kept } = await carryOut(context, records, { ...erasing, found });
    return certificate(context, options, { records, erasing, erased, notReached: [...found.others, ...kept] });
  });
}

interface ErasingPeople {
  readonly people: readonly Person[];
  readonly text: PersonText;
  readonly result: ErasedDocument;
  /** The mark of each person. */
  readonly marks: ReadonlyMap<string, string>;
  readonly personIn: (type: string, attributes: StateDocument["instances"][number]["attributes"]) => string | null;
}

function openErasing({ catalog, random }: RecordsContext, { open }: Records, people: readonly Person[]): ErasingPeople {
  const { document } = open;
  const erasureKey = document.erasureKey ?? Buffer.from(random.bytes(KEY_BYTES)).toString("hex");
  const marks = new Map(people.map(({ email }) => [email, erasureMark(erasureKey, email)]));
  const personIn: ErasingPeople["personIn"] = (type, attributes) => {
    const definition = catalog.resources.find((one) => one.type === type);
    return definition ? personOf(definition, attributes) : null;
  };
  const text = personText(
    new Map(people.flatMap(({ email, forms }) => forms.map((form) => [form, marks.get(email) ?? ""] as const))),
  );
  const result = erasePeople(document, erasureKey, {
    marks,
    personOf: ({ type, attributes }) => personIn(type, attributes),
    done: (instance, mark) => erasedAttributes(resourceOf(catalog, instance.type), instance, mark),
    replace: text.replace,
  });
  return { people, text, result, marks, personIn };
}

/** A write that may still be carried out has its person in its journal, and its outcome is needed. */
function assertNothingOpen({ store, open }: Records, { marks, text, personIn }: ErasingPeople): void {
  const { restored, pending, document } = open;
  if (restored)
    throw new DiagnosticsError([stateRestored(store, { document, journal: restored })], { undecided: true });
  const isMeant = (attributes: Parameters<ErasingPeople["personIn"]>[1], type: string): boolean =>
    marks.has(personIn(type, attributes) ?? "");
  const theirs = pending.filter(
    ({ intent: { type, key, planned, address } }) =>
      isMeant(key, type) || (planned && isMeant(planned, type)) || (address !== null && text.has(address)),
  );
  if (theirs.length > 0)
    throw new DiagnosticsError(pendingDiagnostics(theirs, "Nothing was erased."), { undecided: true });
}

interface Found extends ErasureScope, FoundFiles {
  readonly copies: readonly StateCopy[];
  readonly isInBackup: boolean;
}

/** Looks for the people in everything that can be read, and changes nothing. */
async function find(
  context: RecordsContext,
  options: EraseOptions,
  { store, open, erasing }: Records & { readonly erasing: ErasingPeople },
): Promise<Found> {
  const { text, result, people } = erasing;
  const isInBackup = await inBackup(context, store, text);
  const { copies, unread } = await copiesWith(context, store, text);
  const team = options.team.length === 1 ? options.team[0] : undefined;
  const teams = context.configuration?.value.teams ?? [];
  const foreign = teams.flatMap(({ name }) => (name === team ? [] : [teamState(name)]));
  const isForeign = (name: string): boolean => foreign.some((one) => name === one || name.startsWith(`${one}.`));
  const files = await filesWith(context, {
    text,
    store,
    lineage: open.document.lineage,
    named: options.plan,
    isForeign,
  });
  const lists = await declaredPlaces(context, options, new Set(people.map(({ email }) => email)));
  const counts = [...result.people.values()];
  const sum = (name: "done" | "waiting"): number => counts.reduce((total, one) => total + one[name], 0);
  const isOfList = ({ file, line }: NotReached): boolean =>
    lists.some((one) => one.file === file && (one.line === line || line === undefined));
  return {
    state: placeName(context, store),
    done: sum("done"),
    waiting: sum("waiting"),
    isAny: result.isChanged || open.journal !== null || isInBackup || copies.length + files.plans.length > 0,
    copies,
    isInBackup,
    plans: files.plans,
    others: [
      ...lists,
      ...files.others.filter((one) => !isOfList(one)),
      ...objectsWith(open.document, erasing),
      ...unread,
    ],
  };
}

async function inBackup({ stop }: Interrupt, { backup }: StateStore, text: PersonText): Promise<boolean> {
  const bytes = backup && (await backup.read(stop));
  return bytes !== null && text.has(textOf(bytes));
}

async function copiesWith(
  { stop }: Interrupt,
  { history }: StateStore,
  text: PersonText,
): Promise<{ readonly copies: readonly StateCopy[]; readonly unread: readonly NotReached[] }> {
  const copies: StateCopy[] = [];
  const unread: NotReached[] = [];
  const listed = await known(history?.list(stop) ?? Promise.resolve([]));
  if ("why" in listed)
    return { copies, unread: [{ kind: "copy", detail: `Earlier versions of the state: ${listed.why}` }] };
  for (const copy of listed.value) {
    const read = await known(copy.read(stop));
    if ("why" in read) unread.push({ kind: "copy", detail: `${copy.name}: ${read.why}` });
    else if (read.value !== null && text.has(textOf(read.value))) copies.push(copy);
  }
  return { copies, unread };
}

/** The value, or why a store refuses it. */
async function known<T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly why: string }> {
  try {
    return { value: await work };
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return { why: error.diagnostics.map(({ detail }) => detail).join(" ") };
  }
}

/** Records of what the service shows to others: a hash there would change the objects. */
function objectsWith(
  { instances, lostCreates, lists = [], pending }: StateDocument,
  { text, marks, personIn }: ErasingPeople,
): readonly NotReached[] {
  const objects = instances.filter(({ type, attributes }) => !marks.has(personIn(type, attributes) ?? ""));
  const detail = "its record describes an object of the service, which has the address as well.";
  return [
    ...[...objects, ...lostCreates].flatMap((one): readonly NotReached[] =>
      text.has(JSON.stringify(one))
        ? [{ kind: "object", detail: `${text.replace(one.address ?? one.type)}: ${detail}` }]
        : [],
    ),
    ...(text.has(JSON.stringify([lists, pending]))
      ? [{ kind: "object" as const, detail: "An undecided write of something else has the address." }]
      : []),
  ];
}

async function carryOut(
  { files, folder, stop }: Interrupt & WorkingFolder,
  { store, open }: Records,
  { result, text, found }: ErasingPeople & { readonly found: Found },
): Promise<{ readonly erased: readonly ErasedPlace[]; readonly kept: readonly NotReached[] }> {
  const erased: ErasedPlace[] = [];
  const kept: NotReached[] = [];
  const { journal, backup } = store;
  let current: OpenState = open;
  if (result.isChanged || open.journal) {
    current = await foldInto(store, { ...open, document: result.document }, [], stop);
    const records = found.done + found.waiting;
    if (records > 0) erased.push({ kind: "state", name: store.name, count: records });
    if (result.outputs > 0) erased.push({ kind: "outputs", name: store.name, count: result.outputs });
    if (journal && open.journal && text.has(JSON.stringify(open.journal.events)))
      erased.push({ kind: "journal", name: journal.name, count: 1 });
  }
  // A write keeps what was there before as the backup: the next one replaces that, too.
  if (backup && (found.isInBackup || current !== open)) {
    const bytes = await backup.read(stop);
    if (bytes && text.has(textOf(bytes))) {
      current = await writeState(store, current, stop);
      erased.push({ kind: "backup", name: backup.name, count: 1 });
    }
  }
  const copies = await copiesWith({ stop }, store, text);
  for (const copy of copies.copies) {
    const removed = await known(copy.remove(stop));
    if ("why" in removed) kept.push({ kind: "copy", detail: `${copy.name}: ${removed.why}` });
    else erased.push({ kind: "version", name: copy.name, count: 1 });
  }
  for (const plan of found.plans) {
    await files.remove(plan);
    erased.push({ kind: "plan", name: relativeTo(folder, plan), count: 1 });
  }
  return { erased, kept };
}

/** What no program can reach, or know of. */
const ELSEWHERE =
  "The history of lists in git, other copies and backups of the state, artifacts and logs of CI jobs, plans and configurations in the database of a controller, saved events, and Terraform states.";

function certificate(
  context: RecordsContext,
  { team }: EraseOptions,
  { records: { store, open }, erasing, erased, notReached }: Outcome,
): ErasureCertificate {
  const { people, marks, result, text } = erasing;
  const hasKey = open.document.erasureKey !== undefined || result.document.erasureKey !== undefined;
  const beyond = store.history
    ? store.history.beyond
    : store.isOnThisMachine
      ? null
      : "earlier versions of the state that the server keeps, and its backups";
  return {
    format: 1,
    erasedAt: isoTime(context.clock.now()),
    state: text.replace(placeName(context, store)),
    ...(team.length === 1 ? { team: team[0] } : {}),
    people: people.map(({ email, argument }) => {
      const mark = marks.get(email) ?? "";
      const counts = result.people.get(mark) ?? { done: 0, waiting: 0, before: 0 };
      return { argument, hash: hasKey ? shortMark(mark) : null, ...counts };
    }),
    erased: erased.map((one) => ({ ...one, name: text.replace(one.name) })),
    notReached: [
      ...notReached.map((one) => (one.file === undefined ? one : { ...one, file: text.replace(one.file) })),
      ...(beyond === null
        ? []
        : [{ kind: "store", detail: `${beyond.slice(0, 1).toUpperCase()}${beyond.slice(1)}.` } as const]),
      { kind: "elsewhere", detail: ELSEWHERE },
    ],
  };
}

interface Outcome {
  readonly records: Records;
  readonly erasing: ErasingPeople;
  readonly erased: readonly ErasedPlace[];
  readonly notReached: readonly NotReached[];
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
