import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { CommentThread, PostedComment } from "./host-thread.ts";

/** What became of the comment. `none`: there was none to update, and none was wanted. `later`: it is of a later run, and stays. */
export type KeptComment =
  | {
      readonly outcome: "created" | "updated" | "unchanged" | "later";
      readonly url: string | null;
      readonly removed: number;
    }
  | { readonly outcome: "none" };

interface Wanted {
  /** Its first line is a marker. */
  readonly body: string;
  /** Whether a comment is created where there is none. */
  readonly isCreated: boolean;
  readonly sleep: (durationMs: number) => Promise<void>;
}

const MAX_PAGES = 100;
const MAX_ROUNDS = 4;
const LISTING_DELAY_MS = 2000;

/**
 * Creates or updates the comment whose marker has the same subject, and that the same author has written. A marker anywhere else, and
 * one in a comment of anybody else, does not count. The comment of a later run stays: a plan of an older commit must not replace it.
 *
 * Two jobs at once may both find no comment, and both create one. So each looks again after it has created one: the oldest stays,
 * and each removes the newer ones. A create whose answer got lost is found in the same way.
 */
export async function keepComment(thread: CommentThread, { body, isCreated, sleep }: Wanted): Promise<KeptComment> {
  const marker = readMarker(firstLine(body));
  const author = await thread.author();
  let created: PostedComment | null = null;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const own = await ownComments(thread, { subject: marker.subject, author });
    const later = own.find(({ body: posted }) => (readMarker(firstLine(posted)).run ?? 0) > (marker.run ?? Infinity));
    if (later) return { outcome: "later", url: later.url, removed: await removeOwn(thread, created) };
    const [oldest, ...newer] = own;
    if (oldest) {
      const isSame = sameText(oldest.body, body);
      if (!isSame) await thread.update(oldest.id, body);
      for (const { id } of newer) await thread.remove(id);
      const isNew = created !== null && oldest.id === created.id;
      return { outcome: isNew ? "created" : isSame ? "unchanged" : "updated", url: oldest.url, removed: newer.length };
    }
    if (!isCreated) return { outcome: "none" };
    if (round > 1) await sleep(LISTING_DELAY_MS);
    // A comment that is certainly there may take a moment to be listed. It is not created again.
    if (!created && round < MAX_ROUNDS) created = await thread.create(body);
  }
  if (created) return { outcome: "created", url: created.url, removed: 0 };
  throw notCreated(thread.name);
}

async function removeOwn(thread: CommentThread, created: PostedComment | null): Promise<number> {
  if (created) await thread.remove(created.id);
  return created ? 1 : 0;
}

/** From the oldest to the newest. */
async function ownComments(
  thread: CommentThread,
  { subject, author }: { readonly subject: string; readonly author: string },
): Promise<readonly PostedComment[]> {
  const own: PostedComment[] = [];
  for (let number = 1; number <= MAX_PAGES; number++) {
    const { comments, isLast } = await thread.page(number);
    own.push(
      ...comments.filter(
        (comment) => comment.author === author && readMarker(firstLine(comment.body)).subject === subject,
      ),
    );
    if (isLast) return own.toSorted((one, other) => one.id - other.id);
  }
  throw tooMany(thread.name);
}

function firstLine(text: string): string {
  const [line = ""] = text.split(/\r?\n/, 1);
  return line;
}

/** Hosts may store other line ends, and cut off space at the end. */
function sameText(one: string, other: string): boolean {
  const plain = (text: string): string => text.replaceAll("\r\n", "\n").trimEnd();
  return plain(one) === plain(other);
}

function tooMany(name: string) {
  return DiagnosticsError.of("ci_comments_too_many", "Too many comments", {
    detail: `The ${name} has more than ${String(MAX_PAGES)} pages of comments. outreach stopped looking for its own, and created none.`,
    hint: "Open another one for further changes.",
  });
}

function notCreated(name: string) {
  return DiagnosticsError.of("ci_unreachable", "Cannot create the comment", {
    detail: `The server of the ${name} failed ${String(MAX_ROUNDS - 1)} times, and its list of comments does not show the comment.`,
    hint: "Run the job again.",
  });
}

/** What a marker says: what the report is about, and the run that wrote it; null if it names none. */
interface ReadMarker {
  readonly subject: string;
  readonly run: number | null;
}

/** Reads what `markerLine` of the Markdown format writes. */
function readMarker(line: string): ReadMarker {
  const [, subject = line, trace = ""] = /^(<!-- .*? -->)(?:<!-- (.*) -->)?\s*$/.exec(line) ?? [];
  const [, run] = /^run (\d{1,15})\b/.exec(trace) ?? [];
  return { subject, run: run === undefined ? null : Number(run) };
}
