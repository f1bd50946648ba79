import { posix } from "node:path";
import type { Configuration } from "../../core/config/block.ts";
import { type Diagnostic, DiagnosticsError, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import { type Attributes, UNKNOWN, type Value } from "../../core/model/value.ts";
import { decodeState } from "../../core/state/document.ts";
import { REMOTE_STATE, type RemoteState, backendOf } from "../../frontends/cdk/read-stack-settings.ts";
import type { WorkingFolder } from "../context.ts";

interface Place extends WorkingFolder {
  /** The folder of the stack, next to those of the application's other stacks. */
  readonly inside: string;
  readonly stackFile: string;
}

/**
 * The recorded outputs of the other stacks that a stack refers to, by the address of the reference. Only stacks of the same
 * application are found: by their backend, which names the state in Terraform.
 */
export async function stackOutputs(
  references: readonly RemoteState[],
  place: Place,
): Promise<Result<NonNullable<Configuration["stackOutputs"]>>> {
  const found = new Map<string, Attributes>();
  const diagnostics: Diagnostic[] = [];
  const stacks = references.length === 0 ? new Map<string, string>() : await stacksByBackend(place);
  for (const reference of references) {
    const read = await outputsOf(reference, stacks.get(reference.backend), place);
    diagnostics.push(...read.diagnostics);
    found.set(`data.${REMOTE_STATE}.${reference.name}`, { outputs: read.value });
  }
  return { value: found, diagnostics };
}

async function stacksByBackend({ files, inside, stackFile }: Place): Promise<ReadonlyMap<string, string>> {
  const parent = `${inside}/..`;
  const stacks = new Map<string, string>();
  for (const name of (await files.list(parent)).toSorted()) {
    const path = `${parent}/${name}/${stackFile}`;
    const bytes = (await files.kind(path)) === "file" ? await files.read(path) : null;
    const backend = bytes && backendOf(bytes, path);
    if (backend !== null) stacks.set(backend, name);
  }
  return stacks;
}

async function outputsOf(
  { name, place }: RemoteState,
  stack: string | undefined,
  { files, folder }: Place,
): Promise<Result<Value>> {
  const failed = (detail: string, hint: string): Result<Value> => ({
    value: UNKNOWN,
    diagnostics: [errorOf("stack_outputs", "Outputs of another stack not found", { detail, hint, place })],
  });
  if (stack === undefined)
    return failed(
      `${REMOTE_STATE}.${name} refers to a state that no stack of this application has.`,
      "Synthesize the application again, or declare the value as a variable of this stack.",
    );
  const path = `outreach.${stack}.state.json`;
  const bytes = await files.read(`${folder}/${path}`);
  if (bytes === null) {
    const other = shellWord(posix.join(posix.dirname(place.file), "..", stack));
    return failed(
      `The stack ${stack} has no state: ${path} does not exist.`,
      `Apply that stack first, without --state and OUTREACH_STATE:\n  outreach apply -c ${other}`,
    );
  }
  try {
    const { outputs } = decodeState(bytes, path);
    return {
      value: Object.fromEntries(outputs.filter(({ value }) => value !== null).map((one) => [one.name, one.value])),
      diagnostics: [],
    };
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return { value: UNKNOWN, diagnostics: error.diagnostics };
  }
}
