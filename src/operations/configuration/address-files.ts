import type { Argument, Block, Configuration, FanOutPart } from "../../core/config/block.ts";
import { type Diagnostic, type Place, type Result, type Written, hasErrors, errorOf, noteOf } from "../../core/model/diagnostic.ts";
import { realPathInside } from "../../core/model/real-path-inside.ts";
import { UNKNOWN } from "../../core/model/value.ts";
import { type ListMistake, readAddressList, shownOf } from "../../frontends/yaml/address-list.ts";
import type { Masks, WorkingFolder } from "../context.ts";

const MAX_BYTES = 50 * 1024 * 1024;

/** The value of a setting once the variables are known. */
type TextOf = (argument: Argument, locate: (written?: Written) => Place | undefined) => Result<string | null>;

/** Reads the files of fan-outs, and adds their values. */
export async function withAddressFiles(context: Masks & WorkingFolder, configuration: Configuration, textOf: TextOf): Promise<Result<Configuration>> {
  const read = await Promise.all(configuration.blocks.map((block) => withFiles(block, { context, root: configuration.folder, textOf })));
  return {
    value: { ...configuration, blocks: read.map(({ value }) => value) },
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

interface Reading {
  readonly context: Masks & WorkingFolder;
  /** The configuration's folder, which must contain the files. */
  readonly root: string;
  readonly textOf: TextOf;
}

async function withFiles(block: Block, reading: Reading): Promise<Result<Block>> {
  let extended = block;
  const diagnostics: Diagnostic[] = [];
  for (const { attribute, file } of block.fanOut ?? []) {
    if (!file) continue;
    const locate = (written?: Written): Place | undefined => file.locate([], written);
    const path = reading.textOf(file.path, locate);
    const found =
      path.value === null ? { value: [], diagnostics: path.diagnostics } : await readFile({ path: path.value, column: file.column }, locate, reading);
    diagnostics.push(...found.diagnostics.map((one) => ({ address: `${block.type}.${block.name}`, ...one })));
    extended = withValues(extended, attribute, { listed: found.value, isWhole: path.value !== null && !hasErrors(found.diagnostics) });
  }
  return { value: extended, diagnostics };
}

/** The values of a file, each with its place. */
type Listed = readonly { readonly text: string; readonly place: Place }[];

function withValues(block: Block, attribute: string, { listed, isWhole }: { readonly listed: Listed; readonly isWhole: boolean }): Block {
  const added = listed.map(({ text }): Argument => ({ kind: "literal", value: text }));
  const unread: readonly Argument[] = isWhole ? [] : [{ kind: "literal", value: UNKNOWN }];
  const extend = (part: FanOutPart): FanOutPart =>
    part.values.kind === "list" ? { ...part, values: { kind: "list", items: [...part.values.items, ...added, ...unread] } } : part;
  const values = block.fanOut?.find((part) => part.attribute === attribute)?.values;
  const listedHere = values?.kind === "list" ? values.items.length : 0;
  return {
    ...block,
    fanOut: (block.fanOut ?? []).map((part) => (part.attribute === attribute ? extend(part) : part)),
    locate: (path, written) => {
      const [first, index] = path;
      const inFile = first === attribute && typeof index === "number" && index >= listedHere ? listed[index - listedHere] : undefined;
      return inFile?.place ?? block.locate(path, written);
    },
  };
}

interface NamedList {
  readonly path: string;
  readonly column: string | undefined;
}

async function readFile({ path, column }: NamedList, locate: () => Place | undefined, { context, root }: Reading): Promise<Result<Listed>> {
  const { files, folder, personal } = context;
  const failed = (detail: string, hint: string): Result<Listed> => {
    const place = locate();
    return {
      value: [],
      diagnostics: [errorOf("address_file", "Cannot read addresses", { detail, hint, place })],
    };
  };
  const full = path.startsWith("/") ? path : `${root}/${path}`;
  try {
    const real = await realPathInside(files, root, full);
    if (real === null)
      return failed(`The file ${path} is outside the configuration's folder.`, "Move it into that folder, so that it is reviewed with the configuration.");
    if ((await files.kind(real)) !== "file") return failed(`${path} is not a regular file.`, "Name a regular file.");
    const bytes = await files.read(real, { maxBytes: MAX_BYTES });
    if (bytes === null) return failed(`The file ${path} does not exist.`, MISSING_HINT);
    const name = full.startsWith(`${folder}/`) ? full.slice(folder.length + 1) : full;
    const { addresses, mistakes, cleaned } = readAddressList(bytes, { column });
    personal.add(mistakes.flatMap(({ at }) => at?.text ?? []));
    return {
      value: addresses.map((address) => ({ text: address.text, place: placeIn(name, shownOf(address)) })),
      diagnostics: [...mistakes.map((one) => invalid(name, one)), ...(cleaned > 0 ? [guardsRemoved(name, cleaned)] : [])],
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return failed(`The file ${path} does not exist.`, MISSING_HINT);
    if (code === "EFBIG") return failed(`The file ${path} is larger than 50 MB.`, "Split it, and name each part in its own block.");
    if (code === undefined) throw error;
    return failed(`The file ${path} cannot be read (${code}).`, "Check its permissions.");
  }
}

function guardsRemoved(file: string, count: number): Diagnostic {
  return noteOf("address_file_guards", "Signs of a spreadsheet around addresses", {
    detail: `${file} has ${count === 1 ? "an address" : `${String(count)} addresses`} as ="…" or '…, with which a spreadsheet keeps a text from being a formula. The address is what is inside.`,
    place: { file },
  });
}

const MISSING_HINT = "Create it, or correct the path. Paths are relative to the configuration.";

function placeIn(file: string, at: ListMistake["at"]): Place {
  return { file, ...at, ...(at?.text === undefined ? {} : { caret: 1 }) };
}

function invalid(file: string, { detail, hint, at, count }: ListMistake): Diagnostic {
  return errorOf("address_file_invalid", "Invalid address file", { detail, hint, place: placeIn(file, at), count });
}
