import { ServiceError } from "./service-errors.ts";

/** How a list is paged: by `offset`, or by `page`, whose first page is 1 or 0. */
export type Paging = "offset" | "page" | "page-from-0";

export type PageQuery = { readonly [name: string]: string };

/** Reads one answer of a list. Throws `ServiceError`. */
export type ReadPage<T> = (query: PageQuery) => Promise<readonly T[]>;

/** Everything behind the plain answer of a list. */
export interface FurtherPages<T> {
  /** The records that the plain answer does not show. */
  readonly records: readonly T[];
  /** Whether an empty page showed that nothing follows. */
  readonly isWhole: boolean;
  /** The parameter that has an effect; null where none has. */
  readonly paging: Paging | null;
}

const MAX_PAGES = 1000;

interface Attempt {
  readonly paging: Paging;
  /** The query of a further page: its number, from 1, and how many records came before it. */
  readonly query: (page: number, count: number) => PageQuery;
}

const BY_OFFSET: Attempt = { paging: "offset", query: (_, count) => ({ offset: String(count) }) };
const FROM_0: Attempt = { paging: "page-from-0", query: (page) => ({ page: String(page) }) };
const FROM_1: Attempt = { paging: "page", query: (page) => ({ page: String(page + 1) }) };

/**
 * Asks for everything behind the plain answer: by `offset`, and by `page` where that is `known`, or `isThorough`. A page with
 * new records: reads on. An empty page: the list is whole. Only known records, or a refusal: the parameter is ignored.
 * Throws `ServiceError` after 1,000 pages.
 */
export async function furtherPages<T extends { readonly _id: string }>(
  first: readonly T[],
  read: ReadPage<T>,
  { known, isThorough }: { readonly known: string | null; readonly isThorough: boolean },
): Promise<FurtherPages<T>> {
  const byOffset = async () => followPages(first, read, BY_OFFSET);
  const byPage = async () => (isThorough || (known !== null && known !== "offset") ? readByPage(first, read) : null);
  const isOffset = known === null || known === "offset";
  return (
    (await (isOffset ? byOffset() : byPage())) ??
    (await (isOffset ? byPage() : byOffset())) ?? { records: [], isWhole: false, paging: null }
  );
}

/** Some services count pages from 0: then `page=1` is the second one. */
async function readByPage<T extends { readonly _id: string }>(
  first: readonly T[],
  read: ReadPage<T>,
): Promise<FurtherPages<T> | null> {
  const one = await unlessRefused(read, { page: "1" });
  if (one === null) return null;
  const ids = new Set(one.map(({ _id }) => _id));
  const isFirst = first.every(({ _id }) => ids.has(_id));
  if (one.length > 0 && (isFirst || isKnown(first, one))) {
    const further = await followPages(first, read, FROM_1);
    // An empty second page proves nothing where the first one is not the plain answer.
    return further && !isFirst && further.records.length === 0 ? null : further;
  }
  return followPages(first, (query) => (query["page"] === "1" ? Promise.resolve(one) : read(query)), FROM_0);
}

function isKnown<T extends { readonly _id: string }>(first: readonly T[], page: readonly T[]): boolean {
  const ids = new Set(first.map(({ _id }) => _id));
  return page.every(({ _id }) => ids.has(_id));
}

/** Null where the parameter is ignored. */
async function followPages<T extends { readonly _id: string }>(
  first: readonly T[],
  read: ReadPage<T>,
  { paging, query }: Attempt,
): Promise<FurtherPages<T> | null> {
  const seen = new Set(first.map(({ _id }) => _id));
  const records: T[] = [];
  // Counts records, not ids: a service that lists a record twice also pages by records.
  let count = first.length;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const parameters = query(page, count);
    const next = page === 1 ? await unlessRefused(read, parameters) : await read(parameters);
    if (next?.length === 0) return { records, isWhole: true, paging };
    const fresh = next?.filter(({ _id }) => !seen.has(_id)) ?? [];
    if (fresh.length === 0) return page === 1 ? null : { records, isWhole: false, paging };
    for (const record of fresh) seen.add(record._id);
    records.push(...fresh);
    count += next?.length ?? 0;
  }
  throw new ServiceError(`GET /hooks: the list has more than ${String(MAX_PAGES)} pages`);
}

/** Null where the first further page is refused: the service does not know the parameter. */
async function unlessRefused<T>(read: ReadPage<T>, query: PageQuery): Promise<readonly T[] | null> {
  try {
    return await read(query);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Statuses of errors that have nothing to do with a parameter: the key, time-outs, the rate limit. */
const OTHER_CAUSES: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

function isRefusal(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.status === null || error.known !== null) return false;
  return error.status >= 400 && error.status < 500 && !OTHER_CAUSES.has(error.status);
}
