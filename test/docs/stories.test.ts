import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommand } from "../doors/cli/command.ts";
import { STORIES, read } from "./pages.ts";
import { runPage } from "./run-page.ts";
import { tells } from "./transcript.ts";

let command: Awaited<ReturnType<typeof openCommand>>;
beforeAll(async () => {
  command = await openCommand();
});
afterAll(() => command.close());

/** `npm run transcripts` writes what is printed into the pages. */
test.for([...STORIES])("%s tells what its commands print", async ([page, folders]) => {
  const done = await runPage(read(page), { command: command.file, folders });
  for (const [index, { deed, printed, code }] of done.entries()) {
    if (deed.kind === "write") continue;
    if (deed.told !== null && !tells(deed.told, printed)) expect(printed.trim(), deed.command).toBe(deed.told.trim());
    const next = done[index + 1]?.deed;
    const isTold = next?.kind === "run" && next.command === "echo $?";
    expect(isTold ? 0 : code, `the exit code of ${deed.command}, which the page does not tell: ${printed}`).toBe(0);
  }
});
