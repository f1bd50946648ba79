import { type Diagnostic, DiagnosticsError } from "../../model/diagnostic.ts";
import type { AnyResource } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { shellWord } from "../../model/shell-word.ts";
import { type PendingIntent, openRequest } from "../../state/journal-event.ts";

/** The ways out of an undecided outcome, as commands. */
export function resolveCommands(address: string | null, { adopt = [] }: { readonly adopt?: readonly string[] } = {}): readonly string[] {
  const where = shellWord(address ?? "ADDR");
  return [
    ...adopt.map((id) => `Take it over:          outreach resolve ${where} --adopt ${id}`),
    `Have it done again:    outreach resolve ${where} --retry`,
    `Give it up:            outreach resolve ${where} --forget`,
  ];
}

export function undecidedDiagnostic({ noun }: AnyResource, cause: string): Diagnostic {
  return {
    code: "outcome_undecided",
    severity: "error",
    summary: "The outcome of a write is undecided",
    detail: `The service may or may not have carried it out: ${cause}. It is not sent again before that is settled: a ${noun} could be doubled.`,
  };
}

/** What a run says at its end of a write that it has sent and not found out about. */
export function leftOpenAtTheEnd(pending: PendingIntent): Pick<Diagnostic, "detail" | "hint"> {
  const { address, type } = pending.intent;
  const cause = pending.cause ?? "it ended without an answer";
  return {
    detail: `The ${openRequest(pending).words} of ${address ?? type} may or may not have been carried out: ${cause}. This is recorded.`,
    hint: ["Run outreach apply again: it looks for what was sent before it sends anything. Otherwise:", ...resolveCommands(address)].join("\n"),
  };
}

/** A write that nothing can look up afterwards. */
export function unconfirmedDiagnostic({ noun }: AnyResource, { address, cause }: { readonly address: string | null; readonly cause: string }): Diagnostic {
  return {
    code: "outcome_unconfirmed",
    severity: "error",
    summary: "The outcome of a write is unconfirmed",
    detail: `The service may or may not have carried out this ${noun}: ${cause}. It is recorded as unconfirmed, and never sent again without being asked.`,
    ...(address === null ? {} : { address, hint: resolveCommands(address).join("\n") }),
  };
}

/** It is done, but no file tells so: what was made must at least be seen. */
export function notRecorded({ noun, irreversible }: AnyResource, { address, id }: RecordedInstance, error: unknown): DiagnosticsError {
  const done = irreversible ? `The ${noun} was carried out` : `The ${noun} ${String(id)} was created`;
  const recording = irreversible ? `outreach resolve ${shellWord(address)} --forget` : `outreach import ${shellWord(address)} ${String(id)}`;
  return new DiagnosticsError([
    {
      code: "outcome_not_recorded",
      severity: "error",
      summary: "An outcome could not be recorded",
      detail: `${done}, but the journal could not be written: ${error instanceof Error ? error.message : String(error)}. Nothing more was sent.`,
      hint: `Make room on the disk, then run: ${recording}`,
      address,
    },
  ]);
}

/** Of a create-first replace: what was there before stays. */
export function oldOneStays(diagnostic: Diagnostic): Diagnostic {
  const hint = "The old one is still current. Where the service refuses two of them at once, set rotation: delete_first.";
  return { ...diagnostic, hint: diagnostic.hint === undefined ? hint : `${diagnostic.hint}\n${hint}` };
}

/** Of a create-first replace: the new one is there, and the old one is there still. */
export function oldOneLeft({ noun }: AnyResource, diagnostic: Diagnostic, id: string): Diagnostic {
  return {
    ...diagnostic,
    detail: `${diagnostic.detail} The new ${noun} is current, but the old one, ${id}, could not be deleted: both deliver events.`,
    hint: "The old one is deposed: the next apply deletes it.",
  };
}

/** The service knows no such object, after an attempt whose answer was lost. */
export function goneMeanwhile(diagnostic: Diagnostic): Diagnostic {
  const { hint: _, ...rest } = diagnostic;
  return {
    ...rest,
    severity: "warning",
    detail: `${diagnostic.detail} An attempt before, whose answer was lost, may have been the one that was carried out; it is recorded as done.`,
  };
}
