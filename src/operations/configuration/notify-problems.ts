import type { Argument, NotifyTarget } from "../../core/config/block.ts";
import { type Diagnostic, type Place, errorOf } from "../../core/model/diagnostic.ts";
import { parseUrl } from "../../core/model/parse-url.ts";
import { isSecureUrl } from "../../service/api/service-path.ts";
import type { SettledConfiguration } from "../context.ts";
import { settingText } from "./setting-text.ts";

/** The URL of a notice's receiver, or the problem as a sentence that does not quote it. */
export function noticeUrl(text: string): { readonly url: URL } | { readonly problem: string } {
  const url = parseUrl(text);
  if (url === null) return { problem: "its url is not a URL." };
  if (isSecureUrl(url)) return { url };
  return {
    problem:
      url.protocol === "http:" ? "plain http only reaches this machine: use https." : "its url does not use https.",
  };
}

/** The mistakes in what the section `notify` names, without the values: the URL of a channel is a secret. */
export function notifyProblems(settled: SettledConfiguration): readonly Diagnostic[] {
  return (settled.configuration.notify ?? []).flatMap((target) => [
    ...urlProblems(target, settled),
    ...target.command.flatMap(
      (word, index) => settingText(word, settled, (written) => target.locate(["command", index], written)).diagnostics,
    ),
  ]);
}

function urlProblems({ name, url, locate }: NotifyTarget, settled: SettledConfiguration): readonly Diagnostic[] {
  if (url === null || url.kind === "secret") return [];
  const { value, diagnostics } = settingText(url, settled, (written) => locate(["url"], written));
  if (value === null) return diagnostics;
  const checked = noticeUrl(value);
  const problem =
    "problem" in checked ? checked.problem : hasPassword(url, checked.url) ? "its url has a password in it." : null;
  return problem === null ? [] : [invalidUrl(`notify.${name}: ${problem}`, locate(["url"]))];
}

/** In the file itself. One that comes from a variable can be a secret. */
function hasPassword({ kind }: Argument, { password }: URL): boolean {
  return kind === "literal" && password !== "";
}

function invalidUrl(detail: string, place: Place | undefined): Diagnostic {
  return errorOf("notify_url", "Invalid URL for notifications", {
    detail,
    hint: "Write an https URL. One that is a secret belongs in an environment variable: url: { env: NAME }.",
    place,
  });
}
