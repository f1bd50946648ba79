import { expect, test } from "vitest";
import { expectValidation } from "../../../output/schemas.ts";
import { oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();

function parsed(out: string): unknown {
  const json: unknown = JSON.parse(out);
  expectValidation(json);
  return json;
}

const VALID = { format_version: "1.0", valid: true, error_count: 0, warning_count: 0, diagnostics: [] };

test("validate --json of a valid configuration", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    oneWebhook("target_url: https://crm.example.com/hooks\nignore: [webhook_without_secret]"),
  );
  for (const option of ["--json", "-json"]) {
    const { code, out, err, sent } = await project.run(`validate ${option}`);
    expect({ code, err, sent, json: parsed(out) }).toEqual({ code: 0, err: "", sent: [], json: VALID });
  }
});

test("validate --json tells every mistake with its place, in the order of the file", async () => {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook("target_url: http://crm.example.com/hooks\ntype: emailReplied"));
  const { code, out, err } = await project.run("validate --json");
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(parsed(out)).toMatchObject({
    valid: false,
    error_count: 2,
    diagnostics: [
      {
        severity: "error",
        summary: "Invalid target URL",
        address: "outreach_webhook.crm",
        range: { filename: "outreach.yaml", start: { line: 4 } },
      },
      {
        summary: "Unknown event type",
        detail: 'The service has no event type "emailReplied".\n\nDid you mean emailsReplied?',
        range: { start: { line: 5, column: 11 } },
        snippet: {
          code: "    type: emailReplied",
          start_line: 5,
          highlight_start_offset: 10,
          highlight_end_offset: 11,
        },
      },
    ],
  });
});

test("validate --json answers in JSON where there is nothing to read", async () => {
  const project = await openProject();
  const { code, out, err } = await project.run("validate --json");
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(parsed(out)).toMatchObject({ valid: false, diagnostics: [{ summary: "No configuration" }] });
});
