import type { Problem } from "../../core/model/attribute.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { leadsTo, parseUrl } from "../../core/model/parse-url.ts";
import type { Attributes, Value } from "../../core/model/value.ts";
import { hasHidden } from "../../core/model/visible.ts";
import { splitMark } from "../api/url-mark.ts";
import { isSecureUrl } from "../api/service-path.ts";

const MAX_URL_LENGTH = 2048;
/** The longest name in DNS. */
const MAX_HOST_LENGTH = 253;

export function checkTargetUrl(value: Value): Problem | undefined {
  if (typeof value !== "string") return undefined;
  const problem = targetUrlProblem(value);
  return problem && { code: "target_url_invalid", summary: "Invalid target URL", ...problem };
}

export function canonicalUrl(value: Value): Value {
  return (typeof value === "string" ? parseUrl(value)?.href : undefined) ?? value;
}

function targetUrlProblem(text: string): Pick<Problem, "detail" | "hint"> | undefined {
  if (text.length > MAX_URL_LENGTH)
    return {
      detail: `target_url has ${String(text.length)} characters; at most 2,048 are accepted.`,
      hint: "Shorten it.",
    };
  if (/[\s\p{Cc}]/u.test(text))
    return {
      detail: "target_url holds white space or a control character.",
      hint: "Take it out, or write it as in %20.",
    };
  if (hasHidden(text) || text.includes("\u{fe0f}"))
    return { detail: "target_url holds an invisible character.", hint: "Take it out, or write it as in %E2%80%8B." };
  if (text.includes("\\"))
    return { detail: "target_url holds a backslash, which many programs read as a slash.", hint: "Write / or %5C." };
  if (splitMark(text).mark !== null)
    return {
      detail: "target_url carries the mark of a webhook that already exists, in its parameter outreach.",
      hint: "Remove the parameter: each create makes a mark of its own.",
    };
  const [placeholder] = /\$[A-Za-z_]\w*/.exec(text) ?? [];
  const url = parseUrl(text);
  if (url === null && placeholder !== undefined)
    return {
      detail: `target_url is not an absolute URL: nothing replaces ${placeholder}.`,
      hint: "Write it in full, or refer to a variable as in ${var.host}.",
    };
  if (url === null)
    return {
      detail: "target_url is not an absolute URL.",
      hint: "Write it in full, as in https://crm.example.com/hooks/replies.",
    };
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
  if (url.hostname.length > MAX_HOST_LENGTH) {
    return {
      detail: `The host of target_url has ${String(url.hostname.length)} characters; the longest name in DNS has 253.`,
      hint: "Correct the host.",
    };
  }
  return undefined;
}

/** Reports a host that differs from what the URL shows. */
export function hostDiagnostics({ target_url: url = null }: Attributes): readonly Diagnostic[] {
  if (typeof url !== "string" || targetUrlProblem(url)) return [];
  const to = leadsTo(url);
  if (to === null || to.end !== null) return [];
  const about = { path: ["target_url"], cause: `host ${url.split("/", 3).join("/")}` };
  const mixed = hostLabels(url).find(mixesScripts);
  if (mixed === undefined) {
    const detail = `Events go to the host ${to.host}, which target_url writes in another way.`;
    const hint = `If you mean this host, write ${to.host} to dismiss this warning.`;
    return [
      { code: "target_url_host", severity: "warning", summary: "A host in another notation", detail, hint, ...about },
    ];
  }
  return [
    {
      code: "target_url_mixed_scripts",
      severity: "warning",
      summary: "A host with letters of several scripts",
      detail: `${JSON.stringify(mixed)} in the host of target_url mixes scripts, so some letters may look like others. Events go to ${to.host}.`,
      hint: "Check that you mean this host.",
      ...about,
    },
  ];
}

/** The parts of a host as it is written, with any dot that a URL may have. */
function hostLabels(url: string): readonly string[] {
  return (/^[^/]*\/\/([^/?#]*)/.exec(url)?.[1] ?? "").split(/[.\u3002\uff0e\uff61]/);
}

/** What Japanese, Chinese and Korean names mix with Latin letters ("highly restrictive" in Unicode Technical Standard 39). */
const WITH_LATIN = [
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]*$/u,
  /^[\p{scx=Han}\p{scx=Bopomofo}]*$/u,
  /^[\p{scx=Han}\p{scx=Hangul}]*$/u,
];
/** The scripts with letters that look like those of another one. */
const LOOKALIKES = [
  /\p{sc=Latin}/u,
  /\p{sc=Cyrillic}/u,
  /\p{sc=Greek}/u,
  /\p{sc=Armenian}/u,
  /\p{sc=Cherokee}/u,
  /\p{sc=Coptic}/u,
  /\p{sc=Georgian}/u,
  /\p{sc=Hebrew}/u,
];

function mixesScripts(label: string): boolean {
  const letters = label.normalize("NFKC").replaceAll(/\P{L}/gu, "");
  const others = letters.replaceAll(/\p{sc=Latin}/gu, "");
  const isUnusual = others !== letters && !WITH_LATIN.some((usual) => usual.test(others));
  return isUnusual || LOOKALIKES.filter((script) => script.test(letters)).length > 1;
}

/** `{{name}}` and `${name}` anywhere, `$NAME` in capitals anywhere, and `$name` or `{name}` in the host. */
const PLACEHOLDERS = [
  /\{\{[^{}]*\}\}/,
  /\$\{[^{}]*\}/,
  /\$[A-Z][A-Z0-9_]+/,
  /(?<=^[a-z]+:\/\/[^/?#]*)(?:\$\w+|\{\w+\})/,
];

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
