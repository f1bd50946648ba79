import {
  type ReceiverResult,
  type TestResult,
  type TestsFormat,
  countTests,
  hasPassed,
  isMet,
} from "../content/describe-tests.ts";
import { diagnosticJson } from "./diagnostic-json.ts";
import { type JsonObject, jsonText } from "./escaped-json.ts";

/** The version of the object. It grows by 0.1 with every new member, and to 2.0 if a member changes its meaning. */
const TESTS_FORMAT_VERSION = "1.0";

/** The report of tests for programs: one object, which `schemas/tests-report.schema.json` describes. */
export const testsJson: TestsFormat = (report, { version }) => {
  const { pass, fail, error } = countTests(report.files);
  const document: JsonObject = {
    format_version: TESTS_FORMAT_VERSION,
    outreach_version: version,
    status: hasPassed(report) ? "pass" : "fail",
    summary: { passed: pass, failed: fail, errored: error },
    files: report.files.map(({ file, status, tests, diagnostics }) => ({
      file,
      status,
      tests: tests.map(testJson),
      diagnostics: diagnostics.map(diagnosticJson),
    })),
  };
  return `${jsonText(document, { indented: true })}\n`;
};

function testJson({ name, status, event, receivers, place }: TestResult): JsonObject {
  return {
    name,
    status,
    line: place.line ?? null,
    event: event && {
      type: event.type,
      campaign_id: event.campaign,
      campaign_name: event.campaignName,
      first: event.isFirst,
      third_party: event.isThirdParty,
    },
    receivers: receivers.map(receiverJson),
  };
}

function receiverJson(receiver: ReceiverResult): JsonObject {
  const { target, expected, delivered, webhooks, secret } = receiver;
  return {
    target,
    met: isMet(receiver),
    expected,
    delivered,
    webhooks,
    secret: secret && {
      expected: secret.expected,
      differing: secret.found.map(({ address, secret: found }) => ({ address, secret: found })),
    },
  };
}
