import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Every page for users and contributors, by path in the repository. */
export const PAGES: readonly string[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...["docs", "examples", "src"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
      .map((name) => path.join(folder, name)),
  ),
].toSorted();

/** The examples that have a configuration. */
export const EXAMPLES: readonly string[] = readdirSync(path.join(ROOT, "examples"), { withFileTypes: true })
  .filter(
    (entry) => entry.isDirectory() && readdirSync(path.join(ROOT, "examples", entry.name)).includes("outreach.yaml"),
  )
  .map(({ name }) => name);

/** The libraries of the package, as npm installs them. */
const LIBRARIES = {
  "node_modules/outreach-as-code/package.json": "package.json",
  "node_modules/outreach-as-code/dist/events": "dist/events",
  "node_modules/outreach-as-code/dist/library": "dist/library",
};
const WITH_LIBRARY: readonly string[] = [
  "docs/guides/receivers.md",
  "docs/guides/receiver-testing.md",
  "docs/guides/verify.md",
  "examples/receiver/README.md",
  "examples/library/README.md",
  "examples/suppression-loop/README.md",
];

const TERRAFORM_GUIDES: readonly string[] = PAGES.filter((page) =>
  /^docs\/(?:guides\/(?:terraform.*|internal-mirror|moving-between-tools|rotation)|explanation\/undecided)\.md$/.test(
    page,
  ),
);

/** Pages whose commands the tests run, each with the folders that its commands need. */
export type Stories = ReadonlyMap<string, { readonly [folder: string]: string }>;

/** Pages that need terraform. */
export const TERRAFORM_STORIES: Stories = new Map([
  ...TERRAFORM_GUIDES.map((page) => [page, {}] as const),
  ["examples/terraform/README.md", { ".": "examples/terraform" }],
]);

/** Pages that do not need terraform. */
export const STORIES: Stories = new Map(
  [
    ["README.md", {}] as const,
    ...PAGES.filter(
      (page) => /^docs\/(tutorials|guides|explanation)\//.test(page) && !TERRAFORM_GUIDES.includes(page),
    ).map((page) => [page, {}] as const),
    ...EXAMPLES.map((name) => [`examples/${name}/README.md`, { ".": `examples/${name}` }] as const),
  ].map(([page, folders]) => [page, { ...folders, ...(WITH_LIBRARY.includes(page) ? LIBRARIES : {}) }]),
);

export function read(page: string): string {
  return readFileSync(path.join(ROOT, page), "utf8");
}
