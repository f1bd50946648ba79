import { describe, expect, onTestFinished, test } from "vitest";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { bundledCommand } from "../frontends/cli/bundled-command.ts";
import { installedProvider } from "../frontends/terraform/installed-provider.ts";
import { describeWithTerraform } from "../frontends/terraform/terraform-under-test.ts";
import { openCommandLane } from "./command-lane.ts";
import { openProviderLane } from "./provider-lane.ts";
import { type Lane, chosenStrikes } from "./target.ts";

/** A part of `npm run torture`: these kills, and the same ones in every run. */
const COMMAND = [
  { id: "command/local/mixed", kills: 6 },
  { id: "command/local/rotate-create-first", kills: 3 },
  { id: "command/local/unsubscribe", kills: 3 },
  { id: "command/local/mixed+mark", kills: 4 },
  { id: "command/http/mixed", kills: 4 },
  { id: "command/s3/mixed", kills: 3 },
  { id: "command/pg/mixed", kills: 3 },
];
const PROVIDER = [{ id: "provider/mixed", kills: 4 }];

/** Kills, and says how each one that breaks something is repeated. */
async function survives(opening: Promise<Lane>, { id, kills }: (typeof COMMAND)[number]): Promise<void> {
  const lane = await opening;
  onTestFinished(() => lane.close());
  const target = await lane.prepare(id);
  const broken: string[] = [];
  let struck = 0;
  for (const strike of chosenStrikes(target, id, kills)) {
    const { wasStruck, violations } = await target.kill(strike);
    if (wasStruck) struck++;
    if (violations.length > 0)
      broken.push(
        `npm run torture -- --replay ${id}/${strike.signal}/${String(strike.at)}   # ${violations.join("; ")}`,
      );
  }
  expect(broken).toEqual([]);
  expect(struck, "runs that came to their kill").toBeGreaterThan(0);
}

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
