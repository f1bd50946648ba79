import type { Argument, Block, Configuration, FanOutPart, ValueSource } from "../../core/config/block.ts";
import {
  type Diagnostic,
  type Place,
  type Result,
  type Written,
  hasErrors,
  errorOf,
  noteOf,
} from "../../core/model/diagnostic.ts";
import { capitalised } from "../../core/model/words.ts";
import { UNKNOWN } from "../../core/model/value.ts";
import { type CommandOutput, commandName } from "../../core/secrets/command-output.ts";
import {
  type AddressList,
  type ListMistake,
  type ListedAddress,
  readAddressList,
  shownOf,
} from "../../frontends/yaml/address-list.ts";
import type { OperationContext, SettledConfiguration } from "../context.ts";
import { settingText } from "./setting-text.ts";
import { isBlank, listFile, placeIn } from "./list-source.ts";

/** Runs the command of a list. */
export type RunListCommand = (command: readonly string[]) => Promise<CommandOutput>;

interface Reading {
  readonly context: OperationContext;
  /** Null where no command may run: what is recorded stands for its list. */
  readonly runCommand: RunListCommand | null;
}

interface ReadingOf extends Reading {
  readonly settled: SettledConfiguration;
}

/** Reads the files and commands of fan-outs, and adds their values. */
export async function withAddressLists(
  settled: SettledConfiguration,
  reading: Reading,
): Promise<Result<Configuration>> {
  const { configuration } = settled;
  const read = await Promise.all(configuration.blocks.map((block) => withLists(block, { ...reading, settled })));
  return {
    value: { ...configuration, blocks: read.map(({ value }) => value) },
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function withLists(block: Block, reading: ReadingOf): Promise<Result<Block>> {
  let extended = block;
  const diagnostics: Diagnostic[] = [];
  for (const { attribute, sources } of block.fanOut ?? []) {
    if (!sources) continue;
    const lists: List[] = [];
    for (const source of sources) lists.push(await readSource(source, block, reading));
    diagnostics.push(
      ...lists.flatMap((list) => list.diagnostics).map((one) => ({ address: `${block.type}.${block.name}`, ...one })),
    );
    extended = withValues(extended, attribute, lists);
  }
  return { value: extended, diagnostics };
}

/** What a source has. */
interface List {
  readonly addresses: readonly ListedAddress[];
  /** The file, in messages. */
  readonly name: string;
  /** `left`: nothing runs here. `failed`: what it has is unknown. */
  readonly status: "read" | "left" | "failed";
  readonly diagnostics: readonly Diagnostic[];
}

function withValues(block: Block, attribute: string, lists: readonly List[]): Block {
  const part = block.fanOut?.find((one) => one.attribute === attribute);
  if (part?.values.kind !== "list") return block;
  const { items } = part.values;
  const listed = lists.flatMap(({ addresses, name }) => addresses.map((address) => ({ address, name })));
  const details = new Map<string, NonNullable<ListedAddress["details"]>>();
  for (const { address } of listed)
    if (address.details && !details.has(address.text)) details.set(address.text, address.details);
  const added = listed.map(({ address }): Argument => ({ kind: "literal", value: address.text }));
  const unread: readonly Argument[] = lists.some(({ status }) => status === "failed")
    ? [{ kind: "literal", value: UNKNOWN }]
    : [];
  const extended: FanOutPart = {
    ...part,
    values: { kind: "list", items: [...items, ...added, ...unread] },
    ...(lists.some(({ status }) => status === "left") ? { unread: true } : {}),
    ...(details.size > 0 ? { details } : {}),
  };
  return {
    ...block,
    fanOut: (block.fanOut ?? []).map((one) => (one === part ? extended : one)),
    locate: (path, written) => {
      const [first, index] = path;
      const found = first === attribute && typeof index === "number" ? listed[index - items.length] : undefined;
      return found ? placeIn(found.name, shownOf(found.address)) : block.locate(path, written);
    },
  };
}

async function readSource(source: ValueSource, block: Block, reading: ReadingOf): Promise<List> {
  const locate = (written?: Written): Place | undefined => source.locate([], written);
  const { from } = source;
  if (from.kind === "command") return readCommand(from.command, { source, block, locate, reading });
  const path = settingText(from.path, reading.settled, locate);
  if (path.value !== null) return readFile({ path: path.value, column: source.column }, locate, reading);
  return { addresses: [], name: "", status: "failed", diagnostics: path.diagnostics };
}

interface CommandSource {
  readonly source: ValueSource;
  readonly block: Block;
  readonly locate: () => Place | undefined;
  readonly reading: ReadingOf;
}

async function readCommand(
  command: readonly string[],
  { source, block, locate, reading }: CommandSource,
): Promise<List> {
  const { context, runCommand } = reading;
  const what = commandName(command);
  const place = locate();
  if (!runCommand) return { addresses: [], name: what, status: "left", diagnostics: [notRun(what, place)] };
  const failed = (detail: string, hint: string): List => ({
    addresses: [],
    name: what,
    status: "failed",
    diagnostics: [errorOf("address_command", "Cannot read addresses", { detail, hint, place })],
  });
  const output = await runCommand(command);
  if (!("bytes" in output)) return failed(output.detail, output.hint);
  if (output.bytes.every(isBlank)) return failed(`${capitalised(what)} printed nothing.`, PRINTS_HINT);
  const list = readAddressList(output.bytes, { column: source.column });
  const isEmpty = list.addresses.length + list.mistakes.length === 0;
  if (isEmpty && !block.allowEmpty)
    return failed(
      `${capitalised(what)} printed a header and no addresses.`,
      "If an empty list is intended, set allow_empty: true in the block.",
    );
  return listOf(list, `output of ${what}`, context);
}

const PRINTS_HINT = "Run it by hand. A list without addresses has at least its header, such as email.";

function notRun(what: string, place: Place | undefined): Diagnostic {
  return noteOf("list_not_read", "A list was not read", {
    detail: `${capitalised(what)} does not run here. What the state records for the block stands for its list.`,
    place,
  });
}

function listOf({ addresses, mistakes, cleaned }: AddressList, name: string, { personal }: OperationContext): List {
  personal.add(mistakes.flatMap(({ at }) => at?.text ?? []));
  const diagnostics = [
    ...mistakes.map((one) => invalid(name, one)),
    ...(cleaned > 0 ? [guardsRemoved(name, cleaned)] : []),
  ];
  return { addresses, name, status: hasErrors(diagnostics) ? "failed" : "read", diagnostics };
}

interface NamedList {
  readonly path: string;
  readonly column: string | undefined;
}

async function readFile(
  { path, column }: NamedList,
  locate: () => Place | undefined,
  { context, settled }: ReadingOf,
): Promise<List> {
  const { folder: root } = settled.configuration;
  const read = await listFile(path, { root, key: "emails_from" }, context);
  if ("bytes" in read) return listOf(readAddressList(read.bytes, { column }), read.name, context);
  const diagnostics = [errorOf("address_file", "Cannot read addresses", { ...read, place: locate() })];
  return { addresses: [], name: path, status: "failed", diagnostics };
}

function guardsRemoved(file: string, count: number): Diagnostic {
  return noteOf("address_file_guards", "Signs of a spreadsheet around addresses", {
    detail: `${file} has ${count === 1 ? "an address" : `${String(count)} addresses`} as ="…" or '…, with which a spreadsheet keeps a text from being a formula. The address is what is inside.`,
    place: { file },
  });
}

function invalid(file: string, { detail, hint, at, count }: ListMistake): Diagnostic {
  return errorOf("address_file_invalid", "Invalid address list", { detail, hint, place: placeIn(file, at), count });
}
