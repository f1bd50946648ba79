import type { PlannedRun } from "../../../core/apply/run/run-ports.ts";
import type { OutputValue } from "../../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { type Value, canonicalJson, isUnknown } from "../../../core/model/value.ts";
import type { PlanOptions as PlanChoices } from "../../../core/plan/plan-context.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { checksum, digest } from "../../../core/state/checksum.ts";
import { resolvePath } from "../configuration/read-configuration.ts";
import type { PlanOptions } from "../program/options.ts";
import type { Session } from "./session.ts";
import type { CommandContext } from "../command-context.ts";

/** A plan in a file, and what it is bound to. It holds no secret, only fingerprints. */
export interface SavedPlan {
  readonly planFile: 2;
  readonly version: string;
  /** A first plan mints lineage and salt: its apply requires that there is still no state. */
  readonly lineage: string;
  readonly serial: number;
  /** The last event that the state, or a journal beside it, told of: a run that has begun since makes the plan stale, however it ended. */
  readonly journalSeq: number;
  readonly salt: string;
  readonly isFirst: boolean;
  readonly baseUrl: string;
  /** What tells the resolved declarations, and what is said beside them, apart from any other. */
  readonly declarations: string;
  /** As they were given, for the apply. */
  readonly config: string;
  readonly state: string | null;
  /** The values of variables that were given from outside and are not sensitive. */
  readonly variables: { readonly [name: string]: Value };
  /** The outputs as they were recorded: the plan holds only those that change. */
  readonly outputs: readonly OutputValue[];
  readonly choices: PlanChoices;
  readonly allowServiceChange: boolean;
  /** Made without secrets: it can be read, and not applied. */
  readonly withSecrets: boolean;
  readonly plan: Plan;
}

const MAX_BYTES = 256 * 1024 * 1024;

export async function savePlan(
  context: CommandContext,
  path: string,
  {
    session,
    planned,
    choices,
    options,
  }: { readonly session: Session; readonly planned: PlannedRun; readonly choices: PlanChoices; readonly options: PlanOptions },
): Promise<void> {
  const { open, loaded, ports } = session;
  const { lineage, serial, journalSeq, salt } = open.document;
  const saved: SavedPlan = {
    planFile: 2,
    version: context.version,
    lineage,
    serial,
    journalSeq,
    salt,
    isFirst: open.version === null,
    baseUrl: ports.service.baseUrl,
    declarations: declarationsDigest(planned),
    config: options.config,
    state: options.state ?? null,
    variables: givenVariables(loaded),
    outputs: planned.document.outputs,
    choices,
    allowServiceChange: options.allowServiceChange,
    withSecrets: options.secrets,
    plan: planned.plan,
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify({ ...saved, checksum: checksum(canonicalJson(saved)) })}\n`);
  await context.files.writeDurably(resolvePath(context.folder, path), bytes);
}

/** Throws `plan_file_unreadable` for anything but a whole plan of a known format. */
export async function readPlan({ files, folder }: CommandContext, path: string): Promise<SavedPlan> {
  const again = `Make it anew: outreach plan --out ${path}`;
  const bytes = await files.read(resolvePath(folder, path), { followLinks: true, maxBytes: MAX_BYTES });
  if (bytes === null) throw unreadable(`There is no file ${path}.`, again);
  const parsed = parsedPlan(bytes);
  // It may be the configuration: whoever is told to make it anew would lose it.
  if (parsed === null)
    throw unreadable(`${path} is not a plan that outreach plan --out has saved.`, "Name a saved plan. A configuration is named with -c PATH.");
  const { checksum: stored, ...saved } = parsed;
  if (saved.planFile !== 2) throw unreadable(`${path} was saved by another version of outreach.`, again);
  if (stored !== checksum(canonicalJson(saved))) throw unreadable(`The checksum of ${path} does not match: the file was changed or cut off.`, again);
  return saved;
}

function parsedPlan(bytes: Uint8Array): (SavedPlan & { readonly checksum?: unknown }) | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof parsed === "object" && parsed !== null && "planFile" in parsed ? (parsed as SavedPlan) : null;
  } catch {
    return null;
  }
}

export function declarationsDigest({ declarations, statements }: Pick<PlannedRun, "declarations" | "statements">): string {
  return digest(canonicalJson([declarations.map(({ locate: _, secrets: __, ...declaration }) => declaration), statements]));
}

function givenVariables({ configuration, variables }: Session["loaded"]): SavedPlan["variables"] {
  return Object.fromEntries(
    configuration.variables.flatMap(({ name, default: fallback, type }) => {
      const { value, sensitive } = variables.get(name) ?? { value: null, sensitive: true };
      if (sensitive || isUnknown(value) || canonicalJson(value) === canonicalJson(fallback)) return [];
      // What is given for any type is an expression.
      return [[name, type === "any" && typeof value === "string" ? literalText(value) : value]];
    }),
  );
}

/** A value as an expression of Terraform's, as `--var` takes it. */
export function literalText(value: Value): string {
  return JSON.stringify(value).replaceAll(/([$%])\{/g, "$1$1{");
}

function unreadable(detail: string, hint: string): DiagnosticsError {
  const diagnostic: Diagnostic = { code: "plan_file_unreadable", severity: "error", summary: "The plan cannot be read", detail, hint };
  return new DiagnosticsError([diagnostic]);
}
