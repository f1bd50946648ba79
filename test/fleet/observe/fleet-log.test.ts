import { expect, test } from "vitest";
import { type FleetLogOptions, openFleetLog } from "../../../src/fleet/observe/fleet-log.ts";
import { NOW_MS } from "../page/fleet-double.ts";

function logged(
  options: Partial<FleetLogOptions>,
  log: (log: ReturnType<typeof openFleetLog>) => void,
): readonly string[] {
  const lines: string[] = [];
  const mask = (text: string): string => text.replaceAll("ada@example.com", "a***@example.com");
  log(
    openFleetLog({
      format: "json",
      level: "info",
      mask,
      write: (line) => lines.push(line),
      clock: { now: () => NOW_MS },
      ...options,
    }),
  );
  return lines;
}

test.each([
  [
    "json",
    '{"time":"2026-11-23T12:00:00.000Z","level":"info","event":"run-ended","team":"acme","run":"run-7","outcome":"applied","duration_ms":3120,"message":"1 added."}\n',
  ],
  ["text", "2026-11-23T12:00:00.000Z [INFO] [acme] 1 added. (run run-7, applied, 3s)\n"],
] as const)("logs a line with what it is about, as %s", (format, line) => {
  const fields = { team: "acme", run: "run-7", outcome: "applied", durationMs: 3120.4 };
  expect(logged({ format }, (log) => log("info", "run-ended", "1 added.", fields))).toEqual([line]);
});

test("leaves out what is less important than the level", () => {
  const lines = logged({ format: "text", level: "warn" }, (log) =>
    (["error", "warn", "info", "debug"] as const).forEach((level) => log(level, "x", level)),
  );
  expect(lines.map((line) => line.slice(25))).toEqual(["[ERROR] error\n", "[WARN] warn\n"]);
});

test.each(["json", "text"] as const)(
  "one line for a message from anybody, without personal data and what acts on a terminal, as %s",
  (format) => {
    const lines = logged({ format }, (log) =>
      log("error", "x", "one\ntwo\u001B[31m \u202Eada@example.com", { team: "a\u0000b" }),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\p{Cc}\p{Cf}]*\n$/u);
    expect(lines[0]).toContain("a***@example.com");
  },
);
