import type { Problem } from "../../core/model/attribute.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Attributes, Value } from "../../core/model/value.ts";
import { isSecureUrl, parseUrl } from "../api/service-path.ts";

const MAX_URL_LENGTH = 2048;

export function checkTargetUrl(value: Value): Problem | undefined {
  if (typeof value !== "string") return undefined;
  const problem = targetUrlProblem(value);
  return problem && { code: "target_url_invalid", summary: "Invalid target URL", ...problem };
}

export function canonicalUrl(value: Value): Value {
  return (typeof value === "string" ? parseUrl(value)?.href : undefined) ?? value;
}

function targetUrlProblem(text: string): Pick<Problem, "detail" | "hint"> | undefined {
  if (text.length > MAX_URL_LENGTH) return { detail: `target_url has ${String(text.length)} characters; at most 2,048 are accepted.`, hint: "Shorten it." };
  if (/[\s\p{Cc}]/u.test(text)) return { detail: "target_url holds white space or a control character.", hint: "Take it out, or write it as in %20." };
  const [placeholder] = /\$[A-Za-z_]\w*/.exec(text) ?? [];
  const url = parseUrl(text);
  if (url === null && placeholder !== undefined)
    return {
      detail: `target_url is not an absolute URL: nothing replaces ${placeholder}.`,
      hint: "Write it in full, or refer to a variable as in ${var.host}.",
    };
  if (url === null) return { detail: "target_url is not an absolute URL.", hint: "Write it in full, as in https://crm.example.com/hooks/replies." };
  if (url.username !== "" || url.password !== "") {
    return {
      detail: "target_url carries a user name or a password, which would be stored and shown.",
      hint: "Use secret to let the receiver verify the sender.",
    };
  }
  if (!isSecureUrl(url)) {
    return {
      detail: `target_url uses ${url.protocol.slice(0, -1)}: events carry personal data of leads, and the secret.`,
      hint: "Use https; http is accepted for loopback hosts only.",
    };
  }
  return undefined;
}

/** `{{name}}` and `${name}` anywhere, `$NAME` in capitals anywhere, and `$name` or `{name}` in the host. */
const PLACEHOLDERS = [/\{\{[^{}]*\}\}/, /\$\{[^{}]*\}/, /\$[A-Z][A-Z0-9_]+/, /(?<=^[a-z]+:\/\/[^/?#]*)(?:\$\w+|\{\w+\})/];

/** A template of another tool that nobody has filled in is a valid URL. */
export function placeholderWarnings({ target_url: url = null }: Attributes): readonly Diagnostic[] {
  if (typeof url !== "string" || targetUrlProblem(url)) return [];
  const [found] = PLACEHOLDERS.flatMap((pattern) => pattern.exec(url)?.[0] ?? []);
  if (found === undefined) return [];
  return [
    {
      code: "target_url_placeholder",
      severity: "warning",
      summary: "A placeholder in the target URL",
      detail: `target_url contains ${found}, which nothing replaces: the service would send events to exactly this URL.`,
      hint: "Write the real address, or refer to a variable as in ${var.host}.",
      path: ["target_url"],
    },
  ];
}
