import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../docs/pages.ts";

const SCRIPT = path.join(ROOT, "examples/ci/github/.github/drift-issue.mjs");

test.each([
  [
    403,
    '{"message":"Resource not accessible by integration"}',
    "403 Resource not accessible by integration. The job needs the permission issues: write.",
  ],
  [
    410,
    '{"message":"Issues are disabled for this repo"}',
    "410 Issues are disabled for this repo. Enable issues in the settings of the repository.",
  ],
  [502, "<html>", "502. Run the job again."],
])(
  "the script that keeps the issue says in one line why GitHub answers %i, and what to do",
  async (status, body, message) => {
    const folder = mkdtempSync(path.join(tmpdir(), "drift-issue-"));
    const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const report = path.join(folder, "drift.md");
      writeFileSync(
        report,
        "<!-- outreach-as-code drift: outreach.yaml -->\n\n### Drift of `outreach.yaml`\n\n**Drift detected: 1 missing.**\n",
      );
      const { port } = server.address() as AddressInfo;
      const GITHUB = {
        GITHUB_API_URL: `http://127.0.0.1:${String(port)}`,
        GITHUB_REPOSITORY: "acme/crm",
        GITHUB_TOKEN: "x",
      };
      const child = spawn(process.execPath, [SCRIPT, report], {
        env: { ...process.env, ...GITHUB },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let err = "";
      child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
      expect(await once(child, "close")).toEqual([1, null]);
      expect(err).toMatch(/^Error: GET \/issues\?.*\n$/);
      expect(err).toContain(message);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  },
);
