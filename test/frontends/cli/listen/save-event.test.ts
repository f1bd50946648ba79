import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { saveEvent } from "../../../../src/frontends/cli/commands/listen/receive-events.ts";
import { nodeFiles } from "../../../../src/platform/node-files.ts";

const SAVED = { event: { _id: "act_1", type: "emailsSent" }, receivedAtMs: Date.UTC(2026, 0, 1), number: 1 };
const NAME = "20260101T000000000Z-000001-emailsSent-act_1";

function openFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-saved-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a file that exists is kept", async () => {
  const folder = openFolder();
  for (let time = 0; time < 2; time++)
    await saveEvent(nodeFiles(), folder, { ...SAVED, event: { ...SAVED.event, time } });
  expect(readdirSync(folder).toSorted()).toEqual([`${NAME}-2.json`, `${NAME}.json`]);
  expect(JSON.parse(readFileSync(path.join(folder, `${NAME}.json`), "utf8"))).toEqual({ ...SAVED.event, time: 0 });
});

test("a full disk leaves no part of a file", async () => {
  const folder = openFolder();
  const full = {
    ...nodeFiles(),
    createExclusively: (file: string) => {
      writeFileSync(file, "{");
      return Promise.reject(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }));
    },
  };
  await expect(saveEvent(full, folder, SAVED)).rejects.toThrow("ENOSPC");
  expect(readdirSync(folder)).toEqual([]);
});
