import { BinaryReader } from "@bufbuild/protobuf/wire";
import { unzipSync } from "fflate";
import type { AnyResource } from "../../core/model/definition.ts";
import type { FileSystem } from "../../core/model/ports.ts";
import type { DynamicValue } from "./generated/tfplugin6.ts";
import type { Attributes } from "../../core/model/value.ts";
import { identityKey } from "../../core/plan/identity.ts";
import { type KnownService, decodePrivate } from "./private-state.ts";
import { groupBy } from "../../core/model/maps.ts";
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
 * The saved plan that this process applies. Terraform before 1.16 plans again and passes nothing of the saved plan to a
 * create, so the provider reads the plan file that Terraform was started with.
 */
export interface AppliedPlan {
  /** The ids of the objects of a type that the plan deletes or replaces; none if no saved plan is applied. */
  removedBy(definition: AnyResource): Promise<ReadonlySet<string> | UnknownPlan>;
  /** Nothing where no saved plan is applied, or it cannot be read. */
  contentFor(definition: AnyResource): Promise<PlanContent>;
}

/** What a saved plan says about one type. */
export interface PlanContent {
  /** The ids of its objects. */
  readonly ids: ReadonlySet<string>;
  /** The services that this object was planned for. Several where only the apply knows its identity. */
  placesOf(planned: Attributes): readonly KnownService[];
}

export const NO_CONTENT: PlanContent = { ids: new Set(), placesOf: () => [] };

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
  const contents = new Map<string, PlanContent>();
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
    contentFor: async (definition) => {
      const changes = await (reading ??= read());
      if (typeof changes === "string") return NO_CONTENT;
      const content = contents.get(definition.type) ?? contentOf(definition, changes);
      contents.set(definition.type, content);
      return content;
    },
  };
}

/** Values of an action in the plan file: delete, delete then create, create then delete. */
const REMOVING = new Set([5, 6, 7]);

interface Change {
  readonly address: string;
  readonly action: number;
  /** The object before the change and after it, msgpack; one where both are equal, or there is no other. */
  readonly values: readonly Uint8Array[];
  readonly private: Uint8Array;
}

function removedIds(definition: AnyResource, changes: readonly Change[]): ReadonlySet<string> {
  return idsIn(
    definition,
    changesOf(definition, changes).filter(({ action }) => REMOVING.has(action)),
  );
}

function changesOf({ type }: AnyResource, changes: readonly Change[]): readonly Change[] {
  const ofType = new RegExp(`(^|\\.)${type}\\.`);
  return changes.filter(({ address }) => ofType.test(address));
}

function idsIn({ schema }: AnyResource, changes: readonly Change[]): ReadonlySet<string> {
  const ids = changes.map(({ values: [before = NOTHING] }) => decodeValue(valueOf(before), schema)?.["id"]);
  return new Set(ids.filter((id) => typeof id === "string"));
}

function contentOf(definition: AnyResource, all: readonly Change[]): PlanContent {
  const changes = changesOf(definition, all);
  const places = changes.flatMap(({ values, private: bytes }) => {
    const { plannedAt } = decodePrivate(bytes);
    const after = decodeValue(valueOf(values.at(-1) ?? NOTHING), definition.schema);
    return plannedAt && after ? [{ key: identityKey(definition, after), plannedAt }] : [];
  });
  const byKey = groupBy(places, ({ key }) => key);
  return {
    ids: idsIn(definition, changes),
    placesOf: (planned) => (byKey.get(identityKey(definition, planned)) ?? places).map(({ plannedAt }) => plannedAt),
  };
}

function valueOf(msgpack: Uint8Array): DynamicValue {
  return { msgpack, json: NOTHING };
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
    const values = bytesAt(change, 2).map((value) => bytesAt(value, 1)[0] ?? NOTHING);
    const [bytes = NOTHING] = bytesAt(instance, 10);
    return { address: new TextDecoder().decode(address), action: numberAt(change, 1), values, private: bytes };
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
