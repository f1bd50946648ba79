import { parseEvent } from "../../src/service/receiver/index.ts";
import { type Figure, median } from "./figure.ts";

const ROUNDS = 301;
const CALLS = 200;
const SECRETS = ["whsec-0123456789abcdef0123456789abcdee", "whsec-0123456789abcdef0123456789abcdef"];
const text = (length: number): string => "x".repeat(length);
/** About 1 KB, with all the fields of a reply. */
const BODY = JSON.stringify({
  _id: `act_${text(17)}`,
  type: "emailsReplied",
  teamId: `tea_${text(17)}`,
  createdAt: "2026-01-02T03:04:05.000Z",
  campaignId: `cam_${text(17)}`,
  campaignName: "Q3 launch in the north",
  sequenceId: `seq_${text(17)}`,
  sequenceStep: 1,
  leadId: `lea_${text(17)}`,
  leadEmail: "ada.lovelace@example.com",
  leadFirstName: "Ada",
  leadLastName: "Lovelace",
  sendUserId: `usr_${text(17)}`,
  sendUserEmail: "sales@example.com",
  sendUserName: "Sam Sales",
  subject: "Re: The analytical engine, and what it could do for your team",
  to: [
    { address: "sales@example.com", name: "Sam Sales" },
    { address: "charles.babbage@example.com", name: "Charles Babbage" },
  ],
  cc: ["one", "two", "three", "four"].map((name) => ({ address: `${name}@example.com`, name })),
  secret: SECRETS[1],
});

/** Verifying and reading one event, with the second of two secrets, compared with reading its JSON only. */
export function measureParseEvent(): Promise<readonly Figure[]> {
  const event = medianMicros(() => parseEvent(BODY, { secrets: SECRETS }));
  const json = medianMicros(() => JSON.parse(BODY) as unknown);
  return Promise.resolve([
    {
      name: `parseEvent, a body of ${String(BODY.length)} bytes`,
      measured: `${event.toFixed(1)} us at the median, ${(event / json).toFixed(1)} times JSON.parse (${json.toFixed(1)} us)`,
      ratio: event / 20,
      goal: { atMost: 1 },
    },
  ]);
}

/** The microseconds of one call. */
function medianMicros(call: () => unknown): number {
  const rounds: number[] = [];
  for (let round = -10; round < ROUNDS; round++) {
    const start = performance.now();
    for (let index = 0; index < CALLS; index++) call();
    if (round >= 0) rounds.push(((performance.now() - start) * 1000) / CALLS);
  }
  return median(rounds);
}
