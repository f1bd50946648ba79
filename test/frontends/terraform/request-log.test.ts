import { describe, expect, test } from "vitest";
import { loggedSend, openLog } from "../../../src/frontends/terraform/provider-log.ts";

const clock = { now: () => Date.UTC(2026, 10, 22, 13, 0, 0, 7), monotonicMs: () => 0 };
const SIGNAL = new AbortController().signal;

function logOf(environment: { readonly [name: string]: string }): {
  readonly lines: string[];
  readonly log: ReturnType<typeof openLog>;
} {
  const lines: string[] = [];
  return { lines, log: openLog(environment, { clock, write: (line) => void lines.push(line) }) };
}

const request = (method: string, url: string) => ({
  method,
  url: new URL(url),
  headers: { "x-api-key": "k3y" },
  body: '{"secret":"s3cret"}',
});

describe("the log of requests", () => {
  test("is written only if somebody asks for one", () => {
    expect(logOf({}).log).toBeNull();
    expect(logOf({ TF_LOG: "", TF_LOG_PROVIDER: "OFF" }).log).toBeNull();
    for (const name of ["TF_LOG", "TF_LOG_PROVIDER", "OUTREACH_LOG"])
      expect(logOf({ [name]: "debug" }).log).not.toBeNull();
  });

  test("has method, path, status and duration, in Terraform's form, and neither the key nor a body nor an address of a lead", async () => {
    const { lines, log } = logOf({ TF_LOG: "debug" });
    if (log === null) throw new Error("no log");
    const send = loggedSend(
      ({ url }) => Promise.resolve({ status: url.pathname.endsWith("slow") ? 429 : 200 }),
      log,
      clock,
    );
    await send(
      request("DELETE", "https://service.example.com/api/campaigns/cam_1/leads/ada.lovelace%40example.com"),
      SIGNAL,
    );
    await send(request("GET", "https://service.example.com/api/slow?offset=100"), SIGNAL);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        "@level": "debug",
        "@message": "request",
        "@module": "outreach",
        "@timestamp": "2026-11-22T13:00:00.007000Z",
        method: "DELETE",
        path: "/api/campaigns/cam_1/leads/a***@example.com",
        status: 200,
        duration_ms: 0,
      },
      expect.objectContaining({ "@level": "warn", path: "/api/slow?offset=100", status: 429 }),
    ]);
    expect(lines.join("")).not.toMatch(/k3y|s3cret|lovelace/);
  });

  test("shows a request without an answer, which fails as before", async () => {
    const { lines, log } = logOf({ TF_LOG_PROVIDER: "debug" });
    if (log === null) throw new Error("no log");
    const send = loggedSend(() => Promise.reject(new Error("the connection was reset")), log, clock);
    await expect(send(request("POST", "https://service.example.com/api/hooks"), SIGNAL)).rejects.toThrow(
      "the connection was reset",
    );
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ "@level": "warn", error: "the connection was reset" }),
    ]);
  });
});
