import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type Chance, chanceOf } from "../../core/apply/chance.ts";
import { type PostgresServer, startPostgres } from "../../core/state/pg/postgres-server.ts";
import { converge } from "./converge.ts";
import { type Declared, EMAILS, brokenOf, changed, configurationOf, firstDeclared } from "./declared.ts";
import { type Evidence, writeEvidence } from "./evidence.ts";
import { type FleetWorld, openFleetWorld } from "./fleet-world.ts";
import { createdIn, fleetViolations } from "./judge-fleet.ts";
import { type Foreign, disturb, meddle } from "./others.ts";
import { Places } from "./places.ts";
import { type Interrupted, Standstills, type TakeOver } from "./take-overs.ts";
import { aimAt, configurationsIn, endsOf, interruptedOf, keepAll, lastSaid } from "./team-ends.ts";

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
const MOST_DOWN_MS = 3000;
const [LEAST_BROKEN_MS, MOST_BROKEN_MS] = [1000, 8000];
/** A take-over that takes longer is told. */
const SLOW_S = 15;
const MEDDLINGS = 4;
const POLL_MS = 500;
const LATENCY = { minMs: 20, maxMs: 300 };

/** Kills the controllers of a fleet and its database, while others change webhooks and the service fails. Then judges what they have made of it. */
export async function tortureFleet(options: FleetTortureOptions): Promise<FleetTortured> {
  const { teams, seed } = options;
  const server = await startPostgres({ isDurable: true });
  const world = await openFleetWorld({
    teams,
    sharing: Math.ceil(teams * SHARING),
    refused: 1,
    leads: EMAILS,
    databaseUrl: server.url,
    settle: LISTING_DELAY,
    service: { latency: LATENCY },
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
  readonly server: PostgresServer;
  readonly pool: pg.Pool;
  readonly chance: Chance;
}

class FleetTorture {
  readonly #options: FleetTortureOptions;
  readonly #parts: Parts;
  readonly #places: Places;
  readonly #standstills = new Standstills();
  readonly #foreign: Foreign[] = [];
  readonly #strikes: Evidence["strikes"][number][] = [];
  readonly #lines: Evidence["lines"][number][] = [];
  readonly #figures = { "kills of the database": 0, changes: 0, "broken configurations": 0, rotations: 0 };
  readonly #texts = new Set<string>();
  readonly #everAbsent = new Set<string>();
  #declared: Declared;
  #broken: Promise<void> | null = null;

  constructor(options: FleetTortureOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    const { world, chance, pool } = parts;
    this.#declared = firstDeclared(world.teams);
    const words = ["--auto", "all", "--interval", `${String(options.intervalS)}s`];
    this.#places = new Places({
      count: PROCESSES,
      chance,
      standstills: this.#standstills,
      start: (secret, logged) =>
        world.start({
          secret,
          words,
          logged: (line) => {
            this.#lines.push(line);
            logged(line);
          },
        }),
      secret: () => this.#declared.secret,
      // Without a database, or with a configuration that cannot be used, it does not start.
      isExpected: (said) =>
        /fleet_database_away|database is not available/.test(said) || this.#figures["broken configurations"] > 0,
      aim: ({ pid }) => aimAt(pool, pid),
      note: (what) => this.#note(what),
    });
  }

  async run(): Promise<FleetTortured> {
    const { world, pool } = this.#parts;
    const beganMs = Date.now();
    this.#declare(this.#declared);
    await this.#places.start();
    while (!(await keepAll(pool).catch(() => false))) await delay(POLL_MS);
    await this.#torture();
    const calmMs = Date.now();
    const left = await converge(pool, { world, declared: this.#declared, intervalMs: this.#options.intervalS * 1000 });
    const convergedMs = Date.now() - calmMs;
    const unconverged = await Promise.all(
      left.map(async (team) => `${team} has not converged: ${await lastSaid(pool, team)}`),
    );
    const ends = await endsOf(pool);
    const judged = {
      sandbox: world.sandbox,
      declared: this.#declared,
      refused: world.refused,
      ends,
      foreign: this.#foreign,
    };
    const violations = [...this.#places.violations, ...unconverged, ...fleetViolations(judged)];
    const takenOver = this.#standstills.takeOvers(await this.#interrupted());
    const configurations = await configurationsIn(pool);
    if (configurations > this.#texts.size)
      violations.push(
        `${String(configurations)} configurations were in force, ${String(this.#texts.size)} were declared`,
      );
    const slow = takenOver.filter(({ seconds }) => seconds > SLOW_S);
    for (const { team, process, seconds } of slow)
      this.#options.say(`${team} was taken over from ${process} after ${seconds.toFixed(1)} s`);
    const named = ends
      .filter(
        ({ team, state }) =>
          violations.some((one) => one.includes(team)) ||
          slow.some((one) => one.team === team) ||
          (!world.refused.includes(team) && (state === "parked" || state === "failed")),
      )
      .map(({ team }) => team);
    const evidence = {
      log: world.sandbox.requests(),
      foreign: this.#foreign,
      strikes: this.#strikes,
      lines: this.#lines,
    };
    if (named.length > 0)
      this.#options.say(`what happened to the teams: ${await writeEvidence(named, evidence, pool)}`);
    return {
      violations,
      figures: {
        ...this.#places.figures,
        ...this.#figures,
        ...(await this.#measured(takenOver)),
        "teams that wait for a person": ends.filter(({ state }) => state === "parked").length,
        "seconds to converge": convergedMs / 1000,
        seconds: (Date.now() - beganMs) / 1000,
      },
    };
  }

  async end(): Promise<void> {
    await this.#broken;
    await this.#places.end();
  }

  async #torture(): Promise<void> {
    const { kills, databaseKills, say } = this.#options;
    const { world, chance } = this.#parts;
    const { figures } = this.#places;
    let databaseKilled = 0;
    for (let round = 1; figures.SIGKILL + figures.SIGTERM < kills; round++) {
      await delay(chance.below(MOST_PAUSE_MS));
      if (chance.percent(30)) this.#declare(changed(this.#declared, world.teams, chance));
      if (chance.percent(8)) this.#broken ??= this.#break();
      if (chance.percent(4)) await this.#rotate();
      if (chance.percent(30)) disturb(world.sandbox, chance);
      this.#meddle();
      await this.#places.strike();
      const killed = figures.SIGKILL + figures.SIGTERM;
      if (databaseKilled < Math.floor((killed * databaseKills) / kills)) {
        databaseKilled++;
        await this.#killDatabase();
      }
      if (round % 20 === 0) say(`${String(killed)} kills of processes, ${String(databaseKilled)} of the database`);
    }
    await this.#broken;
    await this.#places.settle();
    world.sandbox.clearFaults();
  }

  #declare(declared: Declared): void {
    this.#declared = declared;
    this.#figures.changes++;
    for (const team of declared.absent) this.#everAbsent.add(team);
    if (!this.#broken) this.#write();
  }

  #write(): void {
    const { world } = this.#parts;
    const text = configurationOf(world.teams, this.#declared);
    this.#texts.add(text);
    world.declare(text);
  }

  /** A configuration that cannot be used, for a while. */
  async #break(): Promise<void> {
    const { world, chance } = this.#parts;
    this.#figures["broken configurations"]++;
    this.#note("configuration broken");
    world.declare(brokenOf(configurationOf(world.teams, this.#declared), chance));
    await delay(LEAST_BROKEN_MS + chance.below(MOST_BROKEN_MS - LEAST_BROKEN_MS));
    this.#broken = null;
    this.#write();
    this.#note("configuration mended");
  }

  /** A new secret, which controllers have only from their start. */
  async #rotate(): Promise<void> {
    this.#figures.rotations++;
    this.#declared = { ...this.#declared, secret: `hook-secret-${String(this.#figures.rotations)}` };
    await this.#places.settle();
  }

  #meddle(): void {
    const { world, chance } = this.#parts;
    const own = new Set(createdIn(world.sandbox.requests()));
    for (let left = chance.below(MEDDLINGS); left > 0; left--) {
      const did = meddle(world.sandbox, { own, before: this.#foreign, chance });
      if (did) this.#foreign.push(did);
    }
  }

  async #killDatabase(): Promise<void> {
    const { server, chance } = this.#parts;
    this.#figures["kills of the database"]++;
    this.#note("database killed");
    this.#standstills.begin("no database");
    await server.kill();
    await delay(chance.below(MOST_DOWN_MS));
    await server.restart();
    this.#standstills.end("no database");
    this.#note("database back");
  }

  #note(what: string): void {
    this.#strikes.push({ atMs: Date.now(), what });
  }

  /** Of teams that were never removed: those wait until they are added again. */
  #interrupted(): Promise<readonly Interrupted[]> {
    const { world, pool } = this.#parts;
    return interruptedOf(
      pool,
      this.#places.killed,
      world.teams.filter((team) => !this.#everAbsent.has(team)),
    );
  }

  async #measured(takenOver: readonly TakeOver[]): Promise<{ readonly [name: string]: number }> {
    const { world, pool } = this.#parts;
    const { rows } = await pool.query<{ runs: number }>("SELECT max(id)::integer AS runs FROM outreach_fleet.run");
    const [hindered, free] = [true, false].map((isHindered) =>
      takenOver.filter((one) => one.isHindered === isHindered).map(({ seconds }) => seconds),
    ) as [number[], number[]];
    return {
      runs: rows[0]?.runs ?? 0,
      requests: world.sandbox.requests().length,
      "acts of others": this.#foreign.length,
      "teams added or removed": this.#everAbsent.size,
      "runs taken over": free.length,
      "seconds to take over, at most": Math.max(0, ...free),
      "runs taken over after the database was down, or no controller ran": hindered.length,
      "seconds from then to take over, at most": Math.max(0, ...hindered),
    };
  }
}
