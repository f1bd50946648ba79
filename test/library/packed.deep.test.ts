import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PackedPackage, installed, run } from "../frontends/constructs/packed-package.ts";

let packed: PackedPackage;
let project: string;
beforeAll(async () => {
  packed = await PackedPackage.make();
  project = await packed.openProject(["@types/node"], { "package.json": '{"type":"module"}' });
});
afterAll(() => packed.remove());

const PROGRAM = `import { type ApplyResult, type Options, type ProgressEvent, apply, applySaved, drift, explain, generate, plan, startSandbox } from "outreach-as-code";

const sandbox = await startSandbox({ profile: "published" });
const events: ProgressEvent["kind"][] = [];
const options: Options = {
  environment: { OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.apiKey, OUTREACH_SETTLE: "0s" },
  onProgress: ({ kind }) => void events.push(kind),
};
const configuration = { version: 1, webhooks: { crm: { target_url: "https://crm.example.com/hooks", type: "emailsReplied" } } };
const planned = await plan(configuration, options);
const applied: ApplyResult = planned.saved ? await applySaved(configuration, planned.saved, options) : await apply(configuration, options);
const { status } = await drift(configuration, options);
const { explanation } = await explain(configuration, "outreach_webhook.crm", options);
const { yaml } = await generate(configuration, options);
console.log(planned.plan?.steps[0]?.action, applied.status, applied.counts.add, events, status, explanation?.steps[0]?.action, yaml?.includes("flows.automation.example"));
await sandbox.close();
`;

test.for([
  ["typescript", "nodenext"],
  ["typescript", "bundler"],
  ["typescript-5.9", "node16"],
] as const)(
  "the packed library is compiled by %s for %s, with its types checked, and runs",
  { timeout: 120_000 },
  async ([compiler, resolution]) => {
    const folder = `${compiler}-${resolution}`;
    const module = resolution === "bundler" ? "esnext" : resolution;
    const compilerOptions = {
      target: "es2022",
      lib: ["es2023"],
      module,
      moduleResolution: resolution,
      strict: true,
      types: ["node"],
      rootDir: ".",
      outDir: folder,
    };
    await writeFile(path.join(project, "main.ts"), PROGRAM);
    await writeFile(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    await run(process.execPath, [path.join(installed(compiler), "bin/tsc")], { cwd: project });
    const { stdout, stderr } = await run(process.execPath, [path.join(folder, "main.js")], { cwd: project });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^create complete 1 \[ 'step', 'step' \] none keep true\n$/);
    await run("rm", ["-f", ...["", ".backup"].map((ending) => path.join(project, `outreach.state.json${ending}`))]);
  },
);

test("a mistake in a program is a type error", async () => {
  await writeFile(
    path.join(project, "wrong.ts"),
    'import { plan } from "outreach-as-code";\nawait plan("outreach.yaml", { target: ["a"] });\n',
  );
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023"],
    module: "nodenext",
    strict: true,
    types: ["node"],
    noEmit: true,
  };
  await writeFile(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["wrong.ts"] }));
  await expect(
    run(process.execPath, [path.join(installed("typescript"), "bin/tsc")], { cwd: project }),
  ).rejects.toMatchObject({
    stdout: expect.stringMatching(/wrong\.ts.* error TS2\d+: .*'target'/) as string,
  });
});
