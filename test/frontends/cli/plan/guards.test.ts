import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

/** So many webhooks, each with a URL of its own. */
function webhooks(count: number, { limits = "", path = "" } = {}): string {
  const blocks = Array.from(
    { length: count },
    (_, index) => `  w${String(index)}: { target_url: 'https://x.example.com/${String(index)}${path}' }\n`,
  );
  return `version: 1\n${limits === "" ? "" : `limits: { ${limits} }\n`}${count === 0 ? "" : `webhooks:\n${blocks.join("")}`}`;
}

async function applied(count: number): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", webhooks(count));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  return project;
}

const SUMMARIES = {
  delete: "Error: More deletions than allowed [limit_delete]\n",
  replace: "Error: More replaces than allowed [limit_replace]\n",
  recreate: "Error: More webhooks are missing than allowed [limit_recreate]\n",
};

describe("limits.delete", () => {
  test("by default more than 3 and more than 30 %, and lifted by --allow-deletes", async () => {
    const project = await applied(11);
    project.write("outreach.yaml", webhooks(8));
    expect(await project.run("plan")).toMatchObject({ code: 0, err: "" });
    project.write("outreach.yaml", webhooks(7));
    const { code, out, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(out).toContain("Plan: 0 to add, 0 to change, 4 to destroy.");
    expect(err).toContain(SUMMARIES.delete);
    expect(err).toContain("The plan deletes 4 of 11 managed webhooks; the limit is 30% (and more than 3).");
    expect(err).toMatch(/--allow-deletes.*limits\.delete/);
    const stopped = await project.run("apply --auto-approve");
    expect(stopped).toMatchObject({ code: 1, sent: ["GET /hooks 200"] });
    expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 1 });
    expect(Object.keys(project.files())).not.toContain("saved.plan");
    expect(await project.run("plan --out saved.plan --allow-deletes")).toMatchObject({ code: 0 });
    const done = await project.run("apply saved.plan");
    expect(done).toMatchObject({ code: 0 });
    expect(done.out).toContain("4 destroyed");
  });

  test("an explicit value stands alone, as a share or a count", async () => {
    const project = await applied(10);
    for (const [limits, rest, isFine] of [
      ["delete: 40%", 6, true],
      ["delete: 39%", 6, false],
      ["delete: 5%", 9, false],
      ["delete: 4", 6, true],
      ["delete: 3", 6, false],
      ["delete: 0", 9, false],
      ["delete: 100%", 0, true],
    ] as const) {
      project.write("outreach.yaml", webhooks(rest, { limits }));
      const { code, err } = await project.run("plan");
      expect([limits, code, err.includes(SUMMARIES.delete)]).toEqual([limits, ...(isFine ? [0, false] : [1, true])]);
    }
  });

  test("replaces do not count, and destroy is exempt", async () => {
    const project = await applied(5);
    project.write("outreach.yaml", webhooks(5, { path: "/new", limits: "replace: 100%" }));
    expect(await project.run("plan")).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("5 to add, 0 to change, 5 to destroy") as string,
    });
    expect(await project.run("destroy --auto-approve")).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("5 destroyed") as string,
    });
  });
});

describe("limits.replace", () => {
  test("production's variables on staging's state are stopped, and --allow-replaces lifts it", async () => {
    const project = await openProject();
    const blocks = Array.from(
      { length: 13 },
      (_, index) => `  w${String(index)}: { target_url: 'https://x.example.com/\${var.stage}/${String(index)}' }\n`,
    );
    project.write("outreach.yaml", `version: 1\nvariables:\n  stage: {}\nwebhooks:\n${blocks.join("")}`);
    expect(await project.run("apply --auto-approve --var stage=staging")).toMatchObject({ code: 0 });
    const { code, out, err } = await project.run("plan --var stage=production");
    expect(code).toBe(1);
    expect(out).toContain("Plan: 13 to add, 0 to change, 13 to destroy.");
    expect(err).toContain(SUMMARIES.replace);
    expect(err).toContain(
      "The plan replaces 13 of 13 managed webhooks, and not only for new secrets; the limit is 30% (and more than 3).",
    );
    expect(err).toMatch(/--allow-replaces.*limits\.replace/);
    expect(await project.run("apply --auto-approve --var stage=production")).toMatchObject({
      code: 1,
      sent: ["GET /hooks 200"],
    });
    expect(await project.run("plan --var stage=production --out saved.plan --allow-replaces")).toMatchObject({
      code: 0,
      err: "",
    });
    expect(await project.run("apply saved.plan")).toMatchObject({
      code: 0,
      out: expect.stringContaining("13 added, 0 changed, 13 destroyed") as string,
    });
  });

  test("new secrets do not count, and an explicit value drops the default's 3", async () => {
    const project = await openProject();
    const blocks = (secret: string, path = ""): string =>
      [0, 1, 2, 3, 4]
        .map(
          (index) =>
            `  w${String(index)}: { target_url: 'https://x.example.com/${String(index)}${path}', secret: { env: ${secret} } }\n`,
        )
        .join("");
    const [S, T] = ["a-long-secret-value", "another-secret-value"];
    Object.assign(project.environment, { S, T });
    project.write("outreach.yaml", `version: 1\nlimits: { replace: 0 }\nwebhooks:\n${blocks("S")}`);
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    project.write("outreach.yaml", `version: 1\nlimits: { replace: 0 }\nwebhooks:\n${blocks("T")}`);
    expect(await project.run("plan")).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("5 to add, 0 to change, 5 to destroy") as string,
    });
    project.write("outreach.yaml", `version: 1\nlimits: { replace: 4 }\nwebhooks:\n${blocks("T", "/new")}`);
    expect(await project.run("plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("the limit is 4.") as string,
    });
  });
});

describe("limits.recreate", () => {
  async function missing(): Promise<Project> {
    const project = await applied(9);
    for (const { _id } of project.sandbox.webhooks().slice(0, 4)) project.sandbox.remove("webhooks", _id);
    return project;
  }

  test("by default more than 3 and more than 20 %, and lifted by --allow-recreate or the key", async () => {
    const project = await missing();
    for (const command of ["plan", "apply --auto-approve", "refresh"]) {
      const { code, err, sent } = await project.run(command);
      expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
      expect(err).toContain(SUMMARIES.recreate);
      expect(err).toContain(
        "4 of 9 recorded webhooks are missing from the service's list; the limit is 20% (and more than 3).",
      );
      expect(err).toMatch(/--allow-recreate.*limits\.recreate/);
    }
    project.write("outreach.yaml", webhooks(9, { limits: "recreate: 4" }));
    expect(await project.run("plan")).toMatchObject({ code: 0, err: "" });
    project.write("outreach.yaml", webhooks(9));
    expect(await project.run("apply --auto-approve --allow-recreate")).toMatchObject({
      code: 0,
      out: expect.stringContaining("4 added") as string,
    });
  });

  test("an explicit value drops the default's 3", async () => {
    const project = await applied(9);
    project.sandbox.remove("webhooks", project.sandbox.webhooks()[0]?._id ?? "");
    expect(await project.run("plan")).toMatchObject({ code: 0 });
    project.write("outreach.yaml", webhooks(9, { limits: "recreate: 10%" }));
    expect(await project.run("plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("the limit is 10%.") as string,
    });
  });
});

test("errors come after the plan, which says that it cannot be applied; warnings come before it", async () => {
  const project = await applied(11);
  project.write(
    "outreach.yaml",
    webhooks(7).replace("webhooks:", "moved: [{ from: outreach_webhook.w9, to: outreach_webhook.w10 }]\nwebhooks:"),
  );
  const { out } = await project.run("plan --json");
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; "@level": string; "@message": string });
  const kinds = lines.map(({ type, "@level": level }) => (type === "diagnostic" ? level : type));
  expect(kinds.slice(-3)).toEqual(["change_summary", "log", "error"]);
  expect(kinds.indexOf("warn")).toBeLessThan(kinds.indexOf("planned_change"));
  expect(lines.at(-3)?.["@message"]).toBe(
    "Plan: 0 to add, 0 to change, 4 to destroy. This plan cannot be applied: it has an error.",
  );
  const text = await project.run("apply --auto-approve");
  expect(text.out.trimEnd().split("\n").at(-2)).toBe(
    "Plan: 0 to add, 0 to change, 4 to destroy. This plan cannot be applied: it has an error.",
  );
});

describe("another base URL", () => {
  test("is refused with a state that is not empty, until it is allowed once", async () => {
    const project = await applied(1);
    const moved = { OUTREACH_BASE_URL: project.sandbox.baseUrl.replace("127.0.0.1", "localhost") };
    const before = project.files();
    for (const command of ["plan", "apply --auto-approve", "destroy --auto-approve", "refresh"]) {
      const { code, out, err, sent } = await project.run(command, moved);
      expect({ code, out, sent }).toEqual({ code: 1, out: "", sent: [] });
      expect(err).toContain("Error: The state belongs to another service [service_changed]\n");
      expect(err).toContain("--allow-service-change");
    }
    expect(project.files()).toEqual(before);
    expect(await project.run("plan --allow-service-change", moved)).toMatchObject({ code: 0 });
    expect(project.files()).toEqual(before);
    expect(await project.run("apply --auto-approve --allow-service-change", moved)).toMatchObject({
      code: 0,
      err: "",
      sent: ["GET /hooks 200"],
    });
    expect(await project.run("plan --detailed-exitcode", moved)).toMatchObject({ code: 0, err: "" });
  });
});

describe("another key", () => {
  test("and anything recorded missing is refused, whatever the count and the limit", async () => {
    const project = await applied(6);
    project.write("outreach.yaml", webhooks(6, { limits: "recreate: 100%" }));
    project.sandbox.remove("webhooks", project.sandbox.webhooks()[0]?._id ?? "");
    const other = { OUTREACH_API_KEY: project.sandbox.keys.sameTeam };
    for (const command of ["plan", "plan --target outreach_webhook.w5", "apply --auto-approve", "refresh"]) {
      const { code, err } = await project.run(command, other);
      expect(code).toBe(1);
      expect(err).toContain("Error: Another API key, and recorded webhooks are missing [key_changed]\n");
      expect(err).toContain("--allow-recreate");
    }
    expect(await project.run("plan")).toMatchObject({ code: 0 });
    expect(await project.run("apply --auto-approve --allow-recreate", other)).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 added") as string,
    });
  });

  test("that sees everything becomes the state's own", async () => {
    const project = await applied(1);
    const other = { OUTREACH_API_KEY: project.sandbox.keys.sameTeam };
    expect(await project.run("apply --auto-approve", other)).toMatchObject({ code: 0, err: "" });
    project.sandbox.remove("webhooks", project.sandbox.webhooks()[0]?._id ?? "");
    expect(await project.run("plan --detailed-exitcode", other)).toMatchObject({ code: 2, err: "" });
  });
});

test("a list that may be cut off makes nothing missing, until that is allowed", async () => {
  const project = await applied(10);
  project.sandbox.configure({ profile: { offset: false, cap: 10, sortOrder: "desc" } });
  project.sandbox.add("webhooks", { targetUrl: "https://other.example.com/" });
  const { code, err } = await project.run("apply --auto-approve");
  expect(code).toBe(0);
  expect(err).toContain("Warning: A webhook is missing from a list that may be truncated [list_maybe_truncated]\n");
  expect(err).toContain("--allow-recreate");
  expect(project.sandbox.webhooks()).toHaveLength(11);
});

describe("a job of a CI with a local state that does not exist", () => {
  const CI = { CI: "true" };

  test("warns in the first apply, names the missing state as the likely cause in the second, where drift does not pass", async () => {
    const project = await openProject();
    project.write("outreach.yaml", `version: 1\nwebhooks:\n  a: { target_url: "https://crm.example.com/a" }\n`);
    expect(await project.run("plan --out saved.plan", CI)).toMatchObject({
      code: 0,
      err: expect.stringContaining("Warning: The state may be lost with this job") as string,
    });
    expect((await project.run("show --format markdown saved.plan", CI)).out).toContain(
      "The state may be lost with this job",
    );
    const first = await project.run("apply --auto-approve", CI);
    expect([first.code, first.err]).toEqual([
      0,
      expect.stringMatching(
        /may be lost with this job \[local_state_in_ci\]\n[^]*outreach\.state\.json is a local file that does not exist yet[^]*set OUTREACH_STATE/,
      ),
    ]);

    // The next job has another disk.
    project.remove("outreach.state.json");
    const second = await project.run("apply --auto-approve", CI);
    expect([second.code, second.sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(second.err).toMatch(
      /Error: The state of an earlier job is probably missing[^]*set OUTREACH_STATE to the same place[^]*Error: An identical unmanaged webhook exists/,
    );
    expect(await project.run("drift", CI)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Error: No state was found[^]*Set OUTREACH_STATE/) as string,
    });
    expect(await project.run("drift")).toMatchObject({
      code: 0,
      err: expect.stringContaining("Warning: No state was found") as string,
    });
    // Outside of CI, too, the likely reason comes before the advice to import.
    expect((await project.run("plan")).err).toMatch(
      /Warning: No state exists at this place \[state_missing\]\n\nThe state outreach\.state\.json does not exist[^]*folder of the last apply[^]*Error: An identical unmanaged webhook exists/,
    );
  });

  test("is quiet where the state is kept, or the disk is said to be permanent, or nothing is recorded", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\n");
    expect((await project.run("apply --auto-approve", CI)).err).not.toContain("OUTREACH_STATE");
    project.write("outreach.yaml", `version: 1\nwebhooks:\n  a: { target_url: "https://crm.example.com/a" }\n`);
    expect((await project.run("apply --auto-approve --allow-local-state", CI)).err).not.toContain("OUTREACH_STATE");
    project.write("outreach.yaml", `version: 1\nwebhooks:\n  b: { target_url: "https://crm.example.com/b" }\n`);
    expect((await project.run("apply --auto-approve", CI)).err).not.toContain("OUTREACH_STATE");
  });
});
