import { parseUrl } from "../../../../core/model/parse-url.ts";
import { WebFailure, type Web, type BodySink, type WebResponse } from "../../../../core/model/web.ts";
import { type CallerOptions, authorization, printableMessage } from "../../../../service/api/caller.ts";
import { errorMessage } from "../../../../service/api/service-errors.ts";
import { isSecureUrl } from "../../../../service/api/service-path.ts";

/** The address of a finished export's file, or the problem with it as a sentence. */
export function exportFile({
  url,
}: {
  readonly [field: string]: unknown;
}): { readonly url: URL } | { readonly problem: string } {
  if (typeof url !== "string" || url === "") return { problem: "The service gave no address of the CSV file." };
  const parsed = parseUrl(url);
  if (parsed === null) return { problem: "The service gave an address of the CSV file that is not a URL." };
  if (parsed.username !== "" || parsed.password !== "")
    return { problem: "The address of the CSV file contains a user name or a password." };
  if (!isSecureUrl(parsed)) return { problem: "The address of the CSV file does not use https." };
  return { url: parsed };
}

/** Why a file was not downloaded. */
export interface FailedDownload {
  readonly cause: string;
  /** Whether another attempt may succeed. */
  readonly mayPass: boolean;
}

/** What is wrong with a file that a server has sent to its end. */
function problemOf(
  { headers, begin, bytes }: WebResponse & { readonly begin: Uint8Array; readonly bytes: number },
  size: number | null,
): FailedDownload | null {
  if (OTHER_TYPES.test(headers["content-type"] ?? "") || isOther(begin))
    return { cause: "a file that is not CSV", mayPass: false };
  if (bytes <= begin.length && beginOf(begin).trim() === "") return { cause: "an empty file", mayPass: true };
  if (size !== null && bytes < size) return { cause: `with ${String(bytes)} of ${String(size)} bytes`, mayPass: true };
  // Such a file ends with its connection, also where that is cut.
  const hasEnd = headers["content-length"] !== undefined || /chunked/i.test(headers["transfer-encoding"] ?? "");
  return hasEnd || size === bytes ? null : { cause: "a file without a length", mayPass: true };
}

const BEGIN_BYTES = 1024;

/** Whether a file begins as pages, JSON, XML, journals and binary files do, and no CSV. UTF-16 has zeros. */
export function isOther(begin: Uint8Array): boolean {
  // oxlint-disable-next-line no-control-regex -- no CSV has them
  return /^\s*(?:[\da-f]{8} )?[<{[]|^[^\n]*[\x01-\x08\x0e-\x1f]/.test(beginOf(begin));
}

function beginOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, BEGIN_BYTES));
}

const OTHER_TYPES = /^(?:text\/html|[^;]*(?:json|xml|pdf|zip))\b/i;

/**
 * Downloads the file of an export into `into`, however large it is; null if all of it is there, and may be CSV. Follows no
 * redirect. Only the service's own origin gets the API key, and only its requests count against the rate limit.
 */
export async function downloadExport(
  options: CallerOptions,
  {
    url,
    web,
    size,
    into,
    signal,
  }: {
    readonly url: URL;
    readonly web: Pick<Web, "send">;
    /** In bytes, where the service has announced it. */
    readonly size: number | null;
    readonly into: BodySink;
    readonly signal: AbortSignal;
  },
): Promise<FailedDownload | null> {
  const where = `GET ${url.origin}${url.pathname}`;
  const isOwn = url.origin === new URL(options.baseUrl).origin;
  const slot = isOwn ? await options.pacer.reserve(1, signal) : null;
  const headers = {
    accept: "*/*",
    "user-agent": options.userAgent,
    ...(isOwn ? { authorization: authorization(options) } : {}),
  };
  let bytes = 0;
  let begin: Uint8Array = new Uint8Array();
  try {
    const answered = slot?.take();
    const response = await web.send(
      { method: "GET", url, headers, body: null, timeoutMs: options.timeoutMs },
      signal,
      (part) => {
        bytes += part.length;
        if (begin.length < BEGIN_BYTES) begin = Buffer.concat([begin, part.subarray(0, BEGIN_BYTES)]);
        return into(part);
      },
    );
    answered?.(response);
    const { status } = response;
    if (status === 200) {
      const failed = problemOf({ ...response, begin, bytes }, size);
      return failed && { ...failed, cause: `${where}: 200 ${failed.cause}` };
    }
    const words =
      status >= 300 && status < 400
        ? "a redirect, which is not followed"
        : printableMessage(options, errorMessage(new TextDecoder().decode(response.body)));
    return { cause: `${where}: ${String(status)} ${words}`, mayPass: status === 429 || status >= 500 };
  } catch (error) {
    if (!(error instanceof WebFailure)) throw error;
    return {
      cause: `${where}: ${printableMessage(options, error.message)}`,
      mayPass: error.problem?.isTemporary ?? true,
    };
  } finally {
    slot?.release();
  }
}
