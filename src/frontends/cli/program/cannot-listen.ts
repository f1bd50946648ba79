import { DiagnosticsError } from "../../../core/model/diagnostic.ts";

/** What to do about an address on which nobody can listen. */
export interface ListenHints {
  readonly otherPort: string;
  readonly otherHost: string;
}

/** The error of a server that could not listen, for people; any other error as it is. */
export function cannotListen(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  hints: ListenHints,
): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  const found = PROBLEMS[code];
  if (!found) return error;
  const [detail, hint] = found(host, String(port), hints);
  return DiagnosticsError.of("listen_failed", "Cannot listen", { detail, hint });
}

const NO_ADDRESS: Problem = (host, _, { otherHost }) => [`${host} is not an address of this machine.`, otherHost];
const PROBLEMS: { readonly [code: string]: Problem } = {
  EADDRINUSE: (_, port, { otherPort }) => [`Another program listens on port ${port}.`, otherPort],
  EACCES: (_, port, { otherPort }) => [`The system does not let you listen on port ${port}.`, otherPort],
  EADDRNOTAVAIL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
};

type Problem = (host: string, port: string, hints: ListenHints) => readonly [detail: string, hint: string];
