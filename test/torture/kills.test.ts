import { expect, test } from "vitest";
import { bundledCommand } from "../frontends/cli/bundled-command.ts";
import { openCommandLane } from "./command-lane.ts";
import { survives } from "./survives.ts";

test("the command, killed in the middle of an apply of everything, is put right by the next run", async () => {
  const { runInProcess } = await bundledCommand();
  const postgres = (): never => expect.unreachable("the state is a local file");
  await survives(openCommandLane({ runInProcess, recoversInProcess: true, postgres }), {
    id: "command/local/mixed",
    kills: 1,
  });
});
