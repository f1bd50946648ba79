import { DiagnosticsError } from "../../../core/model/diagnostic.ts";

/** The format that `--json` and `--format` name. Throws if they name two. */
export function formatName<T extends string>({ json, format }: { readonly json: boolean; readonly format: T }): T | "json" {
  if (!json) return format;
  if (format === "text" || format === "json") return "json";
  throw DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: `--json and --format ${format} name two formats.`,
    hint: "Pass one of them.",
  });
}
