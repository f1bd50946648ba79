import { readFileSync, readdirSync } from "node:fs";
import { getOrMake } from "../core/model/maps.ts";
import { KNOWN_ERRORS } from "../service/api/service-errors.ts";
import { code, fillTemplate, markdownTable } from "./markdown.ts";

const SOURCES = new URL("../", import.meta.url);
const SEVERITIES: { readonly [maker: string]: string } = { warningOf: "warning", noteOf: "note" };
const TEXTS = /"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
/** The values of the parts of codes that the sources put together. */
const PARTS: { readonly [variable: string]: readonly string[] } = {
  plural: ["webhooks"],
  noun: ["webhook"],
  attribute: ["target_url"],
  known: KNOWN_ERRORS,
};

/** The page of all codes. */
export function diagnosticsReference(): string {
  const summaries = new Map<string, Set<string>>();
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/^generate\/|(?:^|\/)generated\//.test(file.replaceAll("\\", "/")),
  );
  for (const file of files.toSorted())
    for (const { codes, severity, summary } of diagnosticsIn(readFileSync(new URL(file, SOURCES), "utf8")))
      for (const [at, one] of codes.entries()) {
        const key = JSON.stringify([one, severity]);
        const own = summary.length === codes.length ? summary.slice(at, at + 1) : summary;
        for (const text of own.length === 0 ? ["…"] : own) getOrMake(summaries, key, () => new Set()).add(text);
      }
  const rows = [...summaries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, texts]) => {
      const [name = "", severity = ""] = JSON.parse(key) as readonly string[];
      const said = [...texts].filter((text) => text !== "…" || texts.size === 1);
      return [code(name), severity, said.join("; ")];
    });
  return fillTemplate("diagnostics", { codes: markdownTable(["code", "severity", "summary"], rows) });
}

interface Found {
  readonly codes: readonly string[];
  readonly severity: string;
  readonly summary: readonly string[];
}

/** What a source says where it makes a diagnostic: in a call, or in an object that has a code before its severity or summary. */
function diagnosticsIn(text: string): readonly Found[] {
  const calls = [...text.matchAll(/\b(errorOf|warningOf|noteOf|DiagnosticsError\.of)\(/g)].map((call): Found => {
    const [codes = "", summary = ""] = partsFrom(text, call.index + call[0].length);
    return { codes: codesIn(codes), severity: SEVERITIES[call[1] ?? ""] ?? "error", summary: textsIn(summary, text) };
  });
  const objects = [...text.matchAll(/\bcode: (?=["`])/g)].flatMap((start): readonly Found[] => {
    const [codes = "", ...others] = partsFrom(text, start.index + start[0].length);
    const valueOf = (name: string) => others.find((part) => part.startsWith(name))?.slice(name.length);
    const [severity, summary] = [valueOf("severity"), valueOf("summary")];
    if (severity === undefined && summary === undefined) return [];
    const severities = [...(severity ?? '"error"').matchAll(/"(error|warning|note)"/g)].map(([, one = ""]) => one);
    return (severities.length === 0 ? ["error", "warning"] : severities).map((one) => ({
      codes: codesIn(codes),
      severity: one,
      summary: textsIn(summary ?? "", text),
    }));
  });
  return [...calls, ...objects];
}

/** The arguments or properties from a position to the bracket that closes them. */
function partsFrom(text: string, start: number): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of text.slice(start, start + 2_000).matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[^]/g)) {
    if (/[)\]}]/.test(token) && token.length === 1 && depth-- === 0) break;
    if (/[([{]/.test(token) && token.length === 1) depth++;
    if (token === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${token}`);
  }
  return parts.map((part) => part.trim());
}

function codesIn(part: string): readonly string[] {
  const ended = [...part.matchAll(/`(\w+_)\$\{(\w+)\}`/g)].flatMap(([, begin = "", variable = ""]) =>
    (PARTS[variable] ?? []).map((end) => begin + end),
  );
  const begun = [...part.matchAll(/`\$\{(\w+)\}(_\w+)`/g)].flatMap(([, variable = "", end = ""]) =>
    (PARTS[variable] ?? []).map((begin) => begin + end),
  );
  return [...[...part.matchAll(/(?<![!=]== )"([a-z]\w*)"/g)].map(([, one = ""]) => one), ...ended, ...begun];
}

/** The texts of an expression, or of the constant that it names. */
function textsIn(part: string, source: string): readonly string[] {
  const [, named] = /^:? ?([A-Z_]+)$/.exec(part) ?? [];
  const from = named === undefined ? part : (new RegExp(`const ${named} = (.*);`).exec(source)?.[1] ?? "");
  const texts = [...from.replaceAll(/[!=]== "\w*"/g, "").matchAll(TEXTS)];
  return texts.map(([, plain, template = ""]) => plain ?? template.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…"));
}
