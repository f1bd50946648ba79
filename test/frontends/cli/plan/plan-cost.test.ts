import { describe, expect, test } from "vitest";
import type { ListProfileChange } from "../../../../src/sandbox/list-profile.ts";
import { type Chance, chanceOf } from "../../../core/apply/chance.ts";
import { type Project, type Ran, useProjects } from "../project.ts";

const openProject = useProjects();

const LINE = /^Requests: (\d+), at least (\d+) s at (\d+) per 2 s$/m;
const EVERYTHING = "--allow-deletes --allow-replaces --allow-recreate --allow-unsubscribes --allow-shrink";

/** What the last line of a plan says. */
function costIn({ out, err }: Pick<Ran, "out" | "err">) {
  const [, requests, seconds, limit] = (LINE.exec(out) ?? expect.fail(`${out}${err}`)).map(Number);
  return { requests, seconds: seconds ?? 0, limit };
}

/** How long the requests of a run took, by the service's own log. */
function secondsOf({ sandbox }: Project, { sent }: Ran): number {
  const times = sandbox.requests().slice(-sent.length);
  return sent.length === 0 ? 0 : ((times.at(-1)?.at ?? 0) - (times[0]?.at ?? 0)) / 1000;
}

interface Declared {
  readonly webhooks: Map<string, string>;
  readonly people: Set<string>;
}

const CAMPAIGNS = ["campaign: q3", "campaign_id: cam_000002", "", ""] as const;

function body(chance: Chance, name: string): string {
  const rotation = chance.percent(25) ? ", rotation: create_first" : "";
  const campaign = chance.oneOf(CAMPAIGNS);
  return `{ target_url: https://${name}.example.com/${String(chance.below(1000))}, type: emailsReplied${campaign === "" ? "" : `, ${campaign}`}${rotation} }`;
}

function configuration({ webhooks, people }: Declared): string {
  const lines = [...webhooks].map(([name, text]) => `  ${name}: ${text}`);
  const list =
    people.size === 0
      ? ""
      : `lead_unsubscriptions:\n  asked: { campaign_id: cam_000001, emails: [${[...people].join(", ")}] }\n`;
  return `version: 1\ndata:\n  campaign:\n    q3: { name: Q3 launch }\nwebhooks:${lines.length === 0 ? " {}" : `\n${lines.join("\n")}`}\n${list}`;
}

/** Changes the declarations, and what is live: creates, replaces, deletes, unsubscriptions, drift, and webhooks of others to adopt. */
function change(
  chance: Chance,
  round: number,
  { declared, project }: { readonly declared: Declared; readonly project: Project },
): void {
  const { webhooks, people } = declared;
  for (const name of webhooks.keys()) {
    if (chance.percent(15)) webhooks.delete(name);
    else if (chance.percent(25)) webhooks.set(name, body(chance, name));
  }
  const created = chance.oneOf([0, 1, 1, 2, 3, 4, 6, 22]);
  for (let index = 0; index < created; index++)
    webhooks.set(`w${String(round)}-${String(index)}`, body(chance, `w${String(round)}-${String(index)}`));
  if (chance.percent(40))
    people.add(
      chance.oneOf([
        "ada@example.com",
        "charles@example.com",
        "linus@example.org",
        "nobody@example.com",
        "not-yet@example.com",
      ]),
    );
  const { sandbox } = project;
  const live = chance.any(sandbox.webhooks().slice(16));
  if (live && chance.percent(20)) sandbox.remove("webhooks", live._id);
  if (chance.percent(30)) {
    const url = `https://others.example.com/${String(round)}`;
    sandbox.add("webhooks", { targetUrl: url, type: "emailsSent", campaignId: "cam_000002" });
    if (chance.percent(50))
      webhooks.set(`found-${String(round)}`, `{ target_url: ${url}, type: emailsSent, campaign_id: cam_000002 }`);
  }
}

const LISTS: { readonly [list: string]: ListProfileChange } = {
  "one answer": {},
  "pages by offset": { cap: 15 },
  "pages counted from 1": { cap: 15, offset: false, firstPage: 1 },
  "pages counted from 0": { cap: 15, offset: false, firstPage: 0 },
};

describe("the cost of 40 random plans is that of the service's log", () => {
  test.each(Object.entries(LISTS))(
    "with a list of %s",
    async (list, profile) => {
      const project = await openProject({ profile });
      // So that the list of a service with pages never fits into one: then nobody knows how long a page is.
      for (let index = 0; index < 16; index++)
        project.sandbox.add("webhooks", {
          targetUrl: `https://static.example.com/${String(index)}`,
          campaignId: "cam_000002",
        });
      const declared: Declared = { webhooks: new Map(), people: new Set() };
      const chance = chanceOf(Object.keys(LISTS).indexOf(list));
      for (let round = 0; round < 10; round++) {
        change(chance, round, { declared, project });
        project.write("outreach.yaml", configuration(declared));
        project.pauseMs = chance.oneOf([61_000, 25 * 3_600_000]);
        const way = chance.oneOf(["saved", "at once", "destroyed"]);
        const isDestroyed = way === "destroyed" && round % 4 === 3;
        if (isDestroyed) declared.webhooks.clear();
        const options = isDestroyed ? "--destroy" : `--adopt ${EVERYTHING}`;
        const told = way === "saved" ? await project.run(`plan --out saved.plan ${options}`) : null;
        project.pauseMs = 61_000;
        const applied = await project.run(told ? "apply saved.plan" : `apply --auto-approve ${options}`);
        const where = `${list}, round ${String(round)}\n${told?.err ?? ""}${told?.out ?? ""}${applied.out}${applied.err}${applied.sent.join("\n")}`;
        expect(applied.code, where).toBe(0);
        const { requests, seconds, limit } = costIn(told ?? applied);
        expect(applied.sent.length, where).toBe(requests);
        expect(secondsOf(project, applied), where).toBeGreaterThanOrEqual(seconds);
        expect([limit, seconds], where).toEqual([20, Math.floor(Math.max(0, applied.sent.length - 1) / 20) * 2]);
      }
    },
    120_000,
  );
});
