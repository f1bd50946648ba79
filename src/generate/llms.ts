/** A page that the documentation's own list of contents names. */
interface ListedPage {
  readonly title: string;
  /** Relative to the folder of the documentation. */
  readonly path: string;
  /** Null where the list only names the page. */
  readonly description: string | null;
}

interface Section {
  readonly title: string;
  readonly pages: readonly ListedPage[];
}

const SUMMARY = `# outreach-as-code

> Manages the webhooks and lead unsubscriptions of the outreach automation service as code: in YAML, with the outreach command, with a Terraform provider, or with CDK constructs.

- \`outreach validate\`, \`outreach plan\`, \`outreach explain ADDRESS\` and \`outreach drift\` send no writes. \`outreach apply\` does.
- \`--json\` prints machine-readable output. Exit codes: 0 success or no changes, 1 error, 2 changes present, 3 an outcome is undecided.
- \`outreach sandbox\` starts a local copy of the service: try things out there.
`;

/**
 * The documentation as https://llmstxt.org describes it: title, summary, and sections of links with a line each, in the order of
 * the documentation's own list of contents. `read` returns a page by its path.
 */
export async function llmsText(contents: string, read: (path: string) => Promise<string>): Promise<string> {
  const sections = await Promise.all(
    sectionsOf(contents).map(async ({ title, pages }) => {
      const lines = await Promise.all(
        pages.map(
          async (page) => `- [${page.title}](${page.path}): ${page.description ?? (await firstSentence(page, read))}`,
        ),
      );
      return `## ${title}\n\n${lines.join("\n")}\n`;
    }),
  );
  return [SUMMARY, ...sections].join("\n");
}

/** The list of contents: a heading begins a section; each item, numbered or not, links to one page or more. */
function sectionsOf(contents: string): readonly Section[] {
  const sections: { readonly title: string; readonly pages: ListedPage[] }[] = [];
  for (const line of contents.replaceAll(/\n {2}(?=\S)/g, " ").split("\n")) {
    const [, title] = /^## (.+)$/.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, pages: [] });
    else if (/^(-|\d+\.) /.test(line)) sections.at(-1)?.pages.push(...pagesIn(line));
  }
  return sections;
}

function pagesIn(item: string): readonly ListedPage[] {
  const links = [...item.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  // What follows the last link describes all of them.
  const [, description = null] = /.*\]\([^)]+\): (.+)$/.exec(item) ?? [];
  return links.map(([, title = "", path = ""]) => ({ title, path, description }));
}

/** The first sentence of a page's text, behind its front matter and its heading. */
async function firstSentence({ path }: ListedPage, read: (path: string) => Promise<string>): Promise<string> {
  const text = (await read(path)).replace(/^---\n.*?\n---\n/s, "");
  const paragraph = text.split(/\n{2,}/).find((part) => /^[A-Z]/.test(part.trim())) ?? "";
  const [sentence = ""] = /^.*?[.:](?=\s|$)/s.exec(paragraph.trim()) ?? [];
  return sentence
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .replace(/:$/, ".");
}
