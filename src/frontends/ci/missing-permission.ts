import { DiagnosticsError, errorOf } from "../../core/model/diagnostic.ts";

interface Refusal {
  /** Method and URL. */
  readonly request: string;
  readonly status: number;
  /** What the server said. */
  readonly words: string;
  readonly hint: string;
}

/** The error `ci_permission_missing`: the token may not do what is needed. */
export class MissingPermission extends DiagnosticsError {
  constructor(refusal: Refusal) {
    super([errorOf("ci_permission_missing", "The token lacks a permission", { detail: detailOf(refusal), hint: refusal.hint })]);
  }
}

/** The error `ci_token_invalid`: nobody has this token. */
export function invalidToken(refusal: Refusal): DiagnosticsError {
  return DiagnosticsError.of("ci_token_invalid", "The token is not valid", { detail: detailOf(refusal), hint: refusal.hint });
}

function detailOf({ request, status, words }: Refusal): string {
  return `${request} answered ${String(status)}${words === "" ? "" : `: ${words}`}.`;
}
