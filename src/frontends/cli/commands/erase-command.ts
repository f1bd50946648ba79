import { countOf } from "../../../core/model/words.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { ErasedPlace, ErasureCertificate, NotReached } from "../../../operations/erase/certificate.ts";
import { type ErasureScope, erase } from "../../../operations/erase/erase.ts";
import { jsonText } from "../../../output/json/escaped-json.ts";
import type { ExitCode, Input, Output } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type StateOptions, collect, withInput, withState } from "../program/command-options.ts";

interface EraseCommandOptions extends StateOptions {
  readonly plan: readonly string[];
  readonly autoApprove: boolean;
  readonly json: boolean;
}

/** Erases people from everything that is kept of the state. Sends nothing. */
export const eraseCommand: CommandDefinition<EraseCommandOptions, readonly [emails: readonly string[]]> = {
  name: "erase",
  description: "replaces a person's address by a keyed hash in state, backups and saved plans, and certifies it",
  example: { lines: ["outreach erase ada@example.com", "outreach erase ada@example.com --auto-approve --json"] },
  declare: (command) =>
    withInput(withState(command))
      .argument("<emails...>", "the addresses of the people")
      .option(
        "--plan <path>",
        "a saved plan outside of the working folder, removed if it contains one of them; repeatable",
        collect,
        [],
      )
      .option("--auto-approve", "do not ask for approval", false)
      .option("--json", "print the certificate as JSON", false),
  forTeams: { json: "document" },
  run: async (context, { options, operands: [typed] }): Promise<ExitCode> => {
    const { autoApprove, json } = options;
    if (!autoApprove && (!context.ask || json)) throw approvalRequired(context, json);
    const certificate = await erase(context, options, {
      typed,
      approve: async (scope) => autoApprove || confirmed(context, scope),
    });
    if (certificate === null) {
      context.summarize("Cancelled.");
      context.out("\nErase cancelled. Nothing was changed.\n");
      return 1;
    }
    context.summarize(outcomeOf(certificate));
    context.out(json ? `${jsonText(jsonOf(certificate), { indented: true })}\n` : textOf(certificate));
    return 0;
  },
};

async function confirmed(
  { ask, cannotAsk, paint }: Input & Output,
  { state, done, waiting }: ErasureScope,
): Promise<boolean> {
  if (!ask) throw approvalRequired({ cannotAsk }, false);
  const text = [
    paint("bold", "Do you really want to erase?"),
    `  outreach will replace ${countOf(done, "record")} of ${state} by keyed hashes, and remove ${countOf(waiting, "waiting record")}.`,
    "  This cannot be undone. Only 'yes' will be accepted to confirm.\n\n",
  ].join("\n");
  return (await ask({ text, prompt: "  Enter a value: " })) === "yes";
}

function approvalRequired({ cannotAsk }: Pick<Input, "cannotAsk">, json: boolean): DiagnosticsError {
  return DiagnosticsError.of("approval_missing", "Approval required", {
    detail: `erase asks for a typed yes, but ${json ? "--json disables the question" : cannotAsk}. Nothing was changed.`,
    hint: "If a person has approved it, pass --auto-approve.",
  });
}

const KINDS: { readonly [kind in ErasedPlace["kind"]]: string } = {
  state: "record",
  outputs: "output",
  journal: "journal",
  backup: "backup",
  version: "earlier version",
  plan: "saved plan",
};

function outcomeOf({ people, erased }: ErasureCertificate): string {
  if (erased.length > 0) return `Erase complete: ${countOf(people.length, "person", "people")}.`;
  return people.some(({ before }) => before > 0)
    ? "Nothing to erase: everything was erased before."
    : "Nothing to erase: nothing was recorded.";
}

function textOf(certificate: ErasureCertificate): string {
  const { people, erased, notReached } = certificate;
  const persons = people.map(({ argument, hash, done, waiting, before }) => {
    const parts = [
      ...(done > 0 ? [`${String(done)} done, recognized if declared again`] : []),
      ...(waiting > 0 ? [`${String(waiting)} waiting, no longer watched`] : []),
      ...(before > 0 ? [`${String(before)} erased before`] : []),
    ];
    return `  Argument ${String(argument)}${hash === null ? "" : ` (#${hash})`}: ${parts.length === 0 ? "nothing was recorded" : parts.join("; ")}\n`;
  });
  const places = erased.map(({ kind, name, count }) => `  ${countOf(count, KINDS[kind])}: ${name}\n`);
  const rest = notReached.map((one) => `  ${notReachedText(one)}\n`);
  return [
    `${outcomeOf(certificate)}\n`,
    `\n${persons.join("")}`,
    places.length === 0 ? "" : `\nErased:\n${places.join("")}`,
    `\nNot reached:\n${rest.join("")}`,
  ].join("");
}

function notReachedText({ kind, file, line, detail }: NotReached): string {
  const place = file === undefined ? "" : `${file}${line === undefined ? "" : ` line ${String(line)}`}`;
  if (kind === "list") return file === undefined ? (detail ?? "") : `${place} still declares the person`;
  return [place, detail ?? "still contains the address"].filter((part) => part !== "").join(": ");
}

/** As JSON values: the certificate has nothing else. */
function jsonOf({ format, erasedAt, state, team, people, erased, notReached }: ErasureCertificate) {
  return {
    format,
    erased_at: erasedAt,
    state,
    ...(team === undefined ? {} : { team }),
    people: people.map((one) => ({ ...one })),
    erased: erased.map((one) => ({ ...one })),
    not_reached: notReached.map((one) => ({ ...one })),
  };
}
