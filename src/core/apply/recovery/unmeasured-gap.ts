import type { AnyResource, LiveObject } from "../../model/definition.ts";
import { isoTime } from "../../model/iso-time.ts";
import type { PendingIntent } from "../../state/journal-event.ts";

/*
 * The gap of a delete-first replace that no run measured, as far as it is known, for the end of a note: a sentence without its full
 * stop, or nothing. The times of requests are by the local clock, that of the new object is the service's.
 */

/** The gap of a replace whose delete was carried out, and whose answer is not stored. */
export function gapAfterOpenDelete(
  { effects }: AnyResource,
  { intent: { op, order, ahead, sentAtMs } }: PendingIntent,
): string {
  const isKnown = op === "replace" && order !== "create-first" && ahead !== true;
  return isKnown && effects
    ? `. It was sent at ${isoTime(sentAtMs)}: ${effects.missing} until the next one exists`
    : "";
}

/** The gap of a replace in its second half; `created` is the new object, if it was found. */
export function gapAfterDelete(
  { noun, effects, createdAt }: AnyResource,
  { deletedAtMs }: PendingIntent,
  created?: LiveObject,
): string {
  if (deletedAtMs === undefined || !effects) return "";
  const deleted = `The old ${noun} was deleted at ${isoTime(deletedAtMs)}`;
  if (!created) return `. ${deleted}: ${effects.missing} until the next one exists`;
  const made = createdAt === undefined ? undefined : created.attributes[createdAt];
  return typeof made === "string"
    ? `. ${deleted}, and the new one created at ${made}: ${effects.missing} in between`
    : "";
}
