import type { Diagnostic, Place } from "../../core/model/diagnostic.ts";
import { requiresTerraform, unknownArgument } from "./stack-problems.ts";
import { PROVIDER } from "./read-block.ts";
import { COMMENT, type Tree, blocksIn, innerBlock } from "./stack-tree.ts";

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
  return [...diagnostics, ...blocks.flatMap(({ body }) => [...otherSettings(body, place), ...otherSource(body, place), ...backendNotes(body, place)])];
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
    requiresTerraform(`the provider ${typeof source === "string" ? source : JSON.stringify(source)} under the name ${PROVIDER}`, `it is not ${SOURCE}`, place),
  ];
}

/** The state is where `--state` or the configuration of the command says: what the stack says of it is Terraform's. */
function backendNotes(settings: Tree, place: Place): readonly Diagnostic[] {
  const kinds = [...Object.keys(innerBlock(settings["backend"])), ...(settings["cloud"] === undefined ? [] : ["cloud"])];
  return kinds
    .filter((kind) => kind !== "local" && kind !== COMMENT)
    .map((kind) => ({
      code: "backend_ignored",
      severity: "note",
      summary: "Backend of the stack not used",
      detail: `The stack configures the backend ${kind} for Terraform's state. outreach keeps its own state elsewhere.`,
      hint: "Say where with --state or OUTREACH_STATE. Run a stack either here or with Terraform: two states would be two owners of the same webhooks.",
      place: { file: place.file },
    }));
}
