import { readFile } from "node:fs/promises";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { wayOutText } from "../../operations/messages/way-out-text.ts";
import { fillTemplate } from "../markdown.ts";
import { type SourceDiagnostic, collectDiagnostics } from "./collect-diagnostics.ts";
import { withStandIns } from "./source-texts.ts";
import { CODE_FORMS, COPIES, OF_UNSUBSCRIPTIONS } from "./undocumented-texts.ts";

/** What one code says under one summary. */
interface Message {
  readonly severity: Diagnostic["severity"];
  readonly summary: string;
  readonly details: readonly string[];
  readonly advice: readonly string[];
}

/** The same under several summaries. */
interface Entry extends Pick<Message, "details" | "advice"> {
  readonly summaries: readonly string[];
  readonly titles: readonly string[];
}

const TITLES = { error: "Error", warning: "Warning", note: "Note" } as const;
const GUIDE = "guides/troubleshooting.md";

/** The page of all codes, with what the sources say of each. */
export async function diagnosticsReference(): Promise<string> {
  const guide = await readFile(new URL(`../../../docs/${GUIDE}`, import.meta.url), "utf8");
  const headings = new Set([...guide.matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading));
  const byCode = messagesByCode(collectDiagnostics());
  const codes = [...byCode.keys()].toSorted();
  return fillTemplate("diagnostics", {
    codes: codes.flatMap((code) => section(code, byCode.get(code) ?? [], headings)),
  });
}

/** The messages of each code. Throws for a code that the sources put together in a way that nobody has described. */
function messagesByCode(found: readonly SourceDiagnostic[]): ReadonlyMap<string, readonly Entry[]> {
  const messages = new Map<string, Map<string, Message>>();
  const add = (code: string, { summary, severity, details, advice }: Message): void => {
    const key = `${severity} ${summary}`;
    const of = messages.get(code) ?? new Map<string, Message>();
    const before = of.get(key);
    of.set(key, { summary, severity, details: union(before?.details, details), advice: union(before?.advice, advice) });
    messages.set(code, of);
  };
  for (const one of found) {
    const isCopy = COPIES.some((file) => one.place.startsWith(`${file}:`)) && !isCode(one.code);
    if (isCopy) continue;
    for (const code of codesOf(one)) {
      const described = CODE_FORMS[withStandIns(one.code)]?.[code] ?? null;
      if (described) add(code, { ...described, details: [described.detail], advice: [described.hint] });
      else add(code, messageOf(one, code));
    }
  }
  return new Map([...messages].map(([code, of]) => [code, entriesOf([...of.values()])]));
}

function isCode(text: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(text);
}

function codesOf({ code: written, place }: SourceDiagnostic): readonly string[] {
  const code = withStandIns(written);
  const forms = CODE_FORMS[code];
  if (forms) return Object.keys(forms);
  if (!isCode(code)) throw new Error(`${place} has the code ${code}: describe it in undocumented-texts.ts`);
  return [code];
}

function messageOf({ severity, summary, details, hints, ways }: SourceDiagnostic, code: string): Message {
  const advice = [...hints, wayOutText(ways, { given: "", isStack: false }) ?? ""].flatMap((text) =>
    text.split(/\n(?! )/),
  );
  const known = (texts: readonly string[]): readonly string[] =>
    texts
      .map(oneLine)
      .filter(
        (text) =>
          /[a-z]/.test(withStandIns(text, () => "")) && text.length <= MAX_LENGTH && !text.startsWith("Did you mean"),
      );
  const noun = OF_UNSUBSCRIPTIONS.includes(code) ? "lead unsubscription" : "webhook";
  const words: { readonly [name: string]: string | undefined } = { NOUN: noun, NOUNS: `${noun}s`, PLURAL: `${noun}s` };
  const named = (text: string): string =>
    withoutAdditions(text).replaceAll(/\p{Co}(\w+)\p{Co}/gu, (standIn, name: string) => words[name] ?? standIn);
  return { severity, summary: named(summary), details: known(details).map(named), advice: known(advice).map(named) };
}

/** The messages of a code, those with the same words together. */
function entriesOf(messages: readonly Message[]): readonly Entry[] {
  const alike = new Map<string, Entry>();
  // One without a summary repeats a message that another place has made.
  const named = messages.filter(({ summary }) => summary !== "");
  for (const { severity, summary, details, advice } of named.length === 0 ? messages : named) {
    const key = JSON.stringify([details, advice]);
    const { summaries = [], titles = [] } = alike.get(key) ?? {};
    const title = `**${TITLES[severity]}: ${escaped(summary)}**`;
    alike.set(key, { summaries: [...summaries, withStandIns(summary)], titles: [...titles, title], details, advice });
  }
  return [...alike.values()];
}

/** The text without options, and without what can follow a word, such as a reason in a clause of its own. */
function withoutAdditions(text: string): string {
  return text.replaceAll(/\p{Co}GIVEN\p{Co}|(?<=\p{Co})\p{Co}VALUE\p{Co}|(?<=[a-z])\p{Co}\w+\p{Co}/gu, "");
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/: +(?=outreach )/, ": ")
    .trim();
}

/** The text without the words for one and for several. */
function sameWords(text: string): string {
  return withStandIns(text, () => "").replaceAll(/\b(?:its?|them|they|their|is|are|was|were|has|have|does|do)\b/g, "~");
}

/** The texts that differ in more than the names of values. */
function union(before: readonly string[] = [], more: readonly string[] = []): readonly string[] {
  return [...new Map([...before, ...more].toReversed().map((text) => [sameWords(text), text])).values()].toReversed();
}

function section(code: string, entries: readonly Entry[], headings: ReadonlySet<string>): readonly string[] {
  const linked = entries.some(({ summaries }) => summaries.some((summary) => headings.has(summary)));
  return [
    `## ${code}`,
    "",
    ...entries.flatMap(({ titles, details, advice }) => [
      titles.join("\\\n"),
      "",
      ...listed(newSentences(details), "The message says what is wrong."),
      ...(advice.length === 0 ? [] : ["What to do:", "", ...listed(advice, "")]),
    ]),
    ...(linked ? [`[Troubleshooting](../${GUIDE}) says more.`, ""] : []),
  ];
}

/** The first text, and of each further one the sentences that no earlier one has. */
function newSentences(texts: readonly string[]): readonly string[] {
  const said = new Set<string>();
  return texts.flatMap((text) => {
    const sentences = text.split(/(?<=[.:;]) (?=[A-Z\p{Co}])/u);
    const fresh = sentences.filter((sentence) => !said.has(sameWords(sentence)));
    for (const sentence of fresh) said.add(sameWords(sentence));
    if (fresh.length === 0) return [];
    return [`${fresh[0] === sentences[0] ? "" : "… "}${fresh.join(" ")}`];
  });
}

/** A longer text lists names that the message itself shows. */
const MAX_LENGTH = 500;
/** More forms of a message differ in details that the message itself shows. */
const MAX_LISTED = 8;

function listed(texts: readonly string[], otherwise: string): readonly string[] {
  if (texts.length === 0) return otherwise === "" ? [] : [otherwise, ""];
  if (texts.length === 1) return [...texts.map(escaped), ""];
  const more = texts.length > MAX_LISTED ? ["- Others of this kind: the message names the cause."] : [];
  return [...texts.slice(0, MAX_LISTED).map((text) => `- ${escaped(text)}`), ...more, ""];
}

const CODE =
  /(`[^`]+`|https?:\/\/[^\s,;]*[^\s,;.:)]|\$\{[^{}]*\}|(?<![\w/.-])--?[a-z][\w-]*|[\w.-]*_[\w.-]*\w|\$?\{\{.*?\}\})/;

/** A text of a message in Markdown: names and options as code, and everything else literally. */
function escaped(text: string): string {
  return text
    .split(/(\p{Co}\w+\p{Co})/u)
    .map((part, index) => (index % 2 === 1 ? withStandIns(part) : part.split(CODE).map(marked).join("")))
    .join("")
    .replaceAll(/_`([A-Z][A-Z_]*)/g, "_$1`");
}

function marked(part: string, index: number): string {
  if (index % 2 === 0) return part.replaceAll(/[\\*<>[\]|]/g, "\\$&");
  return part.startsWith("`") ? part : `\`${part}\``;
}
