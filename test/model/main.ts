import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import type { Setting } from "./drive.ts";

/*
 * Checks the model with TLC, the model checker of TLA+, and writes its histories to traces.jsonl.
 *
 *   TLA2TOOLS=/path/to/tla2tools.jar npm run model
 */

const SPEC = fileURLToPath(new URL("Create.tla", import.meta.url));
const TRACES = fileURLToPath(new URL("traces.jsonl", import.meta.url));

const ALWAYS = ["OneOrReported", "NothingLost", "Timely"];
const WITH_MARKS = [...ALWAYS, "NothingOfOthers", "RecordIsOurs", "NoUndecided", "ExactlyOne", "OneAtATime"];

interface Check extends Setting {
  readonly troubles: number;
  /** The protective step that is left out. */
  readonly without?: string;
  readonly invariants: readonly string[];
  /** The invariants of those that must be violated. */
  readonly violated: readonly string[];
}

const SETTINGS: readonly Setting[] = [true, false].flatMap((marks) =>
  [true, false].map((unique) => ({ marks, unique })),
);
const holds = (setting: Setting): Check => ({
  ...setting,
  troubles: 4,
  invariants: setting.marks ? WITH_MARKS : ALWAYS,
  violated: [],
});
const fails = (invariant: string, setting: Partial<Check>): Check => ({
  marks: true,
  unique: false,
  troubles: 3,
  invariants: [invariant],
  violated: [invariant],
  ...setting,
});

const CHECKS: readonly Check[] = [
  ...SETTINGS.map(holds),
  // What only marks can decide.
  ...["RecordIsOurs", "NoUndecided", "ExactlyOne"].map((invariant) => fails(invariant, { marks: false })),
  fails("NothingOfOthers", { marks: false, troubles: 4 }),
  // Each protective step is needed.
  fails("OneAtATime", { unique: true, without: "fresh mark" }),
  fails("Timely", { without: "no delay" }),
  fails("NothingOfOthers", { without: "resemblance" }),
  fails("ExactlyOne", { without: "no record" }),
  fails("NoUndecided", { without: "no intent" }),
  // An assumption: nobody makes an exact copy of a webhook, mark and all.
  fails("NothingOfOthers", { without: "exact copy" }),
];

async function tlc(
  { marks, unique, troubles, without = "none" }: Omit<Check, "invariants" | "violated">,
  lines: readonly string[],
): Promise<string> {
  const jar = process.env["TLA2TOOLS"];
  if (jar === undefined)
    throw new Error(
      "TLA2TOOLS does not name tla2tools.jar of https://github.com/tlaplus/tlaplus/releases, so nothing checks the model",
    );
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-model-"));
  const bool = (value: boolean): string => String(value).toUpperCase();
  const constants = `CONSTANTS Marks = ${bool(marks)} Unique = ${bool(unique)} Troubles = ${String(troubles)} Mutant = "${without}"`;
  const config = path.join(folder, "Create.cfg");
  writeFileSync(config, ["INIT Init", "NEXT Next", "CHECK_DEADLOCK FALSE", constants, ...lines, ""].join("\n"));
  const words = ["-cp", jar, "tlc2.TLC", "-config", config, "-metadir", folder, "-noGenerateSpecTE", "-continue", SPEC];
  try {
    // It exits with another code than 0 where an invariant is violated.
    const { stdout } = await promisify(execFile)("java", words, { maxBuffer: 2 ** 28 }).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    if (!stdout.includes("0 states left on queue")) throw new Error(`TLC fails:\n${stdout}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function check(one: Check): Promise<boolean> {
  const stdout = await tlc(one, ["VIEW view", ...one.invariants.map((name) => `INVARIANT ${name}`)]);
  const violated = one.invariants.filter((name) => stdout.includes(`Invariant ${name} is violated`));
  const isRight = isDeepStrictEqual(violated, one.violated);
  const [, states = "?"] = /([\d,]+) distinct states found, 0/.exec(stdout) ?? [];
  const { marks, unique, troubles, without = "" } = one;
  const setting = `${marks ? "marks" : "no marks"}${unique ? ", one webhook per URL" : ""}, ${String(troubles)} troubles${without === "" ? "" : `, "${without}"`}`;
  console.log(
    `${isRight ? "ok  " : "WRONG"} ${setting}: ${states} states, ${violated.length === 0 ? "all hold" : `violated: ${violated.join(", ")}`}`,
  );
  return isRight;
}

const TLA: { readonly [text: string]: string } = { "<<": "[", ">>": "]", "{": "[", "}": "]" };

/** Each history as JSON: whether creates carry marks, whether the service allows one webhook per URL, what happens, and what it comes to. */
async function histories(setting: Setting, troubles: number): Promise<readonly string[]> {
  const stdout = await tlc({ ...setting, troubles }, ["INVARIANT Trace"]);
  const printed = stdout.split("\n").filter((line) => line.startsWith('"<<'));
  return printed.map((line) => {
    const values = JSON.parse(
      String(JSON.parse(line)).replaceAll(/<<|>>|[{}]/g, (text) => TLA[text] ?? text),
    ) as readonly unknown[];
    return JSON.stringify([setting.marks, setting.unique, ...values]);
  });
}

/** All with one trouble, and every third of those with two: what the test command has time for. */
async function writeTraces(): Promise<void> {
  const lines: string[] = [];
  for (const setting of SETTINGS) {
    const one = (await histories(setting, 1)).toSorted();
    const two = (await histories(setting, 2)).filter((line) => !one.includes(line)).toSorted();
    lines.push(...one, ...two.filter((_, index) => index % 3 === 0));
  }
  writeFileSync(TRACES, `${lines.join("\n")}\n`);
  console.log(`${String(lines.length)} histories in ${path.relative(process.cwd(), TRACES)}`);
}

let areRight = true;
for (const one of CHECKS) areRight = (await check(one)) && areRight;
await writeTraces();
process.exitCode = areRight ? 0 : 1;
