import fc from "fast-check";
import { Marked, type Token, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/model/diagnostic.ts";
import type { Plan, Step } from "../../src/core/plan/plan.ts";
import type { ShownPlan } from "../../src/output/content/output-format.ts";
import { FORMATS } from "../../src/output/formats/formats.ts";
import { codeBlock, codeSpan, hiddenLine, words } from "../../src/output/markdown/escape.ts";
import { DIGEST, anyPlan } from "./arbitrary-plan.ts";
import { CONTEXT, HOSTILE, createOf, deleteOf, many, planOf, replaceOf, shownOf, stepOf } from "./report-plans.ts";

const markdown = await FORMATS.markdown.load();

const LIMIT = 60_000;
function shown(plan: Plan, more: Partial<ShownPlan> = {}): string {
  return markdown.plan(plan, shownOf(plan, more), CONTEXT);
}

/** Everything in the tree that marked makes of a text. */
function tokensOf(text: string): readonly Token[] {
  const all: Token[] = [];
  void new Marked({ gfm: true }).walkTokens(new Marked({ gfm: true }).lexer(text), (token) => void all.push(token));
  return all;
}

const OUR_TAGS =
  /^(?:<!-- outreach-as-code: (?:(?!-->).)* -->\n*|<br>|<details><summary>\d+ [a-z ]+<\/summary>\n*|<\/details>\n*)$/;

/** Holds if nothing but our own tags, and no link, comes out, and each table has rows of as many cells as its head. */
function expectOnlyOurs(text: string): void {
  const tokens = tokensOf(text);
  for (const { type, raw } of tokens) {
    if (type === "html") expect(raw).toMatch(OUR_TAGS);
    expect(["link", "image", "escape", "em", "del", "list", "blockquote", "hr"], raw).not.toContain(type);
  }
  // marked drops the cells that are too many.
  for (const table of tokens.filter((token): token is Tokens.Table => token.type === "table"))
    for (const [index, cells] of table.rows.entries()) {
      expect(cells).toHaveLength(table.header.length);
      const line = table.raw.split("\n")[index + 2] ?? "";
      expect(line.match(/(?<!\\)\|/g), line).toHaveLength(table.header.length + 1);
    }
}

/** The rows of all tables, as the text that a reader sees. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const read = (tokens: readonly Token[]): string =>
    tokens
      .map((token) =>
        token.type === "br" || token.raw === "<br>"
          ? "\n"
          : "tokens" in token && token.tokens
            ? read(token.tokens)
            : token.raw === "&#124;"
              ? "|"
              : "text" in token
                ? String(token.text).replaceAll("&#124;", "|")
                : "",
      )
      .join("");
  return tokensOf(text).flatMap((token) =>
    token.type === "table" ? (token as Tokens.Table).rows.map((cells) => cells.map((cell) => read(cell.tokens))) : [],
  );
}

const unescaped = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\u{fffd}");

describe("a text of others", () => {
  test.each(HOSTILE)("%j is shown literally in a cell, and nothing else", (text) => {
    const table = `| a | b |\n|---|---|\n| ${codeSpan(text)} | after |\n`;
    expectOnlyOurs(table);
    const [[cell, after] = []] = rowsOf(table);
    expect(cell?.trim()).toBe(unescaped(text).trim());
    expect(after).toBe("after");
  });

  test("can have very many backticks", () => {
    expect(codeSpan("`x".repeat(200_000))).toHaveLength(400_006);
  });

  test("is shown literally in a cell and in a block, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(fc.constantFrom(...HOSTILE, "`", "|", "\\", " ")).map((parts) => parts.join("")),
        ),
        (text) => {
          expectOnlyOurs(`| a | b |\n|---|---|\n| ${codeSpan(text)} | after |\n`);
          const tokens = tokensOf(`before\n\n${codeBlock(text)}\n\nafter\n`).filter(
            ({ type }) => type === "code" || type === "paragraph",
          );
          expect(tokens.map(({ type }) => type)).toEqual(["paragraph", "code", "paragraph"]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each(HOSTILE)("%j does not end a hidden line", (text) => {
    const line = hiddenLine(`outreach-as-code: ${text}`);
    expect(line).not.toMatch(/[\n\r]/);
    expect(tokensOf(`${line}\n\nafter\n`).map(({ type }) => type)).toEqual(["html", "space", "paragraph", "text"]);
  });

  test("words that a forge makes a link of are code", () => {
    for (const text of ["www.evil.example now finds another", "@team", "GH-12", "a :tada: b", "#1"])
      expect(words(text)).toBe(`\`${text}\``);
    expect(words("already exists: nothing is sent")).toBe("already exists: nothing is sent");
  });
});

describe("the comment", () => {
  test("begins with a hidden line that names the configuration, and then has the counts", () => {
    const lines = shown(planOf([createOf("a"), deleteOf("b"), replaceOf("c")]), {
      configuration: "stage --> <b>/#.yaml",
    }).split("\n");
    expect(lines[0]).toBe("<!-- outreach-as-code: stage --%3E <b%3E/#.yaml -->");
    expect(lines[4]).toBe("**Plan: 2 to add, 0 to change, 2 to destroy.**");
  });

  test("says which checks failed, while the names are few", () => {
    const failed = (names: readonly string[]) =>
      names.map((name) => ({ name, severity: "warning", status: "fail", messages: [] }) as const);
    expect(shown(planOf([], { checks: failed(["live", "has_labels"]) }))).toContain(
      "Checks: `2 failed (live, has_labels).`\n",
    );
    expect(shown(planOf([], { checks: failed(many(5000, (name) => name)) }))).toContain("Checks: `5000 failed.`\n");
  });

  test("says what forces a replace, and what that means", () => {
    const text = shown(planOf([replaceOf("c")]));
    expect(rowsOf(text)).toEqual([
      [
        "-/+",
        "outreach_webhook.c",
        "secret: (sensitive value) forces replacement (the secret cannot be changed in place: events are not delivered between the delete and the create)",
      ],
    ]);
    expect(text).not.toContain(DIGEST);
  });

  test("holds values and names of others literally, in whole rows", () => {
    const steps = HOSTILE.flatMap((text, index) => {
      const key = `all[${JSON.stringify(`${String(index)} ${text}`)}]`;
      return [createOf(key, { automation_id: text }), { ...deleteOf(key, { automation_id: text }), id: text }];
    });
    const diagnostics = HOSTILE.map((text): Diagnostic => ({
      code: "x",
      severity: "warning",
      summary: "A name",
      detail: text,
      hint: text,
      address: text,
    }));
    const text = shown(
      planOf(steps, {
        diagnostics,
        outputs: HOSTILE.map((name) => ({ name, before: null, after: { value: name }, sensitive: false })),
      }),
    );
    expectOnlyOurs(text);
    const rows = rowsOf(text);
    for (const { address } of steps) expect(rows.filter(([, where]) => where === unescaped(address))).toHaveLength(2);
    for (const value of HOSTILE)
      expect(rows.some(([, , change]) => change?.includes(unescaped(JSON.stringify(value))))).toBe(true);
  });

  test("masks emails before it escapes and measures them", () => {
    const email = "o'hara|x_y@example.com";
    const unsubscribe: Step = {
      ...stepOf("a"),
      action: "create",
      address: `outreach_lead_unsubscription.gdpr[${JSON.stringify(email)}]`,
      type: "outreach_lead_unsubscription",
      after: { campaign_id: "cam_1", email },
    };
    const plan = planOf([unsubscribe]);
    const context = { ...CONTEXT, mask: (text: string) => text.replaceAll(email, "o***@example.com#1f3a9c02") };
    const text = markdown.plan(plan, shownOf(plan, { configuration: email, planFile: email }), context);
    expect(text).toContain("`o***@example.com#1f3a9c02`");
    expect(text).not.toMatch(/hara|x_y/);
  });
});

describe("of a plan that is too long", () => {
  const title = (text: string, what: string): number =>
    Number(new RegExp(`(?:#### |<summary>)(\\d+) ${what}`).exec(text)?.[1]);
  const missing = (text: string): number =>
    [...text.matchAll(/(?:… and )?(\d+) (?:more, )?not shown here/g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );

  test("of 5,000 resources every delete and replace is listed with its details, the others as far as there is room", () => {
    const text = shown(
      planOf([
        ...many(4900, (name) => createOf(name)),
        ...many(60, (name) => deleteOf(`d-${name}`)),
        ...many(40, (name) => replaceOf(`r-${name}`)),
      ]),
    );
    expect(text.length).toBeLessThanOrEqual(LIMIT);
    expect(text.length).toBeGreaterThan(LIMIT - 500);
    expectOnlyOurs(text);
    expect(text).toContain("**Plan: 4940 to add, 0 to change, 100 to destroy.**");
    const rows = rowsOf(text);
    expect(rows.filter(([symbol, , change]) => symbol === "-" && change?.includes("target_url"))).toHaveLength(60);
    expect(rows.filter(([symbol, , change]) => symbol === "-/+" && change?.includes("not delivered"))).toHaveLength(40);
    const created = rows.filter(([symbol]) => symbol === "+").length;
    expect(created).toBeGreaterThan(100);
    expect(created + missing(text)).toBe(title(text, "to create"));
    expect(text).toContain("<details><summary>4900 to create</summary>");
    expect(text).toContain("To see the whole plan, run `outreach show outreach.plan`.");
  });

  test("of 5,000 deletes the rows are whole, and those left out are counted", () => {
    const text = shown(planOf(many(5000, (name) => deleteOf(name))));
    expect(text.length).toBeLessThanOrEqual(LIMIT);
    expectOnlyOurs(text);
    const rows = rowsOf(text);
    expect(rows.length).toBeGreaterThan(800);
    for (const [symbol, where] of rows)
      expect([symbol, where]).toEqual(["-", expect.stringMatching(/^outreach_webhook\.w\d{5}$/)]);
    expect(rows.length + missing(text)).toBe(5000);
  });

  test("a row that is longer than a comment is left out, and takes no room from the others", () => {
    const text = shown(planOf([deleteOf("a"), deleteOf(`b["${"x".repeat(LIMIT)}"]`), deleteOf("c")]));
    expect(rowsOf(text).map(([, where]) => where)).toEqual(["outreach_webhook.a", "outreach_webhook.c"]);
    expect(missing(text)).toBe(1);
  });

  test("messages leave room for the plan, and those left out are counted", () => {
    const messages = many(500, (name): Diagnostic => ({
      code: "x",
      severity: name === "w00400" ? "error" : "warning",
      summary: name,
      detail: "y ".repeat(500),
    }));
    const text = shown(planOf([deleteOf("a")], { diagnostics: messages }));
    expect(text.length).toBeLessThan(20_000);
    const blocks = tokensOf(text).filter(({ type }) => type === "code");
    expect(blocks[0]).toMatchObject({ text: expect.stringContaining("Error: w00400") as string });
    expect(text).toContain(`${String(500 - blocks.length)} more messages are not shown here.`);
    expect(text).toContain("This plan cannot be applied: it has an error.");
  });

  test("a long list of leads is a count, as in the text", () => {
    const unsubscribe = (name: string): Step => ({
      ...stepOf(name),
      action: "create",
      address: `outreach_lead_unsubscription.gdpr["${name}@x.example"]`,
      type: "outreach_lead_unsubscription",
      after: { email: `${name}@x.example` },
    });
    const text = shown(planOf(many(5000, unsubscribe)));
    expect(rowsOf(text)).toHaveLength(6);
    expect(rowsOf(text).at(-1)).toEqual(["+", "outreach_lead_unsubscription.gdpr", "… and 4995 more will be created"]);
    expect(title(text, "to create")).toBe(5000);
  });
});

test("whatever the plan, the comment fits, keeps to our tags, and shows no secret", () => {
  fc.assert(
    fc.property(
      anyPlan,
      fc.constantFrom("apply" as const, "destroy" as const, "refresh-only" as const),
      (plan, mode) => {
        const text = shown(plan, { mode });
        expect(text.length).toBeLessThanOrEqual(LIMIT);
        expect(text).not.toContain(DIGEST);
        expect(text.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expectOnlyOurs(text);
      },
    ),
    { numRuns: 60 },
  );
});
