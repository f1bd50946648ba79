import { describe, test } from "vitest";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { bundledCommand } from "../frontends/cli/bundled-command.ts";
import { installedProvider } from "../frontends/terraform/installed-provider.ts";
import { describeWithTerraform } from "../frontends/terraform/terraform-under-test.ts";
import { openCommandLane } from "./command-lane.ts";
import { openProviderLane } from "./provider-lane.ts";
import { type Kills, survives } from "./survives.ts";

const COMMAND: readonly Kills[] = [
  { id: "command/local/mixed", kills: 6 },
  { id: "command/local/rotate-create-first", kills: 3 },
  { id: "command/local/unsubscribe", kills: 3 },
  { id: "command/local/mixed+mark", kills: 4 },
  { id: "command/http/mixed", kills: 4 },
  { id: "command/s3/mixed", kills: 3 },
  { id: "command/pg/mixed", kills: 3 },
];
const PROVIDER: readonly Kills[] = [{ id: "provider/mixed", kills: 4 }];

describe("the command, killed at requests and file changes, is put right by the next run", () => {
  const postgres = usePostgres();

  test.each(COMMAND)(
    "$id",
    async (part) => {
      const { runInProcess } = await bundledCommand();
      await survives(
        openCommandLane({
          runInProcess,
          recoversInProcess: true,
          postgres: async () => (await postgres.database()).url,
        }),
        part,
      );
    },
    120_000,
  );
});

describeWithTerraform(
  "the provider and terraform, killed at requests and file changes, are put right by the next apply",
  () => {
    test.each(PROVIDER)("$id", (part) => survives(openProviderLane(installedProvider), part), 120_000);
  },
);
