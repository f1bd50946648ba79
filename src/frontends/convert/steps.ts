import type { SecretSource } from "../../core/model/declaration.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import type { Handover } from "./handover.ts";
import type { SecretVariable } from "./plain-blocks.ts";

/** One side of a conversion, in the words of the steps. */
export interface Side {
  /** As in `outreach.yaml`, where its declarations are. */
  readonly file: string;
  /** How a plan is made there, and how it is applied. */
  readonly plan: readonly string[];
  readonly apply: string;
}

export interface Steps {
  /** How the command was called, for what is to be written to a file. */
  readonly command: string;
  readonly from: Side & { readonly form: "yaml" | "cdk"; readonly givingUp: string };
  readonly to: Side;
  /** What the other side needs in its environment, as lines for a shell. */
  readonly environment: readonly string[];
  /** Null where no state was found. */
  readonly handover: Handover | null;
  readonly state: string;
}

/** What there is to do so that the declarations change hands: nothing is made anew, and at no time there are two owners. */
export function stepsText({ command, from, to, environment, handover, state }: Steps): string {
  if (!handover || handover.imports.length === 0) {
    const why = handover ? `${state} records nothing` : `There is no state ${state}`;
    return `${why}: nothing is imported.${from.form === "cdk" ? ownedByTerraform(to) : ""}\n${numbered([
      [kept(command, to)],
      ["See what would be made:", ...indented([...environment, ...to.plan])],
    ])}`;
  }
  const count = String(handover.imports.length);
  return `${state} records ${count === "1" ? "1 object" : `${count} objects`}. Nothing was sent, and nothing was changed. To hand over what is recorded, so that nothing is made anew\nand at no time there are two owners:\n${numbered(
    [
      [`See that nothing is open: ${from.plan.join(" && ")} says "No changes". Otherwise apply first, and convert again.`],
      [kept(command, to)],
      [
        "See from the other side, which only looks so far, what it would do:",
        "",
        ...indented([...environment, ...to.plan]),
        "",
        `It must say ${count} to import, 0 to add and 0 to destroy: otherwise go no further. A change is one of the record: nothing is sent for it.`,
      ],
      [
        `Give up here. ${from.givingUp}`,
        "",
        ...indented(givenUp(from.form, handover)),
        "",
        `Then ${from.apply} says: 0 to add, 0 to change, 0 to destroy, ${count} to forget. What is live stays as it is.`,
      ],
      [`Take over there: ${to.apply}`],
      ['From then on the plan says "No changes", and the import blocks can be taken out.'],
    ],
  )}`;
}

/** Its state is not ours to read. */
function ownedByTerraform({ file }: Side): string {
  return file === "outreach.yaml"
    ? ` Where Terraform has applied this stack, it is the owner: let it give up first,
with removed blocks whose lifecycle says destroy = false. Then outreach apply --adopt takes over what is live.`
    : ` Where Terraform has applied this stack, it is the owner and stays the owner:
give ${file} the backend of the stack, so that Terraform finds its state. Then its plan must say 0 to add and 0 to destroy.`;
}

function kept(command: string, { file }: Side): string {
  return `Keep what was printed, in a new file; comments and descriptions are not in it: ${command} > ${file}`;
}

/** The values that Terraform asks for in the place of secrets, from where they are now; `inside` is the folder that these are relative to, null for the working folder. */
export function exportsOf(secrets: readonly SecretVariable[], inside: string | null): readonly string[] {
  const isThere = ({ name, source }: SecretVariable): boolean => source.kind === "env" && source.name === `TF_VAR_${name}`;
  return secrets.filter((one) => !isThere(one)).map(({ name, source }) => `export TF_VAR_${name}=${valueOf(source, inside)}`);
}

/** The giving-up step in the form of the side that does it. */
function givenUp(form: Steps["from"]["form"], { removed }: Handover): readonly string[] {
  if (form === "yaml") return ["removed:", ...removed.map(({ from }) => `  - { from: ${from}, destroy: false }`)];
  return ['this.addOverride("removed", [', ...removed.map(({ from }) => `  { from: "${from}", lifecycle: { destroy: false } },`), "]);"];
}

function valueOf(source: SecretSource, inside: string | null): string {
  switch (source.kind) {
    case "env":
      return `"$${source.name}"`;
    case "file":
      return `"$(cat ${plainOr(inside === null || source.path.startsWith("/") ? source.path : `${inside}/${source.path}`)})"`;
    case "command":
      return `"$(${inside === null ? "" : `cd ${plainOr(inside)} && `}${source.command.map(plainOr).join(" ")})"`;
    case "value":
      throw new Error("a secret that is known");
  }
}

/** As it is where it needs no quotes. */
export function plainOr(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : shellWord(word);
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function numbered(steps: readonly (readonly string[])[]): string {
  return steps
    .map(([first = "", ...lines], index) => `\n${String(index + 1)}. ${first}\n${lines.map((line) => (line === "" ? "\n" : `   ${line}\n`)).join("")}`)
    .join("");
}
