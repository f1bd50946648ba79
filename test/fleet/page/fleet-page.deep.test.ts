import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FleetServer } from "../../../src/fleet/page/fleet-server.ts";
import {
  type Browser,
  type BrowserContextOptions,
  type Page,
  missingBrowser,
  openBrowser,
} from "../../deep/browser.ts";
import { LEAST_CONTRAST, lowContrasts, overflow } from "../../output/page-checks.ts";
import { HOSTILE } from "../../output/report-plans.ts";
import { NOW_MS, fleetDouble, manyTeams, runOf, serveFleet, teamOf, waitingTeam } from "./fleet-double.ts";

const missing = missingBrowser();
const NARROW = { width: 320, height: 640 };
const many = fleetDouble(manyTeams());
const hostile = fleetDouble(
  HOSTILE.filter((text) => text.trim() !== "").map((text, index) =>
    index % 2 === 0
      ? teamOf(text, { state: "failed", message: text })
      : { ...waitingTeam(text, text), message: text, commit: text },
  ),
);
for (const { name } of hostile.teams) {
  hostile.plans.push({
    id: name,
    team: name,
    madeMs: NOW_MS,
    counts: teamOf("").counts,
    cost: null,
    text: name,
    state: "waiting",
    approvedBy: null,
  });
  hostile.runs.push(
    runOf(name, {
      id: name,
      commit: name,
      messages: [{ severity: "error", code: "x", summary: name, detail: name, hint: name, address: name }],
    }),
  );
}

let browser: Browser;
let servers: readonly FleetServer[] = [];
const urlOf = (double: typeof many): string => servers[double === many ? 0 : 1]?.url ?? "";

beforeAll(async () => {
  if (missing === null) browser = await openBrowser();
  servers = await Promise.all([many, hostile].map((double) => serveFleet(double)));
});
afterAll(async () => {
  await browser?.close();
  await Promise.all(servers.map((server) => server.close()));
});

/** What a page does that it must not: errors, dialogs, and requests other than for itself. */
async function open(
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly wrong: readonly string[] }> {
  const page = await browser.newPage(options);
  const wrong: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && wrong.push(message.text())));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => void (request.isNavigationRequest() || wrong.push(`request: ${request.url()}`)));
  await page.goto(url);
  return { page, wrong };
}

const names = (page: Page): Promise<readonly string[]> =>
  page.getByRole("region", { name: "Teams", exact: true }).locator("tbody th").allTextContents();

describe.skipIf(missing !== null)(`the page in Chromium${missing === null ? "" : ` (skipped: ${missing})`}`, () => {
  test.each([
    ["2,000 teams", "/", many],
    ["a team that waits", "/teams/team-0011", many],
    ["names from anybody", "/", hostile],
  ] as const)("of %s: light, dark and narrow, readable, without a request or an error", async (_, path, double) => {
    const { page, wrong } = await open(urlOf(double) + path);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(lowContrasts, LEAST_CONTRAST)).toEqual([]);
      expect(await page.evaluate(overflow)).toBe(0);
      await page.setViewportSize(NARROW);
    }
    expect(await page.evaluate(overflow)).toBe(0);
    const lines = await page
      .locator("time:visible")
      .evaluateAll((times) => times.map((time) => time.getClientRects().length));
    expect(Math.max(...lines)).toBeLessThanOrEqual(2);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("shows the counts, what waits and what failed first, and filters and turns pages without a script", async () => {
    const { page } = await open(urlOf(many), { javaScriptEnabled: false });
    expect(await page.locator(".verdict").allTextContents()).toEqual([
      "2,000 teams. 13 teams failed or undecided. 10 plans waiting for approval. 10 drifted objects.",
      "1 process.",
    ]);
    expect(await page.getByRole("list", { name: "Teams by state" }).getByRole("link").allTextContents()).toEqual([
      "5 parked",
      "8 failed",
      "10 waiting",
      "4 paused",
      "7 new",
      "22 applied",
      "1,944 unchanged",
    ]);
    expect(await page.locator("h2").allTextContents()).toEqual([
      "Waiting for approval",
      "Failed and undecided",
      "Teams",
      "Processes",
    ]);
    const first = page.getByRole("region", { name: "Waiting for approval" });
    expect(await first.locator("tbody th").allTextContents()).toEqual([
      expect.stringMatching(/^\s*10 teams\s+for example team-0011\s*$/),
    ]);
    const failed = page.getByRole("region", { name: "Failed and undecided" });
    expect(await failed.locator("tbody th a").allTextContents()).toEqual([
      "5 teams",
      "team-0007",
      "8 teams",
      "team-0009",
    ]);
    const detail = failed.getByText("the service answered 401.");
    expect(await detail.isVisible()).toBe(false);
    await failed.getByText("The API key was rejected").click();
    expect(await detail.isVisible()).toBe(true);
    await failed.getByRole("link", { name: "8 teams" }).click();
    expect(await names(page)).toHaveLength(8);
    expect(await page.getByText("the service answered 401.").count()).toBe(1);
    await page.getByRole("link", { name: "Show all" }).click();
    expect(await names(page)).toHaveLength(200);
    await page.getByRole("link", { name: "Next" }).click();
    expect(await page.locator("h2").allTextContents()).toEqual(["Teams"]);
    expect(await page.getByText("Page 2 of 10").isVisible()).toBe(true);
    await page.getByLabel("Name or message").fill("API KEY");
    await page.getByRole("combobox", { name: "State" }).selectOption("failed");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/\?q=API\+KEY&state=failed$/);
    expect(await names(page)).toHaveLength(8);
    expect(await page.getByRole("combobox", { name: "State" }).inputValue()).toBe("failed");
    await page.getByRole("link", { name: "team-0009" }).click();
    expect(await page.title()).toBe("team-0009 – outreach controller");
    expect(await page.getByText("The API key was rejected: the service answered 401.").isVisible()).toBe(true);
    await page.close();
  });

  test("holds names and messages of others as text, and its links lead to their teams", async () => {
    const { page, wrong } = await open(urlOf(hostile));
    const links: string[] = [];
    for (const query of ["", "?state=waiting", "?state=failed"]) {
      await page.goto(`${urlOf(hostile)}/${query}`);
      links.push(
        ...(await page
          .locator("tbody th a")
          .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href))),
      );
    }
    expect(new Set(links.map((link) => new URL(link).origin))).toEqual(new Set([urlOf(hostile)]));
    const texts: (string | null)[] = [await page.locator("body").textContent()];
    for (const name of [
      "</details><script>alert(1)</script>",
      "\u202Ereversed\u2066",
      '<img src=x onerror="alert(1)">',
    ]) {
      expect(links).toContain(`${urlOf(hostile)}/teams/${encodeURIComponent(name)}`);
      expect((await page.goto(`${urlOf(hostile)}/teams/${encodeURIComponent(name)}`))?.status()).toBe(200);
      texts.push(await page.locator("body").textContent());
    }
    expect(await page.locator("script, img, svg, iframe").count()).toBe(0);
    expect(texts.join("")).toContain("</details><script>alert(1)</script>");
    expect(texts.join("").replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(texts.join("")).toContain("\u{fffd}reversed\u{fffd}");
    expect(wrong).toEqual([]);
    await page.close();
  });
});

test("what an address says wrongly is left out, and a page behind the last one is the last one", async () => {
  const shown = async (query: string): Promise<string | undefined> => {
    const text = await (await fetch(`${urlOf(many)}/${query}`)).text();
    return /<p class="where">([^<]*)</.exec(text.slice(text.indexOf("Name or message")))?.[1];
  };
  expect(await shown("?page=99")).toBe("1,977 teams, 1,801 to 1,977 shown. 23 teams in the groups above.");
  for (const query of ["?page=0", "?page=-1", "?page=1e3", "?page=x", "?state=gone", "?state=__proto__", "?q=%20"])
    expect([query, await shown(query)]).toEqual([query, "1,977 teams, 1 to 200 shown. 23 teams in the groups above."]);
  expect(await shown("?q=%3Cscript%3E&state=failed")).toBe("No team matches the filter. ");
  expect(await shown("?q=TEAM-000")).toBe("10 teams. ");
});
