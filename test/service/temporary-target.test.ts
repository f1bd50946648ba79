import { expect, test } from "vitest";
import { isTemporaryTarget, temporaryTarget } from "../../src/service/api/temporary-target.ts";

const TOKEN = "0a".repeat(16);

test.each([
  ["https://dev.example.com", `https://dev.example.com/outreach-listen/${TOKEN}`],
  ["https://dev.example.com/a/", `https://dev.example.com/a/outreach-listen/${TOKEN}`],
  ["http://127.0.0.1:4020/?k=v", `http://127.0.0.1:4020/outreach-listen/${TOKEN}?k=v`],
])("the target below %s", (base, target) => {
  expect(temporaryTarget(new URL(base), TOKEN)).toBe(target);
  expect(isTemporaryTarget(target)).toBe(true);
});

test.each([
  "https://crm.example.com/hooks",
  "https://crm.example.com/outreach-listen",
  "https://crm.example.com/outreach-listen/replies",
  `https://crm.example.com/outreach-listen/${TOKEN}/more`,
  `https://crm.example.com/?path=/outreach-listen/${TOKEN}`,
  `https://crm.example.com/hooks#/outreach-listen/${TOKEN}`,
  "nothing",
])("%s is not temporary", (url) => {
  expect(isTemporaryTarget(url)).toBe(false);
});
