import { expect, test } from "vitest";
import { encodeState } from "../../../../src/core/state/document.ts";
import { document } from "../../../core/state/state-fixtures.ts";
import { startKillingProxy } from "./killing-proxy.ts";
import { type Project, useProjects } from "../project.ts";
import { type RemoteBackend, type RemotePlace } from "../../../core/state/remote-places.ts";
import { useRemoteStates } from "./remote-states.ts";

const openProject = useProjects();
const openState = useRemoteStates();

const LINEAGE = "one-lineage";
const RECORD = "toy_thing.ball";
const STATE = encodeState(document({ lineage: LINEAGE }));
/** `OUTREACH_KILLS=all` kills at every answer; by default at some, and of each pair at others. */
const IS_EVERY = process.env["OUTREACH_KILLS"] === "all";
const EACH = 6;
/** A kill leaves two locks at most. */
const MAX_RUNS = 3;
const PAIRS: readonly (readonly [RemoteBackend, RemoteBackend])[] = [
  ["http", "pg"],
  ["pg", "s3"],
  ["s3", "http"],
];

interface Move {
  readonly from: RemotePlace;
  readonly to: RemotePlace;
  readonly command: string;
  readonly environment: { readonly [variable: string]: string };
  /** How many parts of answers have come. */
  answers(): number;
  /** Called with the next answers before they arrive, until it returns false: none arrives any more. */
  before: (answer: number) => boolean;
  close(): Promise<void>;
}

/** A state that moves, with both its servers behind proxies. */
async function openMove([fromBackend, toBackend]: readonly [RemoteBackend, RemoteBackend]): Promise<Move> {
  const [from, to] = [await openState(fromBackend), await openState(toBackend)];
  await from.begin(STATE);
  let answers = 0;
  const move = { before: (_: number): boolean => true };
  const proxies = await Promise.all(
    [from, to].map(({ port }) => startKillingProxy(port, () => move.before(++answers))),
  );
  const through = (text: string): string =>
    [from, to].reduce(
      (now, { port }, index) =>
        now.replaceAll(`127.0.0.1:${String(port)}`, `127.0.0.1:${String(proxies[index]?.port)}`),
      text,
    );
  const variables = Object.entries({ ...from.environment, ...to.environment, OUTREACH_STATE: to.url });
  return Object.assign(move, {
    from,
    to,
    command: `init --migrate-state --from '${through(from.url)}'`,
    environment: Object.fromEntries(variables.map(([name, value]) => [name, through(value)])),
    answers: () => answers,
    close: async () => {
      for (const proxy of proxies) await proxy.close();
    },
  });
}

async function moved(project: Project, { from, to, command, environment }: Move): Promise<void> {
  for (let run = 1; ; run++) {
    const { code, out, err } = await project.run(command, environment);
    if (code === 0) {
      expect(out).toContain("with 1 record");
      break;
    }
    expect([run < MAX_RUNS, err]).toEqual([
      true,
      expect.stringContaining("remove its lock: outreach force-unlock") as string,
    ]);
    const [, unlock = ""] = /remove its lock: outreach (force-unlock .*)/.exec(err) ?? [];
    const unlocked = await project.run(`${unlock} --force`, environment);
    // The database may have noticed meanwhile that the killed command is gone.
    if (unlocked.code !== 0) expect(unlocked.err).toContain("is not locked. Nothing was changed.");
  }
  expect(JSON.parse(await to.state())).toMatchObject({ format: 1, lineage: LINEAGE, instances: [{ address: RECORD }] });
  expect(JSON.parse(await from.state())).toMatchObject({ format: 1, lineage: LINEAGE });
}

test.each(PAIRS)(
  "a state that moves from %s to %s is in one of both whole, at whatever answer the command is killed, and the next run moves it",
  async (fromBackend, toBackend) => {
    const pair = PAIRS.find(([from, to]) => from === fromBackend && to === toBackend) ?? expect.fail();
    const project = await openProject({ realTime: "a connection does not wait by a clock that jumps" });
    project.write("outreach.yaml", "version: 1\n");
    const undisturbed = await openMove(pair);
    await moved(project, undisturbed);
    const all = undisturbed.answers();
    await undisturbed.close();
    expect(all).toBeGreaterThan(10);
    for (let answer = IS_EVERY ? 1 : 1 + PAIRS.indexOf(pair); answer <= all; answer += IS_EVERY ? 1 : EACH) {
      const move = await openMove(pair);
      const { child, ended } = project.start(move.command, move.environment);
      move.before = (count) => count < answer || (child.kill("SIGKILL"), false);
      const { code } = await ended;
      // The last answers may come in one part.
      if (code === 0 && answer > all / 2) break;
      expect(code, `killed at answer ${String(answer)}`).toBeNull();
      move.before = () => true;
      const kept = [await move.from.state(), await move.to.state()].filter((state) => state.includes(RECORD));
      expect(kept.length, `after answer ${String(answer)}`).toBeGreaterThan(0);
      await moved(project, move);
      await move.close();
    }
  },
  120_000,
);
