import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { EXPLAINED } from "../../../../src/frontends/cli/generated/explained-errors.ts";
import { useProjects } from "../project.ts";

const openProject = useProjects();
const ROOT = path.join(import.meta.dirname, "../../../..");

test("a code of a message has its own section, without Markdown and without a request", async () => {
  const project = await openProject();
  const { err } = await project.run("plan", { OUTREACH_BASE_URL: "" });
  const [, code = ""] = /^Error: .* \[(.*)\]$/m.exec(err) ?? [];
  expect(code).toBe("config_missing");
  const ran = await project.run(`explain-error ${code}`);
  expect(ran).toMatchObject({ code: 0, err: "", sent: [] });
  expect(ran.out).toMatch(
    /^config_missing\n\nError: No configuration\n\n- The file PATH[^]* does not exist\.\n[^]*\nWhat to do:\n\n- Name the configuration with -c PATH\.\n/,
  );
  expect(ran.out).not.toMatch(/[`\\]|\*\*|\]\(/);
});

test.each([
  ["state_lokced", "Did you mean state_locked"],
  ["fleet_", "fleet_access_denied, fleet_database_away"],
  ["xyz", "at the end of its first line"],
  ["constructor", "at the end of its first line"],
])("the unknown code %s is an error with the nearest ones", async (typed, hint) => {
  const { code, out, err } = await (await openProject()).run(`explain-error ${typed}`);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/^Error: Unknown code \[code_unknown\]\n/);
  expect(err).toContain(hint);
});

test("the code can be given in the brackets of its message", async () => {
  const project = await openProject();
  expect((await project.run("explain-error [state_locked]")).out).toBe(
    (await project.run("explain-error state_locked")).out,
  );
});

test("completion offers the codes", async () => {
  const { out } = await (await openProject()).run("completion zsh -- explain-error state_lo");
  expect(out).toContain("state_locked\t\n");
});

/** What the sources write as a code, found without the generator. */
function codesInSources(): ReadonlySet<string> {
  const files = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/generate|release/.test(file),
  );
  const made =
    /(?:errorOf|warningOf|noteOf|DiagnosticsError\.of)\(\s*"([a-z_0-9]+)"|\bcode: "([a-z_0-9]+)",\s+(?:severity|summary)/g;
  return new Set(
    files.flatMap((file) =>
      [...readFileSync(path.join(ROOT, "src", file), "utf8").matchAll(made)].map(
        ([, one, other]) => one ?? other ?? "",
      ),
    ),
  );
}

test("every code of the sources has a section that says something", () => {
  const codes = codesInSources();
  expect(codes.size).toBeGreaterThan(250);
  expect([...codes].filter((code) => !Object.hasOwn(EXPLAINED, code))).toEqual([]);
  for (const [code, text = ""] of Object.entries(EXPLAINED))
    expect(text, code).toMatch(/^(?:Error|Warning|Note): \S.*\n[^]*[a-z]{3}/);
});
