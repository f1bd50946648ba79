import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type Chance, chanceOf } from "../../core/apply/chance.ts";
import { startPostgres } from "../../core/state/pg/postgres-server.ts";
import type { Controller } from "./controllers.ts";
import { type Declared, EMAILS, changed, configurationOf, firstDeclared } from "./declared.ts";
import { type Evidence, keepVersions, writeEvidence } from "./evidence.ts";
import { type FleetWorld, openFleetWorld } from "./fleet-world.ts";
import { type TeamEnd, createdIn, fleetViolations, recordsIn, worstWindow } from "./judge-fleet.ts";
import { type Foreign, disturb, meddle } from "./others.ts";

export interface FleetTortureOptions {
  readonly teams: number;
  readonly kills: number;
  readonly databaseKills: number;
  readonly seed: number;
  /** How often each team is looked at. */
  readonly intervalS: number;
  /** Tells the progress. */
  readonly say: (line: string) => void;
}

export interface FleetTortured {
  readonly violations: readonly string[];
  readonly figures: { readonly [name: string]: number };
}

const PROCESSES = 3;
/** Of ten teams, one uses the key of another one. */
const SHARING = 0.1;
const LISTING_DELAY = "1s";
const MOST_PAUSE_MS = 3000;
const [LEAST_STOP_MS, MOST_STOP_MS] = [1000, 8000];
const MOST_DOWN_MS = 3000;
const MEDDLINGS = 4;
/** After the last kill, beside the interval: a team that failed waits, and so does whoever takes over. */
const CALM_MS = 90_000;
const POLL_MS = 500;

/** Kills the controllers of a fleet and its database, while others change webhooks and the service fails. Then judges what they have made of it. */
export async function tortureFleet(options: FleetTortureOptions): Promise<FleetTortured> {
  const { teams, seed } = options;
  const server = await startPostgres({ isDurable: true });
  const world = await openFleetWorld({
    teams,
    sharing: Math.ceil(teams * SHARING),
    leads: EMAILS,
    databaseUrl: server.url,
    settle: LISTING_DELAY,
    service: {},
  });
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  pool.on("error", () => undefined);
  const torture = new FleetTorture(options, { world, server, pool, chance: chanceOf(seed) });
  try {
    return await torture.run();
  } finally {
    await torture.end();
    await pool.end();
    await world.close();
    await server.stop();
  }
}

interface Parts {
  readonly world: FleetWorld;
  readonly server: Awaited<ReturnType<typeof startPostgres>>;
  readonly pool: pg.Pool;
  readonly chance: Chance;
}

/** The place of a controller, which is started there again after each kill. */
interface Slot {
  controller: Controller | null;
  secret: string;
  isBusy: boolean;
}

class FleetTorture {
  readonly #options: FleetTortureOptions;
  readonly #parts: Parts;
  readonly #slots: readonly Slot[] = Array.from({ length: PROCESSES }, () => ({ controller: null, secret: "", isBusy: false }));
  readonly #foreign: Foreign[] = [];
  readonly #violations: string[] = [];
  readonly #killed: { readonly process: string; readonly atMs: number }[] = [];
  readonly #downMs: number[] = [];
  readonly #strikes: Evidence["strikes"][number][] = [];
  readonly #lines: Evidence["lines"][number][] = [];
  readonly #under: Promise<unknown>[] = [];
  readonly #figures = { SIGKILL: 0, SIGTERM: 0, SIGSTOP: 0, "kills of the database": 0, changes: 0, rotations: 0 };
  #declared: Declared = firstDeclared();

  constructor(options: FleetTortureOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  async run(): Promise<FleetTortured> {
    const { kills, databaseKills, say, intervalS } = this.#options;
    const { world, chance } = this.#parts;
    const beganMs = Date.now();
    this.#declare(this.#declared);
    for (const slot of this.#slots) await this.#start(slot);
    await this.#until(async () => (await this.#ends()).some(({ state }) => state !== "new"), CALM_MS);
    await this.#until(() => keepVersions(this.#parts.pool), CALM_MS);
    let databaseKilled = 0;
    for (let round = 0; this.#figures.SIGKILL + this.#figures.SIGTERM < kills; round++) {
      await delay(chance.below(MOST_PAUSE_MS));
      if (chance.percent(25)) this.#declare(changed(this.#declared, world.teams, chance));
      if (chance.percent(4)) await this.#rotate();
      if (chance.percent(30)) disturb(world.sandbox, chance);
      this.#meddle();
      await this.#strike();
      const killed = this.#figures.SIGKILL + this.#figures.SIGTERM;
      if (databaseKilled < Math.floor((killed * databaseKills) / kills)) {
        databaseKilled++;
        await this.#killDatabase();
      }
      if (round % 20 === 19) say(`${String(killed)} kills of processes, ${String(databaseKilled)} of the database`);
    }
    await Promise.all(this.#under);
    world.sandbox.clearFaults();
    for (const slot of this.#slots) if (slot.secret !== this.#declared.secret) await this.#restart(slot, "SIGTERM");
    const calmMs = Date.now();
    const isConverged = await this.#until(() => this.#isConverged(calmMs), CALM_MS + intervalS * 1200);
    const convergedMs = Date.now() - calmMs;
    if (!isConverged) say("not all teams have converged");
    const ends = await this.#ends();
    const violations = [...this.#violations, ...fleetViolations({ sandbox: world.sandbox, declared: this.#declared, ends, foreign: this.#foreign })];
    const named = ends
      .filter(({ team, state }) => state === "parked" || state === "failed" || violations.some((one) => one.includes(team)))
      .map(({ team }) => team);
    const evidence = { log: world.sandbox.requests(), foreign: this.#foreign, strikes: this.#strikes, lines: this.#lines };
    if (named.length > 0) say(`what happened to the teams: ${await writeEvidence(named, evidence, this.#parts.pool)}`);
    return {
      violations,
      figures: { ...this.#figures, ...(await this.#measured(ends)), "seconds to converge": convergedMs / 1000, seconds: (Date.now() - beganMs) / 1000 },
    };
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#under);
    for (const { controller } of this.#slots) controller?.signal("SIGKILL");
    for (const { controller } of this.#slots) await controller?.ended;
  }

  #declare(declared: Declared): void {
    this.#declared = declared;
    this.#figures.changes++;
    this.#parts.world.declare(configurationOf(this.#parts.world.teams, declared));
  }

  async #start(slot: Slot): Promise<void> {
    const { secret } = this.#declared;
    slot.secret = secret;
    for (;;) {
      // Without a database, it does not start.
      slot.controller = await this.#parts.world
        .start({
          secret,
          words: ["--auto", "all", "--interval", `${String(this.#options.intervalS)}s`],
          logged: (line) => void this.#lines.push(line),
        })
        .catch((error: unknown) => {
          if (!String(error).includes("fleet_database_away") && !String(error).includes("does not answer")) throw error;
          return null;
        });
      if (slot.controller) return this.#note(`a controller has started: ${String(slot.controller.pid)}`);
      await delay(POLL_MS);
    }
  }

  /** Ends a controller and starts another one in its place. */
  async #restart(slot: Slot, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const { controller } = slot;
    if (!controller) return;
    slot.isBusy = true;
    const process = await this.#processOf(controller);
    controller.signal(signal);
    this.#note(`${signal} ${String(controller.pid)} ${process ?? ""}`);
    const atMs = Date.now();
    const code = await controller.ended;
    // One that has only begun to start is interrupted as any command.
    const isEarly = code === 1 && controller.said().trimEnd().endsWith("Interrupted. No further requests were sent.");
    if (code !== (signal === "SIGKILL" ? 137 : 0) && !isEarly)
      this.#violations.push(`after ${signal}, a controller ended with ${String(code)}: ${controller.said().slice(-1000)}`);
    if (signal === "SIGKILL" && process !== null) this.#killed.push({ process, atMs });
    slot.controller = null;
    await delay(this.#parts.chance.below(MOST_DOWN_MS));
    await this.#start(slot);
    slot.isBusy = false;
  }

  async #strike(): Promise<void> {
    const { chance } = this.#parts;
    const slot = chance.any(this.#slots.filter(({ isBusy }) => !isBusy));
    if (!slot?.controller) return;
    if (slot.controller.isEnded()) {
      this.#violations.push(`a controller ended by itself: ${slot.controller.said().slice(-1000)}`);
      await this.#start(slot);
      return;
    }
    const signal = chance.oneOf(["SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGSTOP"]);
    this.#figures[signal]++;
    this.#under.push(signal === "SIGSTOP" ? this.#hold(slot, slot.controller) : this.#restart(slot, signal));
  }

  async #hold(slot: Slot, controller: Controller): Promise<void> {
    slot.isBusy = true;
    controller.signal("SIGSTOP");
    this.#note(`SIGSTOP ${String(controller.pid)}`);
    await delay(LEAST_STOP_MS + this.#parts.chance.below(MOST_STOP_MS - LEAST_STOP_MS));
    controller.signal("SIGCONT");
    this.#note(`SIGCONT ${String(controller.pid)}`);
    slot.isBusy = false;
  }

  #note(what: string): void {
    this.#strikes.push({ atMs: Date.now(), what });
  }

  /** A new secret, which controllers have only from their start. */
  async #rotate(): Promise<void> {
    this.#figures.rotations++;
    this.#declared = { ...this.#declared, secret: `hook-secret-${String(this.#figures.rotations)}` };
    for (const slot of this.#slots) {
      await Promise.all(this.#under);
      if (slot.secret !== this.#declared.secret) await this.#restart(slot, "SIGTERM");
    }
  }

  #meddle(): void {
    const { world, chance } = this.#parts;
    const own = new Set(createdIn(world.sandbox.requests()));
    for (let left = chance.below(MEDDLINGS); left > 0; left--) {
      const did = meddle(world.sandbox, own, chance);
      if (did) this.#foreign.push(did);
    }
  }

  async #killDatabase(): Promise<void> {
    const { server, chance } = this.#parts;
    this.#figures["kills of the database"]++;
    this.#downMs.push(Date.now());
    this.#note("database killed");
    await server.kill();
    await delay(chance.below(MOST_DOWN_MS));
    await server.restart();
    this.#note("database back");
  }

  async #processOf({ pid }: Controller): Promise<string | null> {
    const rows = await this.#rows<{ readonly id: string }>(`SELECT id FROM outreach_fleet.process WHERE pid = ${String(pid)}`).catch(() => []);
    return rows[0]?.id ?? null;
  }

  async #rows<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> {
    return (await this.#parts.pool.query<Row>(text)).rows;
  }

  async #ends(): Promise<readonly (TeamEnd & { readonly lastRunMs: number })[]> {
    const teams = await this.#rows<Omit<TeamEnd, "recorded" | "open"> & { readonly lastRunMs: number }>(
      `SELECT name AS team, CASE WHEN running THEN 'running' WHEN parked THEN 'parked' ELSE state END AS state, message,
        coalesce(extract(epoch FROM last_run) * 1000, 0)::float8 AS "lastRunMs",
        coalesce((SELECT string_agg(messages::text, ' ') FROM outreach_fleet.run WHERE team = name), '') AS said FROM outreach_fleet.team WHERE removed IS NULL ORDER BY name`,
    );
    const states = await this.#rows<{ name: string; text: string }>(
      `SELECT DISTINCT ON (name) name, convert_from(bytes, 'UTF8') AS text FROM states.managed_state_versions ORDER BY name, number DESC`,
    ).catch(() => []);
    const records = new Map(states.map(({ name, text }) => [name, recordsIn(text)]));
    return teams.map((one) => ({ ...one, ...(records.get(one.team) ?? { recorded: new Set(), open: new Set() }) }));
  }

  /** Every team was looked at since and rests, or waits for a person. */
  async #isConverged(sinceMs: number): Promise<boolean> {
    const ends = await this.#ends();
    return ends.every(
      ({ state, lastRunMs, message }) =>
        state === "parked" ||
        (lastRunMs > sinceMs && (state === "unchanged" || state === "applied" || (state === "failed" && message?.startsWith("An identical") === true))),
    );
  }

  async #until(isTrue: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
    const endMs = Date.now() + patienceMs;
    while (Date.now() < endMs) {
      if (await isTrue().catch(() => false)) return true;
      await delay(POLL_MS);
    }
    return false;
  }

  async #measured(ends: readonly TeamEnd[]): Promise<{ readonly [name: string]: number }> {
    const [runs] = await this.#rows<{ readonly runs: number }>("SELECT max(id)::integer AS runs FROM outreach_fleet.run");
    const { sandbox } = this.#parts.world;
    const takeOvers = await this.#takeOvers();
    return {
      runs: runs?.runs ?? 0,
      requests: sandbox.requests().length,
      "requests in the worst window of a key": worstWindow(sandbox.requests()),
      "acts of others": this.#foreign.length,
      "teams that wait for a person": ends.filter(({ state }) => state === "parked").length,
      "runs taken over": takeOvers.length,
      "seconds to take over, at most": Math.max(0, ...takeOvers),
    };
  }

  /** How long after the kill of their process interrupted runs were begun again, without those that also had no database. */
  async #takeOvers(): Promise<readonly number[]> {
    const seconds: number[] = [];
    for (const { process, atMs } of this.#killed) {
      if (this.#downMs.some((at) => at > atMs - 10_000 && at < atMs + 20_000)) continue;
      const rows = await this.#rows<{ readonly again: number | null }>(
        `SELECT (SELECT extract(epoch FROM min(n.began)) * 1000 FROM outreach_fleet.run n WHERE n.team = r.team AND n.id > r.id)::float8 AS again
          FROM outreach_fleet.run r WHERE r.process = '${process}' AND r.outcome = 'interrupted'`,
      );
      for (const { again } of rows) if (again !== null && again > atMs) seconds.push((again - atMs) / 1000);
    }
    return seconds;
  }
}
