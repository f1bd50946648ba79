import { type Diagnostic, DiagnosticsError, errorText, errorOf, warningOf } from "../../model/diagnostic.ts";
import type { AnyResource } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { waysToResolve } from "../../plan/undecided.ts";
import { type PendingIntent, openRequest } from "../../state/journal-event.ts";

/** The cause of an outcome that nothing else explains. */
export const NO_ANSWER_STORED = "the run ended before the service's answer was stored";

export function undecidedDiagnostic(
  { noun }: AnyResource,
  { half, cause }: { readonly half: "create" | "delete"; readonly cause: string },
): Diagnostic {
  const next =
    half === "create"
      ? `It is not sent again until this is resolved, since that could create a duplicate ${noun}.`
      : `The ${noun} stays recorded: the next apply looks for it, and deletes it if it still exists.`;
  return errorOf("outcome_undecided", "The outcome of a write is undecided", {
    detail: `The service may or may not have carried it out: ${cause}. ${next}`,
  });
}

/** The error at the end of a run about a write that was sent, and whose outcome the run could not find out. */
export function leftOpenAtTheEnd(pending: PendingIntent): Pick<Diagnostic, "detail" | "hint" | "ways"> {
  const { address, type } = pending.intent;
  const cause = pending.cause ?? "it ended without an answer";
  return {
    detail: `The ${openRequest(pending).words} of ${address ?? type} may or may not have been carried out: ${cause}. This is recorded.`,
    hint: "The next apply looks for it before it sends anything.",
    ways: [{ kind: "apply" }, ...waysToResolve({ address, type })],
  };
}

/** A write that nothing can look up afterwards. A watched one is sent again by itself. */
export function unconfirmedDiagnostic(
  { noun, type }: AnyResource,
  {
    address,
    cause,
    isWatched = false,
  }: { readonly address: string | null; readonly cause: string; readonly isWatched?: boolean },
): Diagnostic {
  if (isWatched)
    return warningOf("outcome_unconfirmed", "The outcome of a write is unconfirmed", {
      detail: `The service may or may not have carried out this ${noun}: ${cause}. It is recorded as unconfirmed, and the next run sends it again.`,
      address: address ?? undefined,
    });
  return errorOf("outcome_unconfirmed", "The outcome of a write is unconfirmed", {
    detail: `The service may or may not have carried out this ${noun}: ${cause}. It is recorded as unconfirmed, and is sent again only if you request it.`,
    ways: waysToResolve({ address, type }),
    ...(address === null ? {} : { address }),
  });
}

/** The write is done, but no file records it: the user must at least learn what was created. */
export function notRecorded(
  { noun, irreversible }: AnyResource,
  { address, type, id }: RecordedInstance,
  error: unknown,
): DiagnosticsError {
  const done = irreversible ? `The ${noun} was carried out` : `The ${noun} ${String(id)} was created`;
  return new DiagnosticsError(
    [
      errorOf("outcome_not_recorded", "An outcome could not be recorded", {
        detail: `${done}, but writing the journal failed: ${errorText(error)}. Nothing else was sent.`,
        hint: "Free space on the disk, then record it:",
        ways: [
          irreversible || id === null ? { kind: "forget", address } : { kind: "import", address, type, ids: [id] },
        ],
        address,
      }),
    ],
    { undecided: true },
  );
}

/** The list shows the object of a create, and the answer does not. */
export function createdAlthoughRejected({ noun }: AnyResource, { detail }: Diagnostic, id: string): Diagnostic {
  return warningOf("created_although_rejected", `A ${noun} was created, although the answer says otherwise`, {
    detail: `${detail} The service's list shows ${id}, which did not exist before and has these values. It is recorded.`,
  });
}

/** An earlier create that the service rejected turns out to have made the object. */
export function createdByEarlier({ noun }: AnyResource, id: string): Diagnostic {
  return warningOf("created_although_rejected", `A ${noun} was created, although the answer says otherwise`, {
    detail: `The service rejected an earlier create of this ${noun}, and its list shows ${id} now, which did not exist before and has these values. It is recorded. Nothing was sent.`,
  });
}

/** The service rejected a create, and its list does not show that nothing exists. `candidates` may have come from it. */
export function maybeCreated({ noun }: AnyResource, diagnostic: Diagnostic, candidates: readonly string[]): Diagnostic {
  const shown = `The service's list shows ${candidates.join(", ")}, which may have come from it.`;
  const unread = "The service's list could not be read after that.";
  return {
    ...diagnostic,
    detail: `${diagnostic.detail} ${candidates.length > 0 ? shown : unread} If this ${noun} exists, the next plan reports it.`,
  };
}

/** The service answered a create with the id of an object that existed before. */
export function idOfAnother(
  { noun, type }: AnyResource,
  { address, id, isManaged }: { readonly address: string | null; readonly id: string; readonly isManaged: boolean },
): Diagnostic {
  const owner = isManaged
    ? "This configuration already manages it at another address."
    : "It may belong to somebody else, so it is not recorded.";
  return errorOf("id_of_another", `The service answered with another ${noun}`, {
    detail: `The answer to the create has the id ${id}, and the service's list showed ${id} before it was sent. ${owner}`,
    ...(isManaged ? {} : { ways: [{ kind: "import", address, type, ids: [id] }] }),
  });
}

/** The error of a create-first replace whose create was refused: the old object stays. */
export function oldOneStays(
  diagnostic: Diagnostic,
  { address, type }: { readonly address: string | null; readonly type: string },
): Diagnostic {
  const hint = "The old one is still current. If the service refuses two of them at once, delete the old one first:";
  return {
    ...diagnostic,
    hint: diagnostic.hint === undefined ? hint : `${diagnostic.hint}\n${hint}`,
    ways: [
      { kind: "set-attribute", address, type, attribute: "rotation", value: "delete_first" },
      ...(diagnostic.ways ?? []),
    ],
  };
}

/** The error of a create-first replace whose delete failed: the new object exists, and the old one still does. */
export function oldOneLeft({ noun, effects }: AnyResource, diagnostic: Diagnostic, id: string): Diagnostic {
  return {
    ...diagnostic,
    detail: `${diagnostic.detail} The new ${noun} is current, but the old one, ${id}, could not be deleted${effects ? `: ${effects.duplicate}` : ""}.`,
    hint: "The old one is deposed: the next apply deletes it.",
  };
}

/** The cause of an unconfirmed outcome: the service rejected a retry. The rejection says nothing about the attempt before it. */
export function afterLostAnswer({ detail }: Diagnostic): string {
  return `the answer to an earlier attempt was lost, and the retry failed: ${detail.replace(/\.$/, "")}`;
}

/** The service reports that there is no such object, and the list does not prove it. `address` is empty where it is not known. */
export function notProvenGone({ noun, type }: AnyResource, diagnostic: Diagnostic, address: string): Diagnostic {
  return {
    ...diagnostic,
    detail: `${diagnostic.detail} The service's list does not prove that the ${noun} is gone: it may be truncated, or still show it.`,
    ways: [{ kind: "remove-record", address: address === "" ? null : address, type }],
  };
}
