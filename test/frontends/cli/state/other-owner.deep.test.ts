import { chmodSync, chownSync, mkdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const CONFIGURATION = 'version: 1\nwebhooks:\n  crm: { target_url: "https://crm.example.com/" }\n';
const ME = process.getuid?.() ?? 0;
const isRoot = ME === 0;
/** Who runs the command: as the user of a container, not root, who may write everywhere. */
const USER = isRoot ? 1000 : ME;
const OWNER = 1001;

/** A project in which each process is run by `USER`. */
async function openAsUser(): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  chmodSync(path.dirname(project.folder), 0o755);
  if (isRoot) project.within = ["setpriv", `--reuid=${String(USER)}`, `--regid=${String(USER)}`, "--clear-groups"];
  return project;
}

/** A folder of another user, and the words that name it. Only root can give one away: for others, it is the root folder. */
function foreignFolder(project: Project): string {
  if (!isRoot) return "/";
  const folder = path.join(realpathSync(project.folder), "theirs");
  mkdirSync(folder);
  chownSync(folder, OWNER, OWNER + 1);
  return folder;
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ");

test.each<readonly [string, line: (folder: string) => string]>([
  ["a lock", (folder) => `plan --state ${path.join(folder, "outreach.json")}`],
  ["a journal", (folder) => `apply --auto-approve --lock=false --state ${path.join(folder, "outreach.json")}`],
  ["a plan", (folder) => `plan --out ${path.join(folder, "outreach.plan")}`],
  ["a provider", (folder) => `provider install ${path.join(folder, "mirror")}`],
])(
  "%s that a folder of another owner does not take: the error says whose folder it is, and nothing is sent",
  async (_, line) => {
    const project = await openAsUser();
    if (isRoot) chownSync(project.folder, USER, USER);
    const folder = foreignFolder(project);
    const { uid, gid } = statSync(folder);
    expect(uid).not.toBe(USER);
    const { code, err, sent } = await project.start(line(folder)).ended;
    expect([code, sent.filter((request) => request.startsWith("POST"))], err).toEqual([1, []]);
    expect(plain(err)).toContain(
      `The folder ${folder} belongs to user ${String(uid)}, and outreach runs as user ${String(USER)}. In a container, pass --user ${String(uid)}:${String(gid)}.`,
    );
  },
);

test("a state that only another user may read: the error says whose file it is", async () => {
  const project = await openAsUser();
  const state = isRoot ? "outreach.state.json" : "/etc/shadow";
  if (isRoot) project.write(state, "{}");
  const file = path.resolve(realpathSync(project.folder), state);
  if (isRoot) chmodSync(file, 0o600);
  if (isRoot) chownSync(file, OWNER, OWNER);
  const { code, err } = await project.start(`state pull --state ${state}`).ended;
  expect([code, plain(err)]).toEqual([
    1,
    expect.stringContaining(
      `The file ${file} belongs to user ${isRoot ? String(OWNER) : "0"}, and outreach runs as user ${String(USER)}.`,
    ),
  ]);
});

test("a folder of one's own that cannot be written is not said to be of another", async () => {
  const project = await openAsUser();
  if (isRoot) chownSync(project.folder, USER, USER);
  chmodSync(project.folder, 0o555);
  const { code, err, sent } = await project.start("apply --auto-approve").ended;
  chmodSync(project.folder, 0o755);
  expect([code, sent]).toEqual([1, []]);
  expect(err).toContain("EACCES");
  expect(err).not.toContain("belongs to");
});
