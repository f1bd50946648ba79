import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { decodeState } from "../../../src/core/state/document.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import { type JournalContents, readJournal } from "../../../src/core/state/journal.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import type { WebhookRecord } from "../../../src/sandbox/sandbox-records.ts";
import type { LoggedRequest } from "../../../src/sandbox/request-log.ts";
import type { Project, Ran } from "./project.ts";

const STATE = "outreach.state.json";
const JOURNAL = `${STATE}.journal`;
/** An unsubscription is sent again twice at most in one run. */
const MAX_UNSUBSCRIBES = 3;

export interface Story {
  readonly project: Project;
  /** Adds faults for one run after the other, and takes away those before. */
  faults(...faults: readonly Fault[]): void;
  /** Runs a command, and judges what it did. */
  run(line: string, environment?: { readonly [name: string]: string }): Promise<Ran>;
  /** Judges a run that was begun by other means and has ended. */
  look(ran: Ran): Promise<void>;
  /**
   * Judges the end, after the last run: one live webhook for each target that is declared, and everything of ours recorded,
   * or said in that run, or else an outcome that is undecided. Then a plan sees no change, and sends and writes nothing.
   */
  judge(targets: readonly string[]): Promise<void>;
  /** Ids of what others have made: never to be touched. */
  readonly foreign: Set<string>;
}

/**
 * Judges a project's runs by the service's own log and list, and by what lies on the disk: no write without its intent
 * there before, no delete of what was never managed, no unsubscription too many, state and journal readable at all times,
 * a serial that only grows, and no secret anywhere.
 */
export function storyOf(project: Project, secrets: readonly string[] = []): Story {
  const { sandbox, folder } = project;
  const foreign = new Set<string>();
  const broken: string[] = [];
  let [serial, seen] = [0, sandbox.requests().length];
  let last: Ran | null = null;
  const watch = (): void => {
    sandbox.clearFaults();
    sandbox.addFault({
      action: { kind: "drop" },
      times: null,
      where: (request) => {
        broken.push(...rulesBroken(request, { folder, foreign }));
        return false;
      },
    });
  };
  watch();
  async function look(ran: Ran): Promise<void> {
    last = ran;
    const document = stateIn(folder);
    await journalIn(folder);
    expect(document?.serial ?? 0, "the serial only grows").toBeGreaterThanOrEqual(serial);
    serial = document?.serial ?? 0;
    const texts = [
      ran.out,
      ran.err,
      ...Object.entries(project.files()).flatMap(([file, text]) => (file.startsWith(STATE) ? [text] : [])),
    ];
    for (const secret of secrets)
      for (const form of [secret, Buffer.from(secret).toString("base64")]) expect(texts.join("\n")).not.toContain(form);
    const requests = sandbox.requests().slice(seen);
    seen += requests.length;
    const unsubscribed = requests
      .filter(({ operation }) => operation === "unsubscribeLead")
      .map((request) => request.path);
    for (const pair of unsubscribed)
      expect(unsubscribed.filter((one) => one === pair).length, pair).toBeLessThanOrEqual(MAX_UNSUBSCRIBES);
    expect(broken).toEqual([]);
  }
  async function run(line: string, environment = {}): Promise<Ran> {
    const ran = await project.run(line, environment);
    await look(ran);
    return ran;
  }
  return {
    project,
    foreign,
    run,
    look,
    faults: (...faults) => {
      watch();
      for (const fault of faults) sandbox.addFault(fault);
    },
    judge: async (targets) => {
      const { code = null, out = "", err = "" } = last ?? {};
      const own = sandbox.webhooks().filter(({ _id }) => !foreign.has(_id));
      const recorded = new Set((stateIn(folder)?.instances ?? []).flatMap(idsOf));
      if (code === 3) return expect(err).toContain("outreach resolve ");
      for (const { _id } of own)
        if (!recorded.has(_id)) expect(out + err, `${_id} is not recorded, so it must be said`).toContain(_id);
      expect(own.map(({ targetUrl }) => new URL(targetUrl).href).toSorted()).toEqual([...targets].toSorted());
      const before = project.files();
      expect(await run("plan --detailed-exitcode")).toMatchObject({
        code: 0,
        sent: expect.not.arrayContaining([expect.stringMatching(/^(POST|DELETE)/)]) as string[],
      });
      expect(project.files()).toEqual(before);
    },
  };
}

/** What a write that arrives at the service breaks of the rules, by what is on the disk at that moment. */
function rulesBroken(
  request: LoggedRequest,
  { folder, foreign }: { readonly folder: string; readonly foreign: ReadonlySet<string> },
): readonly string[] {
  const { method, path: target } = request;
  if (method === "GET") return [];
  const journal = existsSync(path.join(folder, JOURNAL)) ? readFileSync(path.join(folder, JOURNAL), "utf8") : "";
  const what =
    method === "POST" ? (request.body as WebhookRecord).targetUrl : decodeURIComponent(target.split("/").at(-1) ?? "");
  const broken = journal.includes(JSON.stringify(what)) ? [] : [`${method} ${what} was sent without an intent`];
  if (method !== "DELETE" || !target.startsWith("/hooks/")) return broken;
  const inState = (stateIn(folder)?.instances ?? []).flatMap(idsOf).includes(what);
  const isManaged = inState || (journal.includes(`"record":{`) && journal.includes(`"id":"${what}"`));
  return [...broken, ...(isManaged && !foreign.has(what) ? [] : [`${what} was deleted, and never managed`])];
}

function idsOf({ id, deposed = [] }: RecordedInstance): readonly string[] {
  return [...(id === null ? [] : [id]), ...deposed.map((object) => object.id)];
}

export function stateIn(folder: string): ReturnType<typeof decodeState> | null {
  const file = path.join(folder, STATE);
  return existsSync(file) ? decodeState(readFileSync(file), STATE) : null;
}

export async function journalIn(folder: string): Promise<JournalContents | null> {
  const file = path.join(folder, JOURNAL);
  const read = (): Promise<Uint8Array | null> => Promise.resolve(existsSync(file) ? readFileSync(file) : null);
  const journal = await readJournal({ name: JOURNAL, read });
  return journal === "unfinished" ? null : journal;
}
