import { BinaryReader } from "@bufbuild/protobuf/wire";
import { unzipSync } from "fflate";
import type { AnyResource } from "../../core/model/definition.ts";
import type { FileSystem } from "../../core/model/ports.ts";
import { decodeValue } from "./wire/terraform-values.ts";

/** What the command that Terraform was started with says about reads. */
export interface TerraformCommand {
  /** It reads objects and applies no configuration: `import`, `refresh`, `-refresh-only`. */
  readonly onlyReads: boolean;
  /** It plans without reading: `-refresh=false`. */
  readonly skipsReads: boolean;
}

const IS_TRUE = "(=(1|t|true))?";
const IS_FALSE = "=(0|f|false)";

/** `words` are the arguments of Terraform, its own name first; none if they are not known. It takes more from `TF_CLI_ARGS` and `TF_CLI_ARGS_NAME`. */
export function terraformCommand(
  words: readonly string[],
  environment: { readonly [name: string]: string | undefined },
): TerraformCommand {
  const name = words.slice(1).find((word) => !word.startsWith("-")) ?? "";
  const more = ["TF_CLI_ARGS", `TF_CLI_ARGS_${name}`].flatMap((variable) => (environment[variable] ?? "").split(/\s+/));
  const has = (option: string): boolean =>
    [...words, ...more].some((word) => new RegExp(`^--?${option}$`, "i").test(word));
  return {
    onlyReads: name === "import" || name === "refresh" || has(`refresh-only${IS_TRUE}`),
    skipsReads: has(`refresh${IS_FALSE}`),
  };
}

/**
 * The saved plan that this process applies. With `create_before_destroy`, Terraform before 1.16 passes nothing about the
 * planned replacement to the create, so the provider reads the plan file that Terraform was started with.
 */
export interface AppliedPlan {
  /** The ids of the objects of a type that the plan deletes or replaces; none if no saved plan is applied. */
  removedBy(definition: AnyResource): Promise<ReadonlySet<string> | UnknownPlan>;
}

/** `unreadable`: a saved plan that is encrypted or damaged is applied. `unknown`: the arguments of Terraform are not known, so whether one is applied is not either. */
export type UnknownPlan = "unreadable" | "unknown";

const MAX_BYTES = 256 * 1024 * 1024;
/** The file inside of the archive. */
const CHANGES = "tfplan";
const ARCHIVE_START = "PK\u0003\u0004";

/** `startedWith` are the arguments of the Terraform process, its own name first; null if they are not known. */
export function openAppliedPlan(
  files: Pick<FileSystem, "read">,
  startedWith: () => Promise<readonly string[] | null>,
): AppliedPlan {
  const read = async (): Promise<readonly Change[] | UnknownPlan> => {
    const words = await startedWith().catch(() => null);
    return words === null ? "unknown" : readChanges(files, words).catch(() => "unreadable");
  };
  let reading: Promise<readonly Change[] | UnknownPlan> | null = null;
  return {
    removedBy: async (definition) => {
      const changes = await (reading ??= read());
      if (typeof changes === "string") return changes;
      try {
        return removedIds(definition, changes);
      } catch {
        return "unreadable";
      }
    },
  };
}

/** Values of an action in the plan file: delete, delete then create, create then delete. */
const REMOVING = new Set([5, 6, 7]);

interface Change {
  readonly address: string;
  readonly action: number;
  /** The object before the change, msgpack. */
  readonly before: Uint8Array;
}

function removedIds({ type, schema }: AnyResource, changes: readonly Change[]): ReadonlySet<string> {
  const ofType = new RegExp(`(^|\\.)${type}\\.`);
  const removed = changes.filter(({ action, address }) => REMOVING.has(action) && ofType.test(address));
  const ids = removed.map(({ before }) => decodeValue({ msgpack: before, json: NOTHING }, schema)?.["id"]);
  return new Set(ids.filter((id) => typeof id === "string"));
}

const NOTHING = new Uint8Array();

async function readChanges(
  files: Pick<FileSystem, "read">,
  startedWith: readonly string[],
): Promise<readonly Change[] | UnknownPlan> {
  const paths = startedWith.slice(1).filter((argument) => !argument.startsWith("-"));
  for (const path of paths) {
    const bytes = await files.read(path, { maxBytes: MAX_BYTES, followLinks: true }).catch(() => null);
    if (bytes === null) continue;
    if (isEncrypted(bytes)) return "unreadable";
    if (!startsWith(bytes, ARCHIVE_START)) continue;
    const plan = unzipSync(bytes, { filter: ({ name }) => name === CHANGES })[CHANGES];
    return plan ? changesIn(plan) : "unreadable";
  }
  return [];
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder("latin1").decode(bytes.subarray(0, text.length)) === text;
}

/** OpenTofu writes the encrypted archive as text in a JSON object. */
function isEncrypted(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, "{")) return false;
  try {
    return Object.hasOwn(JSON.parse(new TextDecoder().decode(bytes)) as object, "encryption_version");
  } catch {
    return false;
  }
}

/** The changes of resources in the plan's protobuf. */
function changesIn(plan: Uint8Array): readonly Change[] {
  return bytesAt(plan, 3).map((instance) => {
    const [change = NOTHING] = bytesAt(instance, 9);
    const [address = NOTHING] = bytesAt(instance, 13);
    const [before = NOTHING] = bytesAt(change, 2);
    const [msgpack = NOTHING] = bytesAt(before, 1);
    return { address: new TextDecoder().decode(address), action: numberAt(change, 1), before: msgpack };
  });
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** The fields of a message with this number, in their order. */
function bytesAt(message: Uint8Array, field: number): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === field && (wireType as number) === LENGTH_DELIMITED) found.push(reader.bytes());
    else reader.skip(wireType, number);
  }
  return found;
}

/** 0 where the field is absent. */
function numberAt(message: Uint8Array, field: number): number {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === field && (wireType as number) === VARINT) return reader.int32();
    reader.skip(wireType, number);
  }
  return 0;
}
