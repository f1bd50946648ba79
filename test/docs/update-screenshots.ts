/** Makes the pictures of the docs again: `npm run screenshots`. Where there is no browser, it says so and fails. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { marked } from "marked";
import { withSandbox } from "../bench/apply.ts";
import { fleetDouble, manyTeams, serveFleet } from "../fleet/page/fleet-double.ts";
import { type Browser, missingBrowser, openBrowser } from "../deep/browser.ts";
import { ROOT } from "./pages.ts";

const COMMAND = path.join(ROOT, "dist/bin/outreach.js");
const PICTURES = path.join(ROOT, "docs/images");
const BEFORE = `version: 1
data:
  campaign:
    q3: { name: "Q3 launch" }
webhooks:
  crm-replies: { target_url: "https://crm.example.com/hooks/replies", type: emailsReplied, campaign: q3, secret: { env: CRM_HOOK_SECRET } }
  old-slack: { target_url: "https://slack.example.com/hooks/1", type: emailsReplied }
`;
const AFTER = BEFORE.replace(
  / {2}old-slack.*\n/,
  `  bounces: { target_url: "https://crm.example.com/hooks/bounces?event=\${each.type}", types: [emailsBounced, emailsFailed], campaign: q3 }\n`,
);

/** About as GitHub shows a comment. */
const COMMENT_STYLE = `body { font: 14px/1.5 sans-serif; margin: 16px; width: 780px } table { border-collapse: collapse } th, td { border: 1px solid #d0d7de; padding: 6px 13px; text-align: left }
code, pre { font: 12px/1.45 monospace; background: #f6f8fa; border-radius: 6px } code { padding: 2px 5px } pre { padding: 12px; overflow: hidden } pre code { padding: 0 }`;

const reason = missingBrowser();
if (reason !== null) throw new Error(reason);
mkdirSync(PICTURES, { recursive: true });
const folder = mkdtempSync(path.join(tmpdir(), "screenshots-"));
const browser = await openBrowser();
try {
  const { html, markdown } = await shownPlan();
  await take(browser, "plan.png", { html, height: 1220 });
  await take(browser, "comment.png", {
    html: `<!doctype html><style>${COMMENT_STYLE}</style>${await marked(markdown)}`,
    height: 560,
    width: 820,
  });
  await takeFleet(browser);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** A plan that creates, replaces and deletes, as a page and as a comment. */
function shownPlan(): Promise<{ readonly html: string; readonly markdown: string }> {
  return withSandbox(null, async ({ baseUrl, keys }) => {
    const run = async (words: string, secret: string): Promise<string> => {
      const env = {
        ...process.env,
        OUTREACH_BASE_URL: baseUrl,
        OUTREACH_API_KEY: keys.good,
        OUTREACH_SETTLE: "0s",
        CRM_HOOK_SECRET: secret,
      };
      return (await promisify(execFile)(process.execPath, [COMMAND, ...words.split(" ")], { cwd: folder, env })).stdout;
    };
    writeFileSync(path.join(folder, "outreach.yaml"), BEFORE);
    await run("apply --auto-approve", "one");
    writeFileSync(path.join(folder, "outreach.yaml"), AFTER);
    await run("plan --out saved.plan", "two");
    return {
      html: await run("show --format html saved.plan", "two"),
      markdown: await run("show --format markdown saved.plan", "two"),
    };
  });
}

async function takeFleet(from: Browser): Promise<void> {
  const server = await serveFleet(fleetDouble(manyTeams()));
  try {
    await take(from, "fleet.png", { url: server.url, height: 800 });
  } finally {
    await server.close();
  }
}

interface Shown {
  readonly html?: string;
  readonly url?: string;
  readonly width?: number;
  readonly height: number;
}

async function take(from: Browser, name: string, { html, url, width = 1000, height }: Shown): Promise<void> {
  const page = await from.newPage({ viewport: { width, height }, colorScheme: "light" });
  if (html !== undefined) await page.setContent(html);
  if (url !== undefined) await page.goto(url);
  await page.screenshot({ path: path.join(PICTURES, name) });
  await page.close();
  process.stdout.write(
    `docs/images/${name}: ${String(Math.ceil(readFileSync(path.join(PICTURES, name)).length / 1024))} kB\n`,
  );
}
