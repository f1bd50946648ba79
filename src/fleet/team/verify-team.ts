import type { HostPattern } from "../../core/model/host-pattern.ts";
import { verifyReceivers } from "../../operations/verify/verify.ts";
import { receiverText } from "../../output/content/receiver-text.ts";
import type { ReadOptions } from "../configuration/read-fleet-configuration.ts";
import type { VerifiedReceiver } from "../team-work.ts";
import { maskedError } from "./masked-error.ts";
import { type SharedByRuns, type TeamContext, withTeamRun } from "./team-run.ts";

/** A team with the configuration that was read. */
interface VerifiedTeam {
  readonly context: TeamContext;
  readonly shared: SharedByRuns;
  readonly options: ReadOptions;
  readonly team: string;
  readonly signal: AbortSignal;
}

/** Verifies the receivers of a team, without the lock of its state. */
export function verifyTeam(
  { context, shared, options, team, signal }: VerifiedTeam,
  allow: readonly HostPattern[],
): Promise<readonly VerifiedReceiver[]> {
  return withTeamRun(context, { shared, team, signal }, async (run) => {
    try {
      const chosen = { ...options, team: [team], lock: false, lockTimeout: 0, allow, report: () => undefined };
      const { receivers } = await verifyReceivers(run.context, chosen);
      return receivers
        .filter(({ result }) => result !== "skipped")
        .map((one) => ({
          address: run.masked(one.address),
          host: one.host,
          isOk: one.result === "ok",
          text: run.masked(receiverText(one)),
        }));
    } catch (error) {
      signal.throwIfAborted();
      throw maskedError(run, error);
    }
  });
}
