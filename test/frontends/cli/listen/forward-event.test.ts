import { expect, test } from "vitest";
import {
  type ForwardAnswer,
  forwarder,
  worstAnswer,
} from "../../../../src/frontends/cli/commands/listen/forward-event.ts";

const answer = (status: number | null, fields: Partial<ForwardAnswer> = {}): ForwardAnswer => ({
  url: "http://127.0.0.1:3000/",
  status,
  problem: status === null ? "refused the connection" : null,
  durationMs: 1,
  retryAfter: null,
  isLate: false,
  ...fields,
});

test.each([
  ["no receiver", [], 200, null],
  ["all accept", [answer(200), answer(204)], 204, null],
  ["one fails", [answer(200), answer(500), answer(404)], 500, null],
  ["one asks to wait", [answer(200, { retryAfter: "1" }), answer(503, { retryAfter: "7" })], 503, "7"],
  ["one cannot be reached", [answer(500), answer(null)], 502, null],
  ["one is too late", [answer(null), answer(null, { isLate: true })], 504, null],
] as const)("the answer to the service where %s", (_, answers, status, retryAfter) => {
  expect(worstAnswer(answers)).toEqual({ status, retryAfter });
});

test("at most 8 requests to one receiver are open at the same time, and each is sent", async () => {
  let [open, most] = [0, 0];
  const waiting: (() => void)[] = [];
  const forward = forwarder({ type: null, url: new URL("http://127.0.0.1:3000/hooks?token=t") }, 15_000, {
    clock: { monotonicMs: () => 0 },
    send: async () => {
      most = Math.max(most, ++open);
      await new Promise<void>((resolve) => waiting.push(resolve));
      open--;
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
  });
  const all = Promise.all(Array.from({ length: 20 }, () => forward({ body: new Uint8Array(), headers: {} })));
  for (let round = 0; round < 1000; round++) {
    waiting.shift()?.();
    await Promise.resolve();
  }
  expect(most).toBe(8);
  expect((await all).map(({ url }) => url)).toEqual(Array.from({ length: 20 }, () => "http://127.0.0.1:3000/hooks"));
});
