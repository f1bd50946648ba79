import { Marked, type Token, type Tokens } from "marked";
import { expect, test } from "vitest";
import { type DriftReport, type DriftedObject, driftStatus } from "../../src/core/plan/drift-report.ts";
import { type ShownDrift, driftAdvice } from "../../src/output/content/drift-format.ts";
import { EVERYTHING } from "../../src/core/plan/plan-context.ts";
import { driftReportMarkdown } from "../../src/output/markdown/drift-markdown.ts";
import { plain } from "../../src/output/content/paint.ts";
import { catalog } from "../../src/service/resources/catalog.ts";

const NOTHING: DriftReport = {
  missing: [],
  changed: [],
  unmanaged: [],
  unobservable: [],
  unchecked: [],
  undecided: [],
  truncated: [],
  names: {},
  diagnostics: [],
};
const HOSTILE =
  "https://x.example.com/a|b`c`</details>--><img src=x onerror=1>@team#12\u202e[l](https://evil.example)\n| x | y |";
const type = "outreach_webhook";

function markdownOf(report: Partial<DriftReport>, shown: Partial<ShownDrift> = {}): string {
  const whole = { ...NOTHING, ...report };
  const advice = driftAdvice({ asCalled: (text) => text, given: "-c 'a|b.yaml' " });
  const status = driftStatus(whole, { failOnUnmanaged: false });
  return driftReportMarkdown(
    { name: "outreach.yaml", stage: null, scope: EVERYTHING, commit: null, report: whole, status, advice, ...shown },
    { catalog, version: "0", paint: plain, mask: (text) => text },
  );
}

const missing = (at: number, url = `https://x.example.com/${String(at)}`): DriftedObject => ({
  address: `${type}.w${String(at)}`,
  type,
  id: `hoo_${String(at)}`,
  before: { target_url: url, type: "emailsSent" },
  after: null,
  changed: [],
  masked: [],
});

function tokensOf(text: string): readonly Token[] {
  const all: Token[] = [];
  const marked = new Marked({ gfm: true });
  void marked.walkTokens(marked.lexer(text), (token) => void all.push(token));
  return all;
}

test("the first line is a hidden marker that no name can end", () => {
  expect(markdownOf({}).split("\n")[0]).toBe("<!-- outreach-as-code drift: outreach.yaml -->");
  const [first, ...rest] = markdownOf({}, { name: "a-->b\n<b>" }).split("\n");
  expect(first).toMatch(/^<!-- outreach-as-code drift: [^>]* -->$/);
  expect(tokensOf(rest.join("\n")).filter((token) => token.type === "html")).toEqual([]);
  expect(markdownOf({})).toContain("**No drift. Your webhooks match the state.**");
});

test("every class has a table with what to do, and values of others are literal text", () => {
  const text = markdownOf({
    missing: [missing(1, HOSTILE)],
    changed: [{ ...missing(2), before: { type: "emailsSent" }, after: { type: HOSTILE }, changed: ["type"] }],
    unmanaged: [{ type, object: { id: "hoo_x", attributes: { target_url: HOSTILE, type: null } } }],
    unchecked: [{ address: `${type}.u`, type, id: "hoo_u" }],
    undecided: [{ address: `${type}.d`, type, sent: "create", cause: "c", why: "w", candidates: [], ways: [] }],
    unobservable: [{ type, attribute: "secret", count: 3 }],
    diagnostics: [{ code: "x", severity: "warning", summary: HOSTILE, detail: HOSTILE }],
  });
  const tokens = tokensOf(text);
  const tables = tokens.filter((token): token is Tokens.Table => token.type === "table");
  expect(tables.map(({ rows }) => rows.length)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(tables.map(({ header }) => header.map((cell) => cell.text).join())).toEqual([
    "Resource,Id,Recorded",
    "Resource,Id,Change",
    "Id,Live",
    "Resource,Id",
    "Resource",
    "Value",
  ]);
  for (const table of tables)
    for (const line of table.raw.trim().split("\n")) expect(line.match(/\|/g)).toHaveLength(table.header.length + 1);
  for (const { type: kind, raw } of tokens) {
    expect(["link", "image", "em", "del", "blockquote"], raw).not.toContain(kind);
    if (kind === "html") expect(raw).toMatch(/^(?:<!-- outreach-as-code drift: outreach\.yaml -->\n*|<br>)$/);
  }
  expect(tokens.filter((token) => token.type === "list_item")).toHaveLength(6);
  expect(text).toContain(
    "**Drift cannot be determined: 1 missing, 1 changed, 1 unmanaged, 1 unchecked, 1 undecided.**",
  );
  expect(text).not.toContain("\u202e");
});

test("a report of 5,000 webhooks fits, counts what it leaves out, and cuts no row", () => {
  const many = Array.from({ length: 5000 }, (_, at) => missing(at));
  const text = markdownOf({
    missing: many,
    unmanaged: many.map(({ id, before }) => ({ type, object: { id: id ?? "", attributes: before } })),
  });
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(text).toContain("**Drift detected: 5000 missing, 5000 unmanaged.**");
  const rows = tokensOf(text).flatMap((token) => (token.type === "table" ? (token as Tokens.Table).rows : []));
  expect(rows.length).toBeGreaterThan(500);
  expect(text).toMatch(/… and \d+ more, not shown here\./);
  expect(text).toContain("To see the whole report, run `outreach drift`.");
  for (const line of text.split("\n").filter((one) => one.startsWith("| `"))) expect(line).toMatch(/ \|$/);
});
