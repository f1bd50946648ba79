import type { Diagnostic, Place } from "../../core/model/diagnostic.ts";
import { outside, unknownArgument } from "./outside.ts";
import { PROVIDER } from "./read-block.ts";
import { COMMENT, type Tree, blocksIn, innerBlock } from "./stack-tree.ts";

/** The provider's source, whatever registry it comes from. */
const SOURCE = "outreach-as-code/outreach";

const KNOWN = ["backend", "cloud", "required_providers", "required_version"];
const TERRAFORM_ONLY: ReadonlyMap<string, string> = new Map([
  ["experiments", "only Terraform has experimental features"],
  ["provider_meta", "this provider has nothing that it could be told so"],
]);

/** What is to be said of `terraform`, whose settings are Terraform's own. */
export function checkSettings(written: unknown, file: string): readonly Diagnostic[] {
  const place = { file, construct: "terraform" };
  const { blocks, diagnostics } = blocksIn(written, { depth: 0, place });
  return [...diagnostics, ...blocks.flatMap(({ body }) => [...otherSettings(body, place), ...otherSource(body, place), ...backendNotes(body, place)])];
}

function otherSettings(settings: Tree, place: Place): readonly Diagnostic[] {
  return Object.keys(settings).flatMap((key): readonly Diagnostic[] => {
    if (key === COMMENT || KNOWN.includes(key)) return [];
    const why = TERRAFORM_ONLY.get(key);
    return [why === undefined ? unknownArgument(key, KNOWN, place) : outside(`terraform.${key}`, why, place)];
  });
}

/** Another provider can have the name of ours. */
function otherSource(settings: Tree, place: Place): readonly Diagnostic[] {
  const { source } = innerBlock(innerBlock(settings["required_providers"])[PROVIDER]);
  if (source === undefined || (typeof source === "string" && `/${source}`.endsWith(`/${SOURCE}`))) return [];
  return [
    outside(
      `the provider ${typeof source === "string" ? source : JSON.stringify(source)} under the name ${PROVIDER}`,
      `it is another one than ours, which is ${SOURCE}`,
      place,
    ),
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
      summary: "The backend of the stack is Terraform's",
      detail: `The stack keeps Terraform's state with the backend ${kind}. What runs here keeps a state of its own, elsewhere.`,
      hint: "Say where with --state or OUTREACH_STATE. Run a stack either here or with Terraform: two states would be two owners of the same webhooks.",
      place: { file: place.file },
    }));
}
