import { describe, expect, test } from "vitest";
import { useProjects } from "../project.ts";

const project = useProjects();

describe("outreach export", () => {
  test("starts one export, and says how to wait for it", async () => {
    const { run, sandbox } = await project();
    const { code, out, err } = await run("export cam_000001");
    expect(code).toBe(0);
    expect(out).toContain('of "Q3 launch" started (pending).');
    expect(err).toContain("With --wait or --out FILE, outreach waits for its end.");
    expect(sandbox.records("exports")).toHaveLength(1);
  });

  test("of what is no id is refused before anything is sent", async () => {
    const { run } = await project();
    expect(await run("export cam/../x")).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining("Invalid campaign id") as string,
    });
  });

  test("needs only the service of a configuration: the rest may be wrong", async () => {
    const { run, write } = await project();
    write("outreach.yaml", "version: 1\nwebhooks: { a: { target_ulr: x } }\nvariables: { port: {} }\n");
    expect(await run("export cam_000001")).toMatchObject({ code: 0 });
  });
});
