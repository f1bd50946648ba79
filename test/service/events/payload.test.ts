import { describe, expect, test } from "vitest";
import { EVENT_TYPES, type EventTypeName } from "../../../src/service/events/event-catalog.ts";
import { groupOf } from "../../../src/service/events/payload.ts";

/** The event types that send this one in addition. */
function typesOf(group: EventTypeName): readonly EventTypeName[] {
  return EVENT_TYPES.flatMap(({ name }) => (groupOf(name) === group ? [name] : []));
}

describe("the lead state group of an event type", () => {
  test.each<readonly [group: EventTypeName, types: readonly EventTypeName[]]>([
    [
      "contacted",
      [
        "emailsSent",
        "networkSent",
        "networkInviteDone",
        "networkVoiceNoteDone",
        "chatMessageSent",
        "smsSent",
        "dialerDone",
      ],
    ],
    ["hooked", ["emailsOpened", "networkOpened", "chatMessageOpened"]],
    ["attracted", ["emailsClicked", "networkInviteAccepted"]],
    ["warmed", ["emailsReplied", "networkReplied", "chatReplied", "smsReplied"]],
    ["interested", ["emailsInterested", "networkInterested", "dialerInterested", "apiInterested", "manualInterested"]],
    [
      "notInterested",
      ["emailsNotInterested", "networkNotInterested", "dialerNotInterested", "apiNotInterested", "manualNotInterested"],
    ],
  ])("%s", (group, types) => expect(typesOf(group)).toEqual(types));

  test("a group has none", () => {
    const groups = EVENT_TYPES.flatMap(({ name, category }) => (category === "Lead state groups" ? [name] : []));
    expect(groups.map(groupOf)).toEqual([null, null, null, null, null, null]);
  });
});
