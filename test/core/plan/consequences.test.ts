import { describe, expect, test } from "vitest";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import { type Attributes, UNKNOWN } from "../../../src/core/model/value.ts";
import { consequenceOf } from "../../../src/core/plan/consequences.ts";
import type { Step } from "../../../src/core/plan/plan.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";

const OPTIONS = { destroy: false, importsOnly: false, targets: [], excludes: [] };
const TYPE = "outreach_webhook";
const base = (n: number, masked: readonly string[] = []) => ({
  address: `${TYPE}.w${String(n)}`,
  type: TYPE,
  provider: "",
  because: [],
  masked,
});

/** `type`, `type of campaign`, `* of campaign` or `*`. */
function webhook(text: string): Attributes {
  const [type = "*", campaign = null] = text.split(" of ");
  return {
    target_url: "https://crm.example.com/hook",
    type: type === "*" ? null : type === "?" ? UNKNOWN : type,
    campaign_id: campaign === "?" ? UNKNOWN : campaign,
  };
}

/** One step a webhook: `A` keeps, `+A` creates, `-A` deletes, `A -> B` replaces. */
function step(text: string, n: number): Step {
  const [before = "", after] = text.split(" -> ");
  if (after !== undefined)
    return {
      ...base(n),
      action: "replace",
      order: "delete-first",
      id: "hoo_1",
      before: webhook(before),
      after: webhook(after),
    };
  if (text.startsWith("+")) return { ...base(n), action: "create", after: webhook(text.slice(1)) };
  if (text.startsWith("-")) return { ...base(n), action: "delete", id: "hoo_1", before: webhook(text.slice(1)) };
  return { ...base(n), action: "keep", id: "hoo_1", before: webhook(text) };
}

const said = (steps: readonly Step[], planned: Partial<Parameters<typeof consequenceOf>[1]> = {}): string | undefined =>
  consequenceOf({ steps, undecided: [] }, { catalog, options: OPTIONS, instances: [], ...planned }).consequence;
const nothingGets = (what: string): string => `No webhook of this configuration gets ${what} any more.`;

describe("what receivers lose", () => {
  test.for<readonly [what: string, steps: readonly string[], lost: string | null]>([
    ["nothing changes", ["emailsBounced", "warmed"], null],
    ["a first plan", ["+emailsBounced", "+*"], null],
    ["a deleted type", ["-emailsBounced", "warmed"], "emailsBounced"],
    ["the only webhook", ["-emailsBounced"], "emailsBounced"],
    ["one of two of a type", ["-emailsBounced", "emailsBounced"], null],
    ["the same under another name", ["-emailsBounced", "+emailsBounced"], null],
    ["another type in its place", ["emailsBounced -> emailsSent"], "emailsBounced"],
    ["several types", ["-emailsBounced", "-warmed", "annotated"], "emailsBounced, warmed"],
    [
      "very many types",
      ["-annotated", "-contacted", "-emailsBounced", "-emailsClicked", "-emailsSent", "-warmed"],
      "annotated, contacted, emailsBounced, emailsClicked and 2 more",
    ],
    ["a type that all events cover", ["-emailsBounced", "*"], null],
    [
      "a type that all events of a campaign do not cover",
      ["-emailsBounced", "* of cam_1"],
      "emailsBounced of all campaigns",
    ],
    ["all events", ["-*"], "all events"],
    ["all events, where a type stays", ["-*", "warmed"], "all events of all campaigns"],
    ["a campaign", ["-warmed of cam_1", "warmed of cam_2"], "warmed of Q3 launch (cam_1)"],
    ["a campaign without a name", ["-warmed of cam_2", "warmed of cam_1"], "warmed of cam_2"],
    ["a campaign that all campaigns cover", ["-warmed of cam_1", "warmed"], null],
    ["a campaign that all its events cover", ["-warmed of cam_1", "* of cam_1"], null],
    ["all events of a campaign", ["-* of cam_1", "warmed of cam_1"], "all events of Q3 launch (cam_1)"],
    ["a campaign in place of all", ["warmed -> warmed of cam_1"], "warmed of all campaigns"],
    ["all campaigns in place of one", ["warmed of cam_1 -> warmed"], null],
    ["a type in place of all", ["* -> warmed"], "all events of all campaigns"],
    ["an unknown type before", ["-?", "-warmed"], null],
    ["an unknown type after", ["-emailsBounced", "+?"], null],
    ["an unknown campaign after", ["-emailsBounced", "+warmed of ?"], null],
  ])("%s", ([, steps, lost]) => {
    expect(said(steps.map(step), { names: { cam_1: "Q3 launch" } })).toBe(
      lost === null ? undefined : nothingGets(lost),
    );
  });

  const LOST = ["-emailsBounced", "warmed"].map(step);
  const recorded: RecordedInstance = {
    address: `${TYPE}.w0`,
    type: TYPE,
    provider: "",
    id: "hoo_1",
    attributes: webhook("emailsBounced"),
    unobserved: ["type"],
    unapplied: true,
  } as unknown as RecordedInstance;
  test.for<readonly [what: string, steps: readonly Step[], planned: Partial<Parameters<typeof consequenceOf>[1]>]>([
    ["a target", LOST, { options: { ...OPTIONS, targets: [`${TYPE}.w0`] } }],
    ["an exclusion", LOST, { options: { ...OPTIONS, excludes: [`${TYPE}.w1`] } }],
    ["imports alone", LOST, { options: { ...OPTIONS, importsOnly: true } }],
    ["a destroy", LOST, { options: { ...OPTIONS, destroy: true } }],
    ["an imported webhook whose type the list does not show", LOST, { instances: [recorded] }],
    ["a type from a sensitive variable", LOST.map((one, n) => (n === 0 ? { ...one, masked: ["type"] } : one)), {}],
    [
      "a webhook that the configuration releases, and that stays live",
      [{ ...base(0), action: "forget", before: webhook("emailsBounced"), released: true }],
      {},
    ],
    [
      "a webhook that is gone already",
      [{ ...base(0), action: "forget", before: webhook("emailsBounced"), gone: true }],
      {},
    ],
    [
      "a webhook that nothing manages",
      LOST.map((one, n) => (n === 0 && one.action === "delete" ? { ...one, removal: { reason: "" } } : one)),
      {},
    ],
  ])("nothing is said with %s", ([, steps, planned]) => {
    expect(said(steps, planned)).toBeUndefined();
  });

  test("nothing is said with an undecided write", () => {
    const undecided = [{ address: `${TYPE}.w2`, type: TYPE, sent: "", cause: "", why: "", candidates: [], ways: [] }];
    const planned = { catalog, options: OPTIONS, instances: [] };
    expect(consequenceOf({ steps: LOST, undecided }, planned)).toEqual({});
    expect(consequenceOf({ steps: LOST, undecided: [] }, planned)).toEqual({
      consequence: nothingGets("emailsBounced"),
    });
  });

  test("a sensitive target URL hides nothing", () => {
    expect(said(LOST.map((one) => ({ ...one, masked: ["target_url"] })))).toBe(nothingGets("emailsBounced"));
  });
});
