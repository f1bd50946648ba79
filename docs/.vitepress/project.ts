import { readFileSync } from "node:fs";
import path from "node:path";

/** The folder of the repository's own package.json. */
export const ROOT = path.join(import.meta.dirname, "../..");
export const DOCS = path.join(ROOT, "docs");

interface Package {
  readonly version: string;
  readonly repository?: { readonly url: string };
}

const { version, repository } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as Package;

export const VERSION = version;

/** The repository's address for browsers; null while package.json names none. */
export const REPOSITORY = repository === undefined ? null : repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

/** Pages that have another name on the site: the Terraform registry requires that the provider's start page is `index.md`. */
export const RENAMED: { readonly [page: string]: string } = { "README.md": "index.md", "index.md": "provider.md" };
