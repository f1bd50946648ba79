import { isInCi } from "../../../core/model/in-ci.ts";
import type { CommandContext } from "../command-context.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { type Diagnostic, DiagnosticsError, noteOf } from "../../../core/model/diagnostic.ts";
import type { OperationContext, Ports } from "../../../operations/context.ts";
import { namedPath, resolvePath } from "../../../operations/configuration/named-file.ts";
import type { CommandOptions } from "../program/command-options.ts";
import {
  decodePlan,
  encodePlan,
  type PlanToSave,
  type ReadPlan,
  unreadable,
} from "../../../operations/saved-plan/saved-plan.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { isPersonal } from "../../../output/content/step-groups.ts";

const MAX_BYTES = 256 * 1024 * 1024;

/** The file of a team's plan, in the folder for several teams. */
export function teamPlanFile(folder: string, team: string): string {
  return `${folder.replace(/(?<=.)\/+$/, "")}/${team}.plan`;
}

/** Whether a path is the folder of the plans of several teams. */
export async function isPlanFolder({ files, folder }: Ports, path: string): Promise<boolean> {
  return (await files.kind(resolvePath(folder, path))) === "folder";
}

/** How each saved plan begins, whole or cut off: in plain text, and encrypted. */
const PLAN_STARTS = ['{"planFile":', '{\n  "encryption": 1,\n  "kind": "plan",'];

function startsAsPlan(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  return PLAN_STARTS.some((start) => text.startsWith(start));
}

/**
 * Removes an earlier plan at the path of `--out`: it would pass for the new one if that fails. Throws
 * `plan_file_unwritable` if a plan cannot be there, or would overwrite anything but a plan.
 */
export async function removeEarlierPlan(ports: Ports, path: string): Promise<void> {
  const { files, folder } = ports;
  const full = resolvePath(folder, path);
  const inside = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : ".";
  if ((await namedPath(ports, inside)) === null) throw unwritable(`The folder of ${path} does not exist.`);
  const kind = await files.kind(full);
  if (kind === null) return;
  if (kind === "folder") throw unwritable(`${path} is a folder.`);
  if (kind === "link") throw unwritable(`${path} is a symbolic link.`);
  if (kind !== "file") throw unwritable(`${path} is not a regular file.`);
  const before = (await files.read(full, { maxBytes: MAX_BYTES })) ?? new Uint8Array();
  if (before.length > 0 && !startsAsPlan(before))
    throw unwritable(`${path} exists and is not a saved plan, so it is not overwritten.`);
  await files.remove(full);
}

function unwritable(detail: string): DiagnosticsError {
  const hint = "Pass another path to --out, as in --out outreach.plan.";
  return DiagnosticsError.of("plan_file_unwritable", "Cannot save the plan", { detail, hint });
}

/** Writes a plan into a new file, which only its user can read, in place of an earlier one. */
export async function savePlan(context: Ports, path: string, plan: PlanToSave): Promise<void> {
  const [full, bytes] = [resolvePath(context.folder, path), await encodePlan(plan)];
  await context.files.remove(full);
  await context.files.createExclusively(full, bytes);
}

/** Throws `plan_file_unreadable` for anything but a whole plan of a known format. */
export async function readPlan(context: CommandContext, path: string, options: CommandOptions): Promise<ReadPlan> {
  const { files, folder, given } = context;
  const again = `Make a new plan: outreach plan ${given}--out ${shellWord(path)}`;
  const full = resolvePath(folder, path);
  if ((await files.kind(full)) === "folder")
    throw unreadable(`${path} is a folder.`, `Name one plan in it, as in ${shellWord(teamPlanFile(path, "NAME"))}.`);
  const bytes = await files.read(full, { followLinks: true, maxBytes: MAX_BYTES });
  const ofAddress = `To name one address, pass --target. Show its record: outreach state show ${given}${shellWord(path)}`;
  if (bytes === null)
    throw unreadable(`The file ${path} does not exist.`, path.startsWith("outreach_") ? ofAddress : again);
  const read = await decodePlan(context, bytes, { ...options, path, again });
  // A new plan that fails would have left it in its place.
  if (!startsAsPlan(bytes)) throw unreadable(`${path} was changed after outreach plan --out wrote it.`, again);
  return read;
}

/** What an unencrypted plan contains, and who can read it, in CI, where a plan travels as an artifact. */
export function readablePlan(
  context: OperationContext,
  path: string,
  { plan: { steps }, withSecrets }: { readonly plan: Plan; readonly withSecrets: boolean },
): readonly Diagnostic[] {
  if (!isInCi(context.environment)) return [];
  const leads = steps.filter(({ type }) => isPersonal(type, context.catalog)).length;
  const emails = leads === 0 ? [] : [leads === 1 ? "the email of 1 lead" : `the emails of ${String(leads)} leads`];
  const contents = ["target URLs", "campaign ids", "fingerprints of secrets", ...emails];
  return [
    noteOf("plan_readable", "The saved plan is not encrypted", {
      detail: `If you upload ${path}, anyone who can download the artifacts of this job can read its ${contents.slice(0, -1).join(", ")} and ${contents.at(-1)}.`,
      hint: withSecrets
        ? 'To encrypt it with the key of the state, set state.encryption: see "Encrypt the state" in the documentation.'
        : "A plan without secrets is never encrypted. Upload a report instead, as of outreach show --format html.",
    }),
  ];
}
