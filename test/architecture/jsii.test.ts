import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eventTypeConstants } from "../../src/generate/event-catalogue.ts";

/** What jsii refuses in the API of constructs, and so every language except TypeScript. */
const REFUSED: readonly (readonly [why: string, pattern: RegExp])[] = [
  ["a mapped type as a base", /export (?:interface|class) \w+ extends (?:Omit|Pick|Partial|Required|Readonly|Record)</],
  ["a readonly array", /^ {2}readonly \w+\??: readonly /m],
  ["a constant object", /^export const /m],
  ["a type alias", /^export type /m],
  ["a function", /^export (?:async )?function /m],
  ["a destructured parameter", /public (?:constructor|static \w+|\w+)\([^)]*[{[][^)]*\}?: \w+/],
];

function refusedIn(source: string): readonly string[] {
  return REFUSED.filter(([, pattern]) => pattern.test(source)).map(([why]) => why);
}

describe("the API of the hand-made constructs is one that jsii accepts", () => {
  test.each(["suppression-list", "webhook-set"])("%s", (name) => {
    const source = readFileSync(new URL(`../../src/frontends/constructs/${name}.ts`, import.meta.url), "utf8");
    expect(source).toContain("export class");
    expect(refusedIn(source)).toEqual([]);
  });

  test("the constants of event types", () => {
    expect(eventTypeConstants()).toContain("export class EventType");
    expect(refusedIn(eventTypeConstants())).toEqual([]);
  });

  test.each([
    ['export interface SetConfig extends Omit<HookConfig, "type"> {}', "a mapped type as a base"],
    ["export interface SetConfig {\n  readonly types?: readonly string[];\n}", "a readonly array"],
    ['export const EventType = { sent: "sent" } as const;', "a constant object"],
    ["export type EventType = string;", "a type alias"],
    ["export function fanOut(): void {}", "a function"],
    [
      "export class Set {\n  public constructor(scope: Construct, id: string, { types, ...rest }: SetConfig) {}\n}",
      "a destructured parameter",
    ],
  ])("but not %s", (source, why) => {
    expect(refusedIn(source)).toEqual([why]);
  });
});
