import { type Chance, chanceOf } from "../../core/apply/chance.ts";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import { CAMPAIGN, SECRET_OF, running } from "../declarations.ts";
import { BEGIN_MS, settle, worldsAfterDeath } from "../explorer/runs.ts";
import { judgeRest, judgeRun } from "../judge/judge.ts";
import { newMemory } from "../judge/memory.ts";
import { parseStored } from "../judge/parse.ts";
import type { Judged } from "../judge/report.ts";
import { runWithOthers } from "../meanwhile.ts";
import type { StoreKind } from "../ports.ts";
import { API_KEY, type Ran, machineOf } from "../process.ts";
import { COPIED_TYPE, newService } from "../service.ts";
import { type World, copyOf } from "../world.ts";
import { EMAILS, changed } from "./configuration.ts";
import { SeededDecisions, type Trouble } from "./seeded-decisions.ts";

const PEACE: Trouble = { fault: 0, death: 0, meddling: 0 };
const MOST_RUNS_TO_REST = 8;
const NONE = ["none"] as const;
const ALL_MEDDLINGS = [
  "none",
  "starts a second run",
  "removes the lock",
  "removes the lock and starts a second run",
] as const;

export interface Story {
  readonly seed: number;
  readonly kind: StoreKind;
  /** Changes of the configuration, runs, and what somebody else does. */
  readonly operations: number;
  /** Whether creates carry a mark. */
  readonly marks: boolean;
  /** Whether the service allows one webhook per URL. */
  readonly hasOnePerUrl: boolean;
}

/** Tells the story of a seed, and returns the rules that it breaks, with what happened. */
export async function tellStory({
  seed,
  kind,
  operations,
  marks,
  hasOnePerUrl,
}: Story): Promise<{ readonly broken: readonly string[]; readonly told: readonly string[]; readonly runs: number }> {
  const chance = chanceOf(seed);
  const told: string[] = [];
  const broken: string[] = [];
  let runs = 0;
  let declarations: readonly Declaration[] = [];
  let world: World = {
    nowMs: BEGIN_MS,
    chance: 0,
    service: newService(
      {
        campaigns: [CAMPAIGN],
        leads: EMAILS.map((email) => `${CAMPAIGN}/${email}`),
        isPoor: chance.percent(30),
        hasOnePerUrl,
      },
      BEGIN_MS,
    ),
    store: kind.newPart(),
    judge: newMemory(),
  };

  async function run(trouble: Trouble, approved: boolean): Promise<Ran> {
    runs++;
    const life = { isOver: false };
    const machine = machineOf(world, kind);
    const decisions: SeededDecisions = new SeededDecisions({
      chance,
      trouble,
      life,
      dies: () => worldsAfterDeath(machine.world).map(({ world: left }) => copyOf(left)),
    });
    const meddlings = trouble.meddling > 0 ? ALL_MEDDLINGS : NONE;
    let ran = await runWithOthers(
      machine,
      { running: running(declarations, { approved, marks }), meddlings },
      decisions,
      life,
    );
    if (decisions.left) {
      world = chance.any(decisions.left) ?? world;
      ran = { ...ran, exit: "died", said: [], texts: [], plan: machine.plan };
    }
    told.push(
      ...decisions.story.map((line) => `  ${line}`),
      `run${approved ? " approved" : ""}: exit ${String(ran.exit)} ${ran.said.map(({ code, address = "" }) => `${code} ${address}`).join(", ")}${ran.texts.join("\n")}`,
    );
    broken.push(...judgeRun(world, ran, judged()));
    world.judge.unsubscribed = new Set([...world.judge.unsubscribed].filter(isKnown()));
    kind.tidy(world.store);
    return ran;
  }

  /** What is neither declared nor stored any more is forgotten, and may be sent again if it is declared again. */
  function isKnown(): (lead: string) => boolean {
    const { records, open } = parseStored(world.store.stored());
    const known = [
      ...declarations.map(({ attributes }) => attributes),
      ...[...records.values()].map(({ attributes }) => attributes),
      ...open.map(({ planned }) => planned),
    ];
    const leads = new Set(
      known.map((attributes) => `${String(attributes["campaign_id"])}/${String(attributes["email"])}`),
    );
    return (lead) => leads.has(lead);
  }

  function judged(): Judged {
    return { declarations, removals: [], secretOf: SECRET_OF, apiKey: API_KEY, marks };
  }

  async function operate(): Promise<void> {
    const what = chance.oneOf(["change", "change", "change", "by hand", "run", "run", "run", "wait"]);
    if (what === "change") {
      declarations = changed(declarations, chance);
      told.push(
        `declared: ${declarations.map(({ address, attributes, secrets }) => `${address} ${JSON.stringify([attributes, secrets])}`).join("; ")}`,
      );
    } else if (what === "by hand") actByHand(world, declarations, { chance, told, marks });
    else if (what === "wait") settle(world);
    else
      await run(
        { fault: chance.oneOf([0, 1, 3, 8]), death: chance.oneOf([0, 0, 1, 4]), meddling: chance.oneOf([0, 0, 2]) },
        chance.percent(40),
      );
  }

  /** Runs without trouble until nothing is left to do, or only what a person has to settle. */
  async function rest(): Promise<void> {
    let [quiet, before] = [0, ""];
    for (let turn = 0; turn < MOST_RUNS_TO_REST; turn++) {
      settle(world);
      const ran = await run(PEACE, true);
      const after = JSON.stringify([ran.exit, ran.said, ran.wrote]);
      quiet = ran.isQuiet || after === before ? quiet + 1 : 0;
      before = after;
      if (quiet < 2) continue;
      broken.push(...judgeRest(world, ran, judged()));
      return;
    }
    broken.push("it does not come to rest");
  }

  for (let operation = 0; operation < operations && broken.length === 0; operation++) await operate();
  if (broken.length === 0) await rest();
  return { broken, told, runs };
}

/** What somebody does who does not use the tool. */
function actByHand(
  { service, nowMs }: World,
  declarations: readonly Declaration[],
  { chance, told, marks }: { readonly chance: Chance; readonly told: string[]; readonly marks: boolean },
): void {
  const what = chance.oneOf(["identical", "other", "remove", ...(marks ? (["copied", "imitated"] as const) : [])]);
  const hook = chance.any(service.hooks);
  if (what === "copied" || what === "imitated") {
    if (!hook || service.setup.hasOnePerUrl) return;
    const copy = {
      targetUrl: hook.targetUrl,
      type: what === "copied" ? COPIED_TYPE : hook.type,
      campaignId: hook.campaignId,
    };
    return void told.push(`by hand: ${service.addByHand(copy, nowMs)} is ${what} from ${hook.id}`);
  }
  if (what === "remove") {
    if (hook) service.removeByHand(hook.id);
    return void told.push(`by hand: ${String(hook?.id)} is removed`);
  }
  const { attributes } = chance.any(declarations.filter(({ type }) => type === "outreach_webhook")) ?? {};
  const text = (name: string): string | null => (typeof attributes?.[name] === "string" ? attributes[name] : null);
  const given =
    what === "identical" && attributes
      ? { targetUrl: text("target_url") ?? "", type: text("type"), campaignId: text("campaign_id") }
      : { targetUrl: "https://other.example.com/hooks" };
  told.push(`by hand: ${service.addByHand(given, nowMs)} ${JSON.stringify(given)}`);
}
