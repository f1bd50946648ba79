import { expect, test } from "vitest";
import { chanceOf } from "../../../core/apply/chance.ts";
import { newLife } from "../../../core/apply/life.ts";
import { PEACE, randomService } from "../../../core/apply/random-service.ts";
import { type FileFault, type Operation, memoryFiles } from "../../../core/state/memory-files.ts";
import { NEVER, countingRandom } from "../../../core/state/state-fixtures.ts";
import { virtualClock } from "../../../core/virtual-clock.ts";
import { type Declared, type State, smallTerraform } from "./small-terraform.ts";

const ALL_DESIRED: readonly Declared[] = [
  { address: "toy_thing.a", type: "toy_thing", attributes: { name: "n1", room: "r1", secret: "k1" } },
  { address: "toy_thing.b", type: "toy_thing", attributes: { name: "n1", room: "r2" } },
];

interface Boundary {
  /** A call to the disk, or a request, by its number. */
  readonly file?: FileFault;
  readonly request?: { readonly at: number; readonly seed: number };
  /** Whether Terraform has recorded what the process had answered. */
  readonly recorded: boolean;
}

/** An apply that ends at a boundary, and then others in peace. */
async function cutOff({ file, request, recorded }: Boundary) {
  const [files, clock, chance] = [memoryFiles(), virtualClock(), chanceOf(request?.seed ?? 1)];
  const life = newLife();
  let requests = 0;
  const service = randomService({
    clock,
    chance,
    arrives: async () => {
      // Whether the service carries it out before the process ends, later or never, is left to chance.
      if (request !== undefined && requests++ === request.at) service.suffer({ ...PEACE, write: 75, crash: 100 });
    },
  });
  const terraform = smallTerraform({ files, clock, random: countingRandom(), chance, service });
  if (file) files.fail(file);
  const first = await terraform.apply(new Map(), ALL_DESIRED, { life });
  files.fail(null);
  service.suffer(PEACE);
  let state: State = recorded ? first.state : new Map();
  await clock.sleep(1000, NEVER);
  let quiet = false;
  while (service.late() > 0) await clock.sleep(500, NEVER);
  let said = first.said;
  for (let run = 0; run < 4 && !quiet; run++) {
    const ran = await terraform.apply(state, ALL_DESIRED);
    state = ran.state;
    said = ran.said;
    quiet = ran.hadNothingToDo;
  }
  const managed = new Set([...state.values()].map(({ attributes }) => String(attributes["id"])));
  const unmanaged = [...service.bucket.keys()].filter((id) => !managed.has(id));
  return {
    reached: first.kind === "crashed",
    /** One live object for each declaration, recorded. */
    well: quiet && ALL_DESIRED.every(({ address }) => service.bucket.has(String(state.get(address)?.attributes["id"]))),
    /** What is live besides, or all of it where Terraform has lost it after the process had come to its end: it is said. */
    unsaid: unmanaged.filter((id) => !said.some(({ detail }) => detail.includes(id))),
    live: service.bucket.size,
  };
}

const DONE = ["nothing", "half", "all"] as const;
/** To end as it reads is the same as to end right before the next of these. */
const CHANGES: readonly Operation[] = [
  "createExclusively",
  "link",
  "makeFolder",
  "remove",
  "rename",
  "syncFolder",
  "writeDurably",
];
/** Every boundary is a story of its own. */
const LONG = 120_000;

test(
  "a process that ends at any call that changes the disk leaves one live object for each declaration, whatever Terraform has recorded",
  { timeout: LONG },
  async () => {
    let [reached, refused] = [0, 0];
    for (const recorded of [true, false]) {
      for (const done of DONE) {
        for (let at = 0, goesOn = true; goesOn; at++) {
          const ended = await cutOff({ file: { at, code: "CRASH", done, operations: CHANGES }, recorded });
          goesOn = ended.reached;
          if (!goesOn) continue;
          reached++;
          refused += ended.well ? 0 : 1;
          expect({ at, done, recorded, ...ended }).toEqual({
            at,
            done,
            recorded,
            reached: true,
            well: ended.well,
            unsaid: [],
            live: 2,
          });
        }
      }
    }
    expect(reached).toBeGreaterThan(60);
    // Only where the process had told already that it came to its end with Terraform, an import is asked for: as the ledger takes its
    // place, and in the calls that follow, in which the process releases the lock.
    expect(refused).toBeLessThanOrEqual(40);
  },
);

test(
  "so does one that ends in the middle of a request, carried out or not, in time or late",
  { timeout: LONG },
  async () => {
    for (const recorded of [true, false]) {
      for (let seed = 0; seed < 40; seed++) {
        for (let at = 0; at < ALL_DESIRED.length; at++) {
          const ended = await cutOff({ request: { at, seed }, recorded });
          expect({ at, seed, ...ended }).toEqual({ at, seed, reached: true, well: true, unsaid: [], live: ended.live });
        }
      }
    }
  },
);
