import { expect } from "vitest";
import { STORIES, TERRAFORM_STORIES, read } from "./pages.ts";
import { type PageSetting, runPage } from "./run-page.ts";
import { tells } from "./transcript.ts";

/** Runs the commands of a page, and compares their output with its transcripts. `npm run transcripts` updates the pages. */
export async function checkStory(page: string, setting: Omit<PageSetting, "folders">): Promise<void> {
  const done = await runPage(read(page), {
    ...setting,
    folders: STORIES.get(page) ?? TERRAFORM_STORIES.get(page) ?? {},
  });
  for (const [index, { deed, printed, code }] of done.entries()) {
    if (deed.kind === "write") continue;
    if (deed.told !== null && !tells(deed.told, printed)) expect(printed.trim(), deed.command).toBe(deed.told.trim());
    const next = done[index + 1]?.deed;
    const isTold = next?.kind === "run" && next.command === "echo $?";
    expect(isTold ? 0 : code, `the exit code of ${deed.command}, which the page does not tell: ${printed}`).toBe(0);
  }
}
