import { canonicalJson } from "../../core/model/value.ts";
import type { Diagnostic, Place, Result } from "../../core/model/diagnostic.ts";
import { requiresTerraform, stackMistake, unknownArgument } from "./stack-problems.ts";
import { COMMENT, type Labelled, constructPath, innerBlock, isTree, parseStack } from "./stack-tree.ts";

export const REMOTE_STATE = "terraform_remote_state";

/** A reference to the outputs of another stack, as the synthesis writes it. */
export interface RemoteState {
  readonly name: string;
  /** The state's place in Terraform: the backend of the other stack, as text to compare. */
  readonly backend: string;
  readonly place: Place;
}

const KNOWN = ["backend", "config", "workspace"];
const TERRAFORM_ONLY = ["defaults", "for_each", "count", "depends_on", "lifecycle", "provider"];

export function readRemoteState({ labels: [, name = ""], body }: Labelled, file: string): Result<RemoteState | null> {
  const place = { file, construct: constructPath(body) ?? `data.${REMOTE_STATE}.${name}` };
  const { backend, config = {}, workspace = "default" } = body;
  const diagnostics = Object.keys(body).flatMap((key): readonly Diagnostic[] => {
    if (TERRAFORM_ONLY.includes(key))
      return [requiresTerraform(`a reference to another stack with ${key}`, "outreach reads only the other stack's outputs", place)];
    return key === COMMENT || KNOWN.includes(key) ? [] : [unknownArgument(key, KNOWN, place)];
  });
  if (typeof backend !== "string" || !isTree(config))
    diagnostics.push(
      stackMistake("Missing required argument", { detail: "This reference to another stack has no backend.", hint: "Run the synthesis again.", place }),
    );
  if (workspace !== "default" && workspace !== "${terraform.workspace}")
    diagnostics.push(requiresTerraform("a reference to another workspace", "outreach has no workspaces", place));
  return { value: diagnostics.length > 0 ? null : { name, backend: canonicalJson([backend, config]), place }, diagnostics };
}

/** The backend of a stack, as text to compare; null if it has none. */
export function backendOf(bytes: Uint8Array, file: string): string | null {
  const parsed = parseStack(bytes, file);
  if ("summary" in parsed) return null;
  const backends = Object.entries(innerBlock(innerBlock(parsed.root["terraform"])["backend"]));
  const [[type, config] = ["", undefined]] = backends;
  return backends.length === 1 && isTree(innerBlock(config)) ? canonicalJson([type, innerBlock(config)]) : null;
}
