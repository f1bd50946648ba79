import { describe, expect, it } from "vitest";
import { journalSettings } from "../../../../src/frontends/terraform/journal/provider-journal.ts";
import { memoryFiles } from "../../../core/state/memory-files.ts";
import { URL_A, journalStory } from "./story.ts";

const story = journalStory();
const codes = (variables: { readonly [name: string]: string }): readonly string[] =>
  journalSettings(variables, memoryFiles()).problems.map(({ code }) => code);

describe("where the journal is", () => {
  it("in Terraform's data directory, or where OUTREACH_JOURNAL says", () => {
    expect(journalSettings({}, memoryFiles()).place.name).toBe(".terraform/outreach-journal/ledger.json");
    expect(journalSettings({ TF_DATA_DIR: "/data" }, memoryFiles()).place.name).toBe(
      "/data/outreach-journal/ledger.json",
    );
    expect(journalSettings({ TF_DATA_DIR: "/data", OUTREACH_JOURNAL: "C:\\journal" }, memoryFiles())).toMatchObject({
      place: { name: "C:\\journal/ledger.json" },
      problems: [],
    });
  });

  it("the workspace is Terraform's: of the environment, else the selected one, else the default one", async () => {
    const files = memoryFiles();
    await files.writeDurably(".terraform/environment", new TextEncoder().encode("staging\n"));
    expect(await journalSettings({ TF_WORKSPACE: "production" }, files).workspace()).toBe("production");
    expect(await journalSettings({}, files).workspace()).toBe("staging");
    expect(await journalSettings({ TF_DATA_DIR: "elsewhere" }, files).workspace()).toBe("default");
  });

  it.each(["gopher://store.example.com/journal?key=s3cret", "git://user:pass@host/journal"])(
    "a URL that no store is for is refused clearly: %s",
    async (url) => {
      const provider = await story.start({ variables: { OUTREACH_JOURNAL: url } });
      expect(provider.greeting).toEqual(["error: OUTREACH_JOURNAL cannot be used"]);
      expect(JSON.stringify(provider.greetings)).not.toMatch(/s3cret|pass@/);
      expect((await provider.create({ target_url: URL_A })).state).toBeNull();
      expect(story.posts()).toBe(0);
    },
  );
});

it.each(["~/journal", '"/srv/journal"', "/srv/journal ", " "])(
  "a place that only a shell would read as meant is refused: %s",
  async (named) => {
    const provider = await story.start({ variables: { OUTREACH_JOURNAL: named, CI: "true" } });
    expect(provider.greeting).toEqual(["error: OUTREACH_JOURNAL cannot be used"]);
    expect(JSON.stringify(provider.greetings)).toContain("Write the path or the URL alone.");
    expect((await provider.create({ target_url: URL_A })).state).toBeNull();
    expect(story.posts()).toBe(0);
  },
);

describe("the lock of a journal on a server", () => {
  const GITLAB = "https://gitlab.example.com/api/v4/projects/7/terraform/state";
  const PLAIN = "https://state.example.com";
  const lock = (address: string) => ({ TF_HTTP_LOCK_ADDRESS: address, TF_HTTP_UNLOCK_ADDRESS: address });
  it.each([
    ["GitLab's lock of Terraform's state", `${GITLAB}/prod-journal`, lock(`${GITLAB}/prod/lock`), []],
    ["no lock on GitLab", `${GITLAB}/prod-journal`, {}, []],
    ["the journal's own address", `${PLAIN}/journal`, lock(`${PLAIN}/journal`), []],
    ["an address below the journal's", `${PLAIN}/journal`, lock(`${PLAIN}/journal/lock`), []],
    ["no lock", `${PLAIN}/journal`, {}, ["Set TF_HTTP_LOCK_ADDRESS."]],
    ...["", "/", "/lock"].map((end): [string, string, { readonly [name: string]: string }, readonly unknown[]] => [
      `Terraform's own state, ${JSON.stringify(end)}`,
      `${GITLAB}/prod${end}`,
      { ...lock(`${GITLAB}/prod/lock`), TF_HTTP_ADDRESS: `${GITLAB}/prod` },
      [expect.stringContaining("OUTREACH_JOURNAL=${TF_HTTP_ADDRESS}-journal")],
    ]),
    [
      "a name that begins as the state's",
      `${GITLAB}/prod-journal`,
      { ...lock(`${GITLAB}/prod/lock`), TF_HTTP_ADDRESS: `${GITLAB}/prod` },
      [],
    ],
    [
      "the lock of another file",
      `${PLAIN}/journal`,
      lock(`${PLAIN}/journal-of-state`),
      [expect.stringContaining("name the lock of Terraform's state in its backend block")],
    ],
  ])("%s", (_, url, variables, hints) => {
    const { problems } = journalSettings({ OUTREACH_JOURNAL: url, ...variables }, memoryFiles());
    expect(problems.map(({ hint }) => hint)).toEqual(hints);
  });
});

describe("how long a new webhook may take to appear", () => {
  it("is ten seconds after an answer and sixty without one, or what OUTREACH_SETTLE says for both", () => {
    expect(journalSettings({}, memoryFiles()).listingDelayMs).toEqual({ answered: 10_000, unanswered: 60_000 });
    expect(journalSettings({ OUTREACH_SETTLE: "5s" }, memoryFiles()).listingDelayMs).toEqual({
      answered: 5000,
      unanswered: 5000,
    });
  });

  it("must be a duration", () => {
    expect(codes({ OUTREACH_SETTLE: "soon" })).toEqual(["duration_invalid"]);
    expect(codes({ OUTREACH_SETTLE: "0s" })).toEqual([]);
  });

  it("and so must the time that a request may take", async () => {
    const provider = await story.start({ variables: { OUTREACH_TIMEOUT: "x" } });
    expect(provider.greeting).toEqual(["error: OUTREACH_TIMEOUT is not a duration"]);
    expect(codes({ OUTREACH_TIMEOUT: "5" })).toEqual([]);
  });
});

describe("under CI", () => {
  /** Terraform's data directory, which has the journal by default. */
  const byDefault = () => ({ OUTREACH_JOURNAL: "", TF_DATA_DIR: story.folder });

  it("the default journal is warned about once, at the first create", async () => {
    const provider = await story.start({ variables: { ...byDefault(), CI: "true" } });
    expect(provider.greeting).toEqual([]);
    const created = await provider.create({ target_url: URL_A });
    expect(created.said).toEqual(["warning: The journal may be lost with this machine"]);
    expect((await provider.create({ target_url: "https://b.example.com/" })).said).toEqual([]);
    expect((await provider.delete(created)).said).toEqual([]);
  });

  it("a CI that has another variable is one", async () => {
    const provider = await story.start({ variables: { ...byDefault(), TF_BUILD: "True" } });
    expect((await provider.create({ target_url: URL_A })).said).toEqual([
      "warning: The journal may be lost with this machine",
    ]);
  });

  it("a journal in a folder that the user chose is not warned about", async () => {
    const provider = await story.start({ variables: { CI: "true" } });
    expect((await provider.create({ target_url: URL_A })).said).toEqual([]);
  });

  it.each(["", "0", "false"])("CI=%s is none", async (ci) => {
    const provider = await story.start({ variables: { ...byDefault(), CI: ci } });
    expect((await provider.create({ target_url: URL_A })).said).toEqual([]);
  });
});
