import { statSync } from "node:fs";
import { expect, it } from "vitest";
import { URL_A, journalStory } from "./story.ts";

const story = journalStory();
const SECRET = "tr0ub4dor&3 ünïcode/secret";
const WRITE_ONLY = "wr1te-0nly+value=";

/** A value in every way that it could be written down. */
function writings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString("hex"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    secret.split("").reverse().join(""),
  ];
}

function expectNone(text: string): void {
  for (const secret of [SECRET, WRITE_ONLY, story.sandbox.keys.good])
    for (const one of writings(secret)) expect(text).not.toContain(one);
}

it("no secret is in a journal or in private bytes, whatever becomes of a create", async () => {
  const provider = await story.start();
  const first = await provider.create({ target_url: URL_A, secret: SECRET });
  const second = await provider.create({
    target_url: "https://b.example.com/",
    secret_wo: WRITE_ONLY,
    secret_wo_version: 1,
  });
  story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, times: 2 });
  const third = await provider.create({ target_url: "https://c.example.com/", secret_wo: WRITE_ONLY });
  expect(third.state?.["id"]).toBeNull();
  story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after" });
  const fourth = await provider.create({ target_url: "https://d.example.com/", secret: SECRET });
  await provider.shutdown();
  const next = await story.start();
  const read = [await next.read(first), await next.read(third)];
  await next.create({ target_url: "https://e.example.com/", secret: SECRET, automation_id: "a" });
  await next.shutdown();
  const text = story.text();
  expect(text).toContain('"$secret"');
  expectNone(text);
  expect(third.private.length).toBeGreaterThan(0);
  for (const kept of [first, second, third, fourth, ...read]) expectNone(Buffer.from(kept.private).toString("latin1"));
  expectNone(JSON.stringify([...next.greetings, ...third.diagnostics, ...fourth.diagnostics]));
});

it("the journal is for its user's eyes only", async () => {
  const provider = await story.start();
  await provider.create({ target_url: URL_A });
  expect(statSync(`${story.folder}/ledger.json`).mode & 0o777).toBe(0o600);
});
