import { afterAll, beforeAll, test } from "vitest";
import { openCommand } from "../doors/cli/command.ts";
import { checkStory } from "./check-story.ts";
import { STORIES } from "./pages.ts";

let command: Awaited<ReturnType<typeof openCommand>>;
beforeAll(async () => {
  command = await openCommand();
});
afterAll(() => command.close());

test.each([...STORIES.keys()].filter((page) => !page.startsWith("examples/")))(
  "%s tells what its commands print",
  async (page) => {
    await checkStory(page, command.file);
  },
  60_000,
);
