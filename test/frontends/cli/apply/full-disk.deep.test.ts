import { spawnSync } from "node:child_process";
import { type TestContext, expect, test } from "vitest";
import { type Project, type Ran, useProjects } from "../project.ts";
import { type SmallDisk, openSmallDisk } from "./small-disk.ts";
import { type Story, storyOf } from "../story.ts";

const openProject = useProjects();
const [SECRET, NEXT_SECRET] = ["first-secret-value", "second-secret-value"];
/** Many processes, while other tests run. */
const LONG_MS = 120_000;
const APPLY = "apply --auto-approve";

/** Long, so that the journal and the state take several pages. */
const TARGETS = Array.from(
  { length: 5 },
  (_, index) => `https://crm.example.com/${String(index)}/${"long".repeat(80)}`,
);
const WEBHOOKS = TARGETS.map(
  (target, index) => `  w${String(index)}: { target_url: "${target}", secret: { env: S } }\n`,
).join("");
const CONFIGURATION = `version: 1\nwebhooks:\n${WEBHOOKS}`;

interface OnDisk {
  readonly disk: SmallDisk;
  readonly project: Project;
  readonly story: Story;
}

async function onSmallDisk(context: TestContext): Promise<OnDisk> {
  const disk = await openSmallDisk(context, "size=256k,nr_inodes=64");
  const project = await openProject({ around: disk.folder });
  project.within = disk.within(project.folder);
  // Within the namespace: outside of it, the way to the disk leads through a link of /proc.
  project.run = (line) => project.start(line).ended;
  project.environment["S"] = SECRET;
  project.write("outreach.yaml", CONFIGURATION);
  return { disk, project, story: storyOf(project, [SECRET, NEXT_SECRET]) };
}

/** Runs the built command as a process. */
async function started({ project, story }: Pick<OnDisk, "project" | "story">, line = APPLY): Promise<Ran> {
  const ran = await project.start(line).ended;
  await story.look(ran);
  return ran;
}

const writes = ({ sent }: Ran): number => sent.filter((one) => !one.startsWith("GET")).length;
const inFull =
  /^Error: The disk is full \[system\]\n\nENOSPC: [^']* '[^']*outreach\.state\.json[^]*\nFree space on it, then run the command again\.$/m;
const notRecorded =
  /^Error: An outcome could not be recorded \[outcome_not_recorded\]\n[^]*ENOSPC[^]*\nFree space on the disk, then record it:$/m;

const rotation = async ({ project, story }: OnDisk): Promise<void> => {
  expect(await story.run(APPLY)).toMatchObject({ code: 0 });
  project.environment["S"] = NEXT_SECRET;
};

test.for([
  ["creates", "pages", 2, () => Promise.resolve()],
  ["creates", "files", 2, () => Promise.resolve()],
  ["rotates secrets", "pages", 3, rotation],
] as const)(
  "an apply that %s loses and doubles nothing, however many %s a full disk has left",
  { timeout: LONG_MS },
  async ([, kind, step, begin], context) => {
    const sent = new Set<string>();
    for (let room = 0; ; room += step) {
      const on = await onSmallDisk(context);
      await begin(on);
      on.disk.leave(kind === "pages" ? { pages: room } : { files: room });
      const ran = await started(on);
      if (ran.code === 0) break;
      sent.add(writes(ran) === 0 ? "nothing" : writes(ran) < TARGETS.length ? "a part" : "all");
      expect(ran.err).toMatch(ran.code === 3 ? notRecorded : inFull);
      expect(ran.code).toBe(notRecorded.test(ran.err) ? 3 : 1);
      expect((await on.story.run(APPLY)).code, "it is still full").not.toBe(0);
      on.disk.clear();
      expect(await on.story.run(APPLY)).toMatchObject({ code: 0 });
      await on.story.judge(TARGETS);
    }
    expect([...sent]).toEqual(expect.arrayContaining(["nothing", "all"]));
  },
);

test("an outcome that a full disk did not record is recorded by the command that the error names", async (context) => {
  const { disk, project, story } = await onSmallDisk(context);
  // No answer fits in what is left of the journal's last page.
  const target = `https://crm.example.com/${"x".repeat(2000)}`;
  project.write("outreach.yaml", `version: 1\nwebhooks:\n  w: { target_url: "${target}" }\n`);
  const isFilled = (): false => {
    disk.leave({ pages: 0 });
    return false;
  };
  story.faults({ action: { kind: "drop" }, method: "POST", where: isFilled });
  const ran = await started({ project, story });
  expect(ran).toMatchObject({ code: 3, err: expect.stringMatching(notRecorded) as string });
  const [, line = ""] = /outreach (import outreach_webhook\.w hoo_\d+)$/m.exec(ran.err) ?? [];
  disk.clear();
  story.faults();
  expect(await story.run(line)).toMatchObject({ code: 0 });
  await story.judge([target]);
});

test("on a read-only disk, an apply sends nothing, and a plan without a lock works", async (context) => {
  const { disk, project, story } = await onSmallDisk(context);
  expect(await story.run(APPLY)).toMatchObject({ code: 0 });
  project.environment["S"] = NEXT_SECRET;
  await disk.remount("ro");
  const ran = await started({ project, story });
  expect(ran).toMatchObject({ code: 1, sent: [] });
  expect(ran.err).toMatch(/^Error: The disk is read-only \[system\]\n\nEROFS: [^]*pass --lock=false\.$/m);
  expect(await started({ project, story }, "plan --lock=false")).toMatchObject({
    code: 0,
    out: expect.stringContaining("Plan: 5 to add") as string,
  });
  await disk.remount("rw");
  expect(await story.run(APPLY)).toMatchObject({ code: 0 });
  await story.judge(TARGETS);
});

/** Sizes that no page has: the kernel cuts a write there, within the lock, the state or any line of the journal. */
const LARGEST_FILES = [100, 333, 1777, 5003];

test(
  "files that may not grow lose and double nothing, wherever a write is cut",
  async (context) => {
    if (spawnSync("prlimit", ["--version"]).status !== 0) context.skip("no prlimit (util-linux) on the PATH");
    const sent: number[] = [];
    for (const bytes of LARGEST_FILES) {
      const project = await openProject();
      const story = storyOf(project, [SECRET]);
      project.environment["S"] = SECRET;
      project.write("outreach.yaml", CONFIGURATION);
      project.within = ["prlimit", `--fsize=${String(bytes)}`];
      const ran = await started({ project, story });
      sent.push(writes(ran));
      expect(ran.err, String(bytes)).toMatch(/EFBIG: [^']* '[^']*outreach\.state\.json/);
      expect(await story.run(APPLY)).toMatchObject({ code: 0 });
      await story.judge(TARGETS);
    }
    expect([Math.min(...sent), Math.max(...sent) > 0]).toEqual([0, true]);
  },
  LONG_MS,
);
