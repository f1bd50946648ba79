import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Extracts the operations that the tests check from GitHub's published OpenAPI description (MIT), with the schemas they refer to.
 * The whole description has 13 MB. To update it, raise the version, and run `npx tsx test/frontends/ci/update-github-api.ts`.
 */
const PACKAGE = "@octokit/openapi@23.0.2";

const OPERATIONS: readonly (readonly [path: string, method: string])[] = [
  ["/repos/{owner}/{repo}/issues/{issue_number}/comments", "get"],
  ["/repos/{owner}/{repo}/issues/{issue_number}/comments", "post"],
  ["/repos/{owner}/{repo}/issues/comments/{comment_id}", "patch"],
  ["/repos/{owner}/{repo}/issues/comments/{comment_id}", "delete"],
  ["/repos/{owner}/{repo}/issues", "get"],
  ["/repos/{owner}/{repo}/issues", "post"],
  ["/repos/{owner}/{repo}/issues/{issue_number}", "patch"],
];

type Json = { readonly [name: string]: unknown };

/** Prose and examples, which no check reads. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "description",
  "summary",
  "example",
  "examples",
  "externalDocs",
  "x-github",
  "tags",
]);

function extract(whole: Json): Json {
  const found = new Map<string, unknown>();
  const plain = (value: unknown, isNames = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => plain(item));
    if (typeof value !== "object" || value === null) return value;
    const reference = (value as Json)["$ref"];
    if (typeof reference === "string" && !found.has(reference)) {
      found.set(reference, null);
      found.set(reference, plain(at(whole, reference)));
    }
    const entries = Object.entries(value).filter(([name]) => isNames || !LEFT_OUT.has(name));
    return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner, name === "properties")]));
  };
  const paths: { [path: string]: { [method: string]: unknown } } = {};
  for (const [path, method] of OPERATIONS)
    (paths[path] ??= {})[method] = plain((whole["paths"] as { [path: string]: Json })[path]?.[method]);
  const components: { [kind: string]: { [name: string]: unknown } } = {};
  for (const reference of [...found.keys()].toSorted()) {
    const [, , kind = "", name = ""] = reference.split("/");
    (components[kind] ??= {})[name] = found.get(reference);
  }
  return { source: `api.github.com.json of ${PACKAGE}, MIT license`, paths, components };
}

function at(whole: Json, reference: string): unknown {
  let value: unknown = whole;
  for (const name of reference.split("/").slice(1)) value = (value as Json)[name];
  return value;
}

const folder = mkdtempSync(path.join(tmpdir(), "github-api-"));
try {
  execFileSync("npm", ["pack", "--silent", PACKAGE], { cwd: folder });
  execFileSync(
    "tar",
    ["-xzf", execFileSync("ls", { cwd: folder, encoding: "utf8" }).trim(), "package/generated/api.github.com.json"],
    { cwd: folder },
  );
  const whole = JSON.parse(readFileSync(path.join(folder, "package/generated/api.github.com.json"), "utf8")) as Json;
  writeFileSync(path.join(import.meta.dirname, "github-api.json"), `${JSON.stringify(extract(whole), null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
