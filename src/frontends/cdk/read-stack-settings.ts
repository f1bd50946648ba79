import { type Diagnostic, type Place, type Result, hasErrors, noteOf } from "../../core/model/diagnostic.ts";
import { requiresTerraform, unknownArgument, stackMistake } from "./stack-problems.ts";
import { PROVIDER } from "./read-stack-block.ts";
import { COMMENT, type Tree, blocksIn, innerBlock, type Labelled, lifecycleBlock } from "./stack-tree.ts";
import type { ImportBlock, MovedBlock, RemovedBlock } from "../../core/config/block.ts";
import { argumentOf, isTemplate, readFlag, withoutEscapes } from "./read-argument.ts";

/** The provider's source, without the registry. */
const SOURCE = "outreach-as-code/outreach";

const KNOWN = ["backend", "cloud", "required_providers", "required_version"];
const TERRAFORM_ONLY: ReadonlyMap<string, string> = new Map([
  ["experiments", "only Terraform has experimental features"],
  ["provider_meta", "this provider accepts no metadata"],
]);

/** Checks the `terraform` block, whose settings are Terraform's own. */
export function checkSettings(written: unknown, file: string): readonly Diagnostic[] {
  const place = { file, construct: "terraform" };
  const { blocks, diagnostics } = blocksIn(written, { depth: 0, place });
  return [
    ...diagnostics,
    ...blocks.flatMap(({ body }) => [
      ...otherSettings(body, place),
      ...otherSource(body, place),
      ...backendNotes(body, place),
    ]),
  ];
}

function otherSettings(settings: Tree, place: Place): readonly Diagnostic[] {
  return Object.keys(settings).flatMap((key): readonly Diagnostic[] => {
    if (key === COMMENT || KNOWN.includes(key)) return [];
    const why = TERRAFORM_ONLY.get(key);
    return [why === undefined ? unknownArgument(key, KNOWN, place) : requiresTerraform(`terraform.${key}`, why, place)];
  });
}

/** Another provider can have the same local name as ours. */
function otherSource(settings: Tree, place: Place): readonly Diagnostic[] {
  const { source } = innerBlock(innerBlock(settings["required_providers"])[PROVIDER]);
  if (source === undefined || (typeof source === "string" && `/${source}`.endsWith(`/${SOURCE}`))) return [];
  return [
    requiresTerraform(
      `the provider ${typeof source === "string" ? source : JSON.stringify(source)} under the name ${PROVIDER}`,
      `it is not ${SOURCE}`,
      place,
    ),
  ];
}

/** The state is where `--state` or the configuration of the command says: what the stack says of it is Terraform's. */
function backendNotes(settings: Tree, place: Place): readonly Diagnostic[] {
  const kinds = [
    ...Object.keys(innerBlock(settings["backend"])),
    ...(settings["cloud"] === undefined ? [] : ["cloud"]),
  ];
  return kinds
    .filter((kind) => kind !== "local" && kind !== COMMENT)
    .map((kind) =>
      noteOf("backend_ignored", "Backend of the stack not used", {
        detail: `The stack configures the backend ${kind} for Terraform's state. outreach keeps its own state elsewhere.`,
        hint: "Say where with --state or OUTREACH_STATE. Run a stack either here or with Terraform: two states would be two owners of the same webhooks.",
        place: { file: place.file },
      }),
    );
}

interface Statement {
  readonly kind: "import" | "moved" | "removed";
  readonly addresses: readonly string[];
  readonly known: readonly string[];
  readonly terraformOnly: ReadonlyMap<string, string>;
}

const IMPORT: Statement = {
  kind: "import",
  addresses: ["to"],
  known: ["to", "id", "provider"],
  terraformOnly: new Map([
    ["for_each", "outreach imports one resource per block"],
    ["identity", "outreach imports resources by id"],
  ]),
};
const MOVED: Statement = { kind: "moved", addresses: ["from", "to"], known: ["from", "to"], terraformOnly: new Map() };
const REMOVED: Statement = {
  kind: "removed",
  addresses: ["from"],
  known: ["from", "lifecycle"],
  terraformOnly: new Map([
    ["provisioner", "only Terraform runs programs when it destroys a resource"],
    ["connection", "only Terraform runs provisioners"],
  ]),
};

export function readImport({ body }: Labelled, file: string): Result<ImportBlock | null> {
  const read = readStatement(body, IMPORT, file);
  if (!read.place) return { value: null, diagnostics: read.diagnostics };
  const { place } = read;
  if (body["id"] === undefined)
    return { value: null, diagnostics: [...read.diagnostics, missingArgument("import", "id", place)] };
  return {
    value: { to: addressIn(body["to"]), id: argumentOf(body["id"]), locate: () => place },
    diagnostics: read.diagnostics,
  };
}

export function readMoved({ body }: Labelled, file: string): Result<MovedBlock | null> {
  const { place, diagnostics } = readStatement(body, MOVED, file);
  return {
    value: place && { from: addressIn(body["from"]), to: addressIn(body["to"]), locate: () => place },
    diagnostics,
  };
}

export function readRemoved({ body }: Labelled, file: string): Result<RemovedBlock | null> {
  const { place, diagnostics } = readStatement(body, REMOVED, file);
  if (!place) return { value: null, diagnostics };
  const lifecycle = lifecycleBlock(body["lifecycle"], place);
  const unknown = Object.keys(lifecycle.value).filter((key) => key !== COMMENT && key !== "destroy");
  const destroy = readFlag(lifecycle.value, "destroy", { place, within: "lifecycle.", absent: true });
  const problems = [
    ...lifecycle.diagnostics,
    ...unknown.map((key) => unknownArgument(`lifecycle.${key}`, ["destroy"], place)),
    ...destroy.diagnostics,
  ];
  return {
    value: { from: addressIn(body["from"]), destroy: destroy.value, locate: () => place },
    diagnostics: [...diagnostics, ...problems],
  };
}

/** The place of a statement; null if the statement is unusable. */
function readStatement(
  body: Tree,
  { kind, addresses, known, terraformOnly }: Statement,
  file: string,
): { readonly place: Place | null; readonly diagnostics: readonly Diagnostic[] } {
  const named = addresses.map((key) => body[key]);
  const place: Place = { file, construct: `${kind} ${named.filter((one) => typeof one === "string").join(" → ")}` };
  const diagnostics = Object.keys(body).flatMap((key): readonly Diagnostic[] => {
    const why = terraformOnly.get(key);
    if (why !== undefined) return [requiresTerraform(`${kind} with ${key}`, why, place)];
    return key === COMMENT || known.includes(key) ? [] : [unknownArgument(key, known, place)];
  });
  for (const [index, name] of named.entries()) {
    if (typeof name !== "string") diagnostics.push(missingArgument(kind, addresses[index] ?? "", place));
    else if (isTemplate(name)) diagnostics.push(expressionAsAddress(kind, addresses[index] ?? "", place));
    else if (name.startsWith("module."))
      diagnostics.push(requiresTerraform(name, "it is in a module, and modules require Terraform", place));
  }
  return { place: hasErrors(diagnostics) ? null : place, diagnostics };
}

function missingArgument(kind: string, key: string, place: Place): Diagnostic {
  return stackMistake("Missing required argument", {
    detail: `This ${kind} block has no ${key}.`,
    hint: "Add it as a string.",
    place,
  });
}

/** An address is not a template, but its key uses `$${` for a literal `${`. */
function addressIn(written: unknown): string {
  return withoutEscapes(String(written));
}

function expressionAsAddress(kind: string, key: string, place: Place): Diagnostic {
  return stackMistake("Invalid address", {
    detail: `${key} of this ${kind} block is an expression.`,
    hint: "Write a literal address.",
    place,
  });
}
