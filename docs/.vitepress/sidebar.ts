import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { DefaultTheme } from "vitepress";
import { DOCS, RENAMED } from "./project.ts";

const CONTENTS = readFileSync(path.join(DOCS, "README.md"), "utf8");
const TITLES = [...CONTENTS.matchAll(/^## (.+)$/gm)];

/** Every page, with its heading as title. Within a folder, pages are in the order in which docs/README.md names them. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  return [
    part("Tutorials", pagesIn("tutorials").map(itemOf)),
    part("Guides", bySection(pagesIn("guides"))),
    part("Explanation", pagesIn("explanation").map(itemOf)),
    part("Reference", pagesIn("reference").map(itemOf)),
    part(
      "Terraform provider",
      ["index.md", ...["resources", "data-sources", "functions", "actions", "list-resources"].flatMap(pagesIn)].map(
        itemOf,
      ),
    ),
  ];
}

function part(text: string, items: DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem {
  return { text, collapsed: false, items };
}

/** The pages below the titles of docs/README.md, and at the end those that it does not name. */
function bySection(pages: readonly string[]): DefaultTheme.SidebarItem[] {
  const sectionOf = (page: string): string | undefined => TITLES.findLast(({ index }) => index < placeOf(page))?.[1];
  const named = pages.filter((page) => placeOf(page) < CONTENTS.length);
  const sections = [...new Set(named.map(sectionOf))].map((text = "") => ({
    text,
    collapsed: true,
    items: named.filter((page) => sectionOf(page) === text).map(itemOf),
  }));
  return [...sections, ...pages.filter((page) => !named.includes(page)).map(itemOf)];
}

function pagesIn(folder: string): readonly string[] {
  return readdirSync(path.join(DOCS, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Where docs/README.md first names a page; its end, if it does not. */
function placeOf(page: string): number {
  const at = CONTENTS.indexOf(`](${page})`);
  return at < 0 ? CONTENTS.length : at;
}

function itemOf(page: string): DefaultTheme.SidebarItem {
  const [, heading] = /^# (.+)$/m.exec(readFileSync(path.join(DOCS, page), "utf8")) ?? [];
  if (heading === undefined) throw new Error(`docs/${page} has no heading`);
  return { text: heading.replaceAll("`", ""), link: `/${RENAMED[page] ?? page}` };
}
