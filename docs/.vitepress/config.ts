import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type MarkdownRenderer, defineConfig } from "vitepress";
import { prepareLinks, slugOf } from "./links.ts";
import { drawFlowcharts } from "./flowcharts.ts";
import { RENAMED, REPOSITORY, VERSION } from "./project.ts";
import { sidebar } from "./sidebar.ts";

/** Shows two braces as they are: on a page that is a template, they would begin an expression. Blocks of code do so anyway. */
function keepBraces({ renderer: { rules } }: MarkdownRenderer): void {
  for (const name of ["text", "code_inline"]) {
    const render = rules[name];
    rules[name] = (...token) => (render?.(...token) ?? "").replaceAll("{{", "{&#123;");
  }
}

/** Earlier versions whose folders are still on the host, newest first. */
const EARLIER: readonly string[] = [];

/** The documentation as a site, over the same pages that the repository and the package show. */
export default defineConfig({
  title: "outreach-as-code",
  description: "Webhooks and lead unsubscriptions of the outreach automation service as code.",
  base: `/${VERSION}/`,
  outDir: `../dist/docs/${VERSION}`,
  cacheDir: "../dist/docs/cache",
  rewrites: RENAMED,
  // The folder above those of the versions sends readers to this one.
  buildEnd: ({ outDir }) =>
    writeFile(
      path.join(outDir, "../index.html"),
      `<!doctype html><meta http-equiv="refresh" content="0; url=${VERSION}/">\n`,
    ),
  markdown: {
    anchor: { slugify: slugOf },
    // Has no grammar here: the block of a page stays plain, and the build does not warn.
    languages: [{ name: "rego", scopeName: "source.rego", patterns: [], repository: {} }],
    config: (markdown) => {
      prepareLinks(markdown);
      drawFlowcharts(markdown);
      keepBraces(markdown);
    },
  },
  themeConfig: {
    nav: [
      {
        text: VERSION,
        // A path that leaves the folder of this version, whatever the host's folder for the site is. With a target, the browser follows it.
        items: [VERSION, ...EARLIER].map((version) => ({ text: version, link: `/../${version}/`, target: "_self" })),
      },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: "local" },
    ...(REPOSITORY === null ? {} : { socialLinks: [{ icon: "github" as const, link: REPOSITORY }] }),
  },
});
