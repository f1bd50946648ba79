import { describe, expect, test } from "vitest";
import { parseEvent } from "../../../src/service/receiver/index.ts";

const SECRETS = ["whsec-old", "whsec-new"];
const REPLY = {
  _id: "act_1",
  type: "emailsReplied",
  teamId: "tea_1",
  createdAt: "2026-01-02T03:04:05.000Z",
  campaignId: "cam_1",
  leadId: "lea_1",
  leadEmail: "ada@example.com",
  subject: "Re: Hello",
  to: [{ address: "sales@example.com", name: "" }],
};
const signed = { ...REPLY, secret: "whsec-new" };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a body that is accepted", () => {
  const text = JSON.stringify(signed);
  test.for<[string, string | Uint8Array | ArrayBuffer | object]>([
    ["text", text],
    ["text with a byte order mark", `\uFEFF${text}`],
    ["bytes", bytesOf(text)],
    ["bytes with a byte order mark", bytesOf(`\uFEFF${text}`)],
    ["a Buffer", Buffer.from(text)],
    ["a DataView", new DataView(bytesOf(text).buffer)],
    ["an ArrayBuffer", bytesOf(text).buffer],
    ["an object", signed],
    ["an object without a prototype", Object.assign(Object.create(null) as object, signed)],
  ])("can be %s", ([, body]) => {
    expect(parseEvent(body, { secrets: SECRETS })).toEqual(REPLY);
  });
});
