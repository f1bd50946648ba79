import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommand } from "../doors/cli/command.ts";
import { EXAMPLES, ROOT, read } from "../docs/pages.ts";
import { runPage } from "../docs/run-page.ts";

let command: Awaited<ReturnType<typeof openCommand>>;
beforeAll(async () => {
  command = await openCommand();
});
afterAll(() => command.close());

test("every story has its example", () => {
  expect(EXAMPLES).toEqual(["adoption", "fan-out", "protected", "quick-start", "stages", "suppression-list"]);
  for (const name of EXAMPLES) expect(read(`examples/${name}/README.md`)).toContain("npx outreach apply");
});

test.for(EXAMPLES)("the configuration of %s is valid", async (name) => {
  const page = "```console\n$ npx outreach validate\n```";
  const [done] = await runPage(page, { command: command.file, folders: { ".": `examples/${name}` } });
  expect(done).toMatchObject({ code: 0, printed: "Success! The configuration is valid.\n" });
});

test("no example leaves its state behind in the repository", () => {
  const left = readdirSync(path.join(ROOT, "examples"), { recursive: true, encoding: "utf8" }).filter((file) => file.includes(".state.json"));
  expect(left).toEqual([]);
});
