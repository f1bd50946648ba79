import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { targetOnSite } from "../../docs/.vitepress/links.ts";
import { VERSION } from "../../docs/.vitepress/project.ts";
import { type Browser, type Page, missingBrowser, openBrowser } from "../deep/browser.ts";
import { PAGES, ROOT } from "./pages.ts";

describe("a link leads", () => {
  const page = path.join(ROOT, "docs/guides/terraform.md");
  const repository = "https://code.example.com/acme/outreach";
  test.each([
    ["to the page", "gitops.md#roll-back", null, "/guides/gitops.md#roll-back"],
    ["to the site's start page, for the table of contents", "../README.md", null, "/index.md"],
    ["to the provider's start page", "../index.md#installation", null, "/provider.md#installation"],
    ["to another host", "https://www.conftest.dev/", null, "https://www.conftest.dev/"],
    ["to a place on the same page", "#imports", null, "#imports"],
    ["nowhere, for a file outside, without a repository", "../../README.md", null, null],
    [
      "to the repository, for a file outside",
      "../../README.md#install",
      repository,
      `${repository}/blob/v${VERSION}/README.md#install`,
    ],
    [
      "to the repository, for a file that is no page",
      "../../LICENSE",
      repository,
      `${repository}/blob/v${VERSION}/LICENSE`,
    ],
  ])("%s", (_, href, at, target) => {
    expect(targetOnSite(page, href, at)).toBe(target);
  });
});

const PLANTED = `# Planted page

Wide code: \`\${{ github.token }}\`, and {{ braces }}. [Contents](../README.md). [A file outside](../../README.md).

> [!WARNING]
> This is final.

\`\`\`mermaid
flowchart LR
  plan["Plan<br>outreach plan"] -- yes --> apply["Apply"]
  apply -.-> plan
\`\`\`

| one | two |
|---|---|
| \`${"a_long_name_".repeat(20)}\` | ${"word ".repeat(40)} |

\`\`\`sh elsewhere
${"outreach ".repeat(40)}
\`\`\`
`;

const missing = missingBrowser();
/** A page that holds each kind of content that needs care is built with the others, in a copy. */
const copy = mkdtempSync(path.join(tmpdir(), "outreach-site-"));
const site = path.join(copy, "dist/docs");
let server: Server;
let browser: Browser;
let start = "";

beforeAll(async () => {
  if (missing !== null) return;
  cpSync(path.join(ROOT, "docs"), path.join(copy, "docs"), {
    recursive: true,
    filter: (file) => path.basename(file) !== "node_modules",
  });
  symlinkSync(path.join(ROOT, "docs/.vitepress/node_modules"), path.join(copy, "docs/.vitepress/node_modules"));
  cpSync(path.join(ROOT, "package.json"), path.join(copy, "package.json"));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  writeFileSync(path.join(copy, "docs/guides/planted.md"), PLANTED);
  execFileSync(
    process.execPath,
    [path.join(ROOT, "docs/.vitepress/node_modules/vitepress/bin/vitepress.js"), "build", "docs"],
    {
      cwd: copy,
      stdio: "pipe",
    },
  );
  server = createServer(({ url = "" }, answer) => {
    const { pathname } = new URL(url, "http://site.example.com");
    const file = path.join(site, decodeURIComponent(pathname), pathname.endsWith("/") ? "index.html" : "");
    try {
      answer.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "text/plain" }).end(readFileSync(file));
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  start = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  browser = await openBrowser();
}, 300_000);

const TYPES: { readonly [extension: string]: string } = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(copy, { recursive: true, force: true });
});

describe.skipIf(missing !== null)(`the site${missing === null ? "" : ` (skipped: ${missing})`}`, () => {
  const files = (): readonly string[] =>
    readdirSync(path.join(site, VERSION), { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".html") && file !== "404.html",
    );

  test("has every page of docs, and its sidebar names each", () => {
    const pages = PAGES.filter((page) => page.startsWith("docs/")).map((page) =>
      page.slice(5).replace(/\.md$/, ".html"),
    );
    const renamed = pages.map((page) =>
      page === "README.html" ? "index.html" : page === "index.html" ? "provider.html" : page,
    );
    expect(files().toSorted()).toEqual([...renamed, "guides/planted.html"].toSorted());
    // VitePress only logs a page that fails, and leaves it empty.
    expect(files().filter((file) => !htmlOf(file).includes("<h1 "))).toEqual([]);
    const contents = htmlOf("index.html");
    expect(renamed.filter((page) => page !== "index.html" && !contents.includes(`href="/${VERSION}/${page}"`))).toEqual(
      [],
    );
  });

  test("has no link that leads nowhere, also within pages", () => {
    const idsOf = new Map(
      files().map((file) => [file, new Set([...htmlOf(file).matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id))]),
    );
    const broken = files().flatMap((file) =>
      [...htmlOf(file).matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map(([, href = ""]) => new URL(href, `http://site/${VERSION}/${file}`))
        .filter(({ host, pathname, hash }) => {
          const ids = idsOf.get(pathname.slice(VERSION.length + 2) || "index.html");
          return host === "site" && (ids === undefined || !(hash === "" || ids.has(decodeURIComponent(hash.slice(1)))));
        })
        .map((link) => `${file}: ${link.pathname}${link.hash}`),
    );
    expect(broken).toEqual([]);
  });

  test("fits a phone, and asks no other host", { timeout: 300_000 }, async () => {
    const wide: string[] = [];
    await visit({ width: 390, colorScheme: "light" }, async (page) => {
      for (const file of files()) {
        await page.goto(`${start}${VERSION}/${file}`);
        if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth))
          wide.push(file);
      }
    });
    expect(wide).toEqual([]);
  });

  test.each([
    { width: 390, colorScheme: "dark", background: "rgb(27, 27, 31)" },
    { width: 1280, colorScheme: "light", background: "rgb(255, 255, 255)" },
  ] as const)(
    "shows callouts, braces, flowcharts, wide tables and code at $width px, $colorScheme",
    async ({ background, ...look }) => {
      await visit(look, async (page) => {
        await page.goto(`${start}${VERSION}/guides/planted.html`);
        expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background);
        const main = page.locator("main");
        expect(await main.innerText()).toContain("${{ github.token }}, and {{ braces }}. Contents. A file outside.");
        expect(await main.getByRole("link", { name: "Contents" }).getAttribute("href")).toBe(`/${VERSION}/`);
        expect(await main.locator(".warning").innerText()).toMatch(/^WARNING\s+This is final\.$/);
        expect(await main.locator("table").first().locator("tr").first().innerText()).toMatch(
          /^Plan\noutreach plan\s+yes →\s+Apply$/,
        );
        for (const inner of [main.locator("table").last(), main.locator("pre").last()])
          expect(await inner.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
      });
    },
  );

  test("finds a page, leads to it, and shows its version", async () => {
    await visit({ width: 1280, colorScheme: "light" }, async (page) => {
      await page.goto(start);
      await page.waitForURL(`**/${VERSION}/`);
      expect(await page.locator(".VPNavBarMenu").innerText()).toContain(VERSION);
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox").fill("planted page");
      await page.getByRole("option").first().click();
      await page.waitForURL("**/guides/planted.html**");
    });
  });
});

function htmlOf(file: string): string {
  return readFileSync(path.join(site, VERSION, file), "utf8");
}

/** Looks at pages. Throws if a page has an error, or loads something from elsewhere. */
async function visit(
  look: { readonly width: number; readonly colorScheme: "light" | "dark" },
  see: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: 800 },
    colorScheme: look.colorScheme,
  });
  const wrong: string[] = [];
  try {
    const page = await context.newPage();
    page.on("request", (request) => void (request.url().startsWith(start) || wrong.push(request.url())));
    page.on("pageerror", (error) => void wrong.push(error.message));
    await see(page);
  } finally {
    await context.close();
  }
  expect(wrong).toEqual([]);
}
