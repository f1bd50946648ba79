import { DiagnosticsError } from "../../core/model/diagnostic.ts";

/** The error `ci_permission_missing`: the token may not do what is needed. */
export class MissingPermission extends DiagnosticsError {
  constructor({ request, status, words, hint }: { readonly request: string; readonly status: number; readonly words: string; readonly hint: string }) {
    const detail = `${request} answered ${String(status)}${words === "" ? "" : `: ${words}`}.`;
    super([{ code: "ci_permission_missing", severity: "error", summary: "The token lacks a permission", detail, hint }]);
  }
}
