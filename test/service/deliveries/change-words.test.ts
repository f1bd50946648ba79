import { describe, expect, test } from "vitest";
import { changeWords } from "../../../src/service/deliveries/change-words.ts";
import { type Selection, deliveriesOf } from "../../../src/service/deliveries/deliveries.ts";
import { countChanges } from "../../../src/service/deliveries/delivery-changes.ts";
import { chanceOf } from "../../core/apply/chance.ts";

const CRM = "https://crm.example.com/";
const CHAT = "https://chat.example.com/";

function webhook(
  url: string,
  type: string | null = null,
  campaign: string | null = null,
  firstOnly = false,
): Selection {
  return { url, type, campaign, firstOnly };
}

describe("what changes for receivers", () => {
  test.for<readonly [what: string, before: readonly Selection[], after: readonly Selection[], says: readonly string[]]>(
    [
      ["nothing before", [], [webhook(CRM), webhook(CRM, "warmed")], []],
      ["nothing after", [webhook(CRM)], [], []],
      ["the same in another order", [webhook(CRM), webhook(CHAT)], [webhook(CHAT), webhook(CRM)], []],
      [
        "another URL",
        [webhook(CRM, "warmed"), webhook(CHAT, "annotated")],
        [webhook("https://new.example.com/", "warmed"), webhook(CHAT, "annotated")],
        [],
      ],
      [
        "another URL of two",
        [webhook(CRM, "warmed"), webhook(CHAT)],
        [webhook("https://new.example.com/", "warmed"), webhook(CHAT)],
        [],
      ],
      ["a type of its own", [webhook(CRM, "warmed")], [webhook(CRM, "warmed"), webhook(CHAT, "annotated")], []],
      [
        "a receiver more",
        [webhook(CRM, "warmed")],
        [webhook(CRM, "warmed"), webhook(CHAT, "warmed", "cam_1")],
        [`${CHAT} now also gets warmed of Q3 launch (cam_1)`],
      ],
      [
        "the last receiver",
        [webhook(CRM, "warmed"), webhook(CHAT, "annotated")],
        [webhook(CHAT, "annotated")],
        ["No webhook of this configuration gets warmed any more"],
      ],
      ["one of two receivers", [webhook(CRM, "warmed"), webhook(CHAT, "warmed")], [webhook(CHAT, "warmed")], []],
      [
        "a type in place of all",
        [webhook(CRM), webhook(CHAT, "annotated")],
        [webhook(CRM, "warmed"), webhook(CHAT, "annotated")],
        ["No webhook of this configuration gets all events but annotated, warmed any more"],
      ],
      [
        "a campaign in place of all",
        [webhook(CRM, "warmed"), webhook(CRM, "annotated", "cam_2")],
        [webhook(CRM, "warmed", "cam_1"), webhook(CRM, "annotated", "cam_2")],
        ["No webhook of this configuration gets warmed of all campaigns but Q3 launch (cam_1) any more"],
      ],
      [
        "all events to a URL that gets one",
        [webhook(CRM, "warmed")],
        [webhook(CRM, "warmed"), webhook(CRM)],
        [`${CRM} gets warmed twice`],
      ],
      [
        "first ones only",
        [webhook(CRM, "warmed")],
        [webhook(CRM, "warmed", null, true)],
        ["No webhook of this configuration gets repeated warmed any more"],
      ],
      [
        "a first one in addition",
        [webhook(CRM, "warmed")],
        [webhook(CRM, "warmed"), webhook(CRM, null, null, true)],
        [`${CRM} gets first warmed twice`],
      ],
      [
        "a third",
        [webhook(CRM), webhook(CRM, "warmed")],
        [webhook(CRM), webhook(CRM, "warmed"), webhook(CRM, "warmed", "cam_1")],
        [`${CRM} gets warmed of Q3 launch (cam_1) 3 times`],
      ],
      [
        "a double less",
        [webhook(CRM), webhook(CRM, "warmed")],
        [webhook(CRM)],
        [`${CRM} gets warmed once, no longer twice`],
      ],
      [
        "an event without campaigns",
        [webhook(CRM, null, "cam_1"), webhook(CHAT, "connectionIssue")],
        [webhook(CRM, null, "cam_1")],
        ["No webhook of this configuration gets connectionIssue any more"],
      ],
      [
        "all events of a campaign",
        [webhook(CRM), webhook(CHAT, "connectionIssue")],
        [webhook(CRM), webhook(CHAT, "connectionIssue"), webhook(CHAT, null, "cam_1")],
        [`${CHAT} now also gets all events of Q3 launch (cam_1)`],
      ],
    ],
  )("%s", ([, before, after, says]) => {
    expect(changeWords(before, after, { cam_1: "Q3 launch" })).toEqual(says);
  });

  test("is capped, and names only a few types", () => {
    const types = Array.from({ length: 9 }, (_, index) => `t${String(index)}`);
    const before = types.map((type) => webhook(`https://${type}.example.com/`, type));
    expect(changeWords(before, [...before, ...types.map((type) => webhook(CRM, type))])).toEqual([
      `${CRM} now also gets t0, t1, t2 and 6 more types`,
    ]);
    const many = changeWords(before, [...before, ...before]);
    expect([many.length, many.at(-1)]).toEqual([7, "… and 3 more"]);
  });

  test("of very many kinds of events is left out", () => {
    const all = Array.from({ length: 400 }, (_, index) => [
      webhook(CRM, `t${String(index)}`),
      webhook(CRM, "warmed", `cam_${String(index)}`),
    ]).flat();
    expect(changeWords(all, [...all, webhook(CHAT)])).toEqual([]);
  });
});

test("two sets without a change deliver each event alike, by chance", () => {
  let [same, other] = [0, 0];
  for (let seed = 0; seed < 400; seed++) {
    const chance = chanceOf(seed);
    const one = (): Selection =>
      webhook(
        chance.oneOf([CRM, CHAT]),
        chance.oneOf([null, "warmed", "annotated"]),
        chance.oneOf([null, "cam_1", "cam_2"]),
        chance.percent(30),
      );
    const before = Array.from({ length: 1 + chance.below(3) }, one);
    const after = chance.percent(40)
      ? before.toReversed()
      : before.map((webhookBefore) => (chance.percent(30) ? one() : webhookBefore));
    const alike = ["warmed", "annotated", "emailsSent"].every((type) =>
      [null, "cam_1", "cam_2", "cam_3"].every((campaign) =>
        [true, false].every((isFirst) => {
          const urls = [before, after].map((side) =>
            deliveriesOf(side, { type, campaign, isFirst })
              .map(({ url }) => url)
              .toSorted()
              .join(" "),
          );
          return urls[0] === urls[1];
        }),
      ),
    );
    expect(countChanges(before, after)?.changes.length === 0, JSON.stringify({ before, after })).toBe(alike);
    if (alike) same++;
    else other++;
  }
  expect(Math.min(same, other)).toBeGreaterThan(50);
});
