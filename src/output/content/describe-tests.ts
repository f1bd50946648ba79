import { countOf, firstFew } from "../../core/model/words.ts";
import { type ReceiverResult, isMet } from "../../service/deliveries/expectations.ts";
import {
  type TestReport,
  type TestResult,
  type TestedEvent,
  countTests,
} from "../../service/deliveries/test-report.ts";
export { type ReceiverResult, isMet } from "../../service/deliveries/expectations.ts";
export { type TestResult, type TestStatus, type TestedFile, countTests } from "../../service/deliveries/test-report.ts";
import type { FormatContext } from "./output-format.ts";

/** One way to print the report of `outreach test`, as one document. Pure; it returns whole lines. */
export type TestsFormat = (report: TestReport, context: Pick<FormatContext, "version" | "paint" | "mask">) => string;

/** One receiver in words. `-`: it gets less than expected; `+`: more; `~`: the secret differs; a space: as expected. */
export interface DescribedReceiver {
  readonly sign: "-" | "+" | "~" | " ";
  readonly text: string;
}

/** The event in words: `emailsReplied of Q3 launch (cam_000001)`. */
export function eventText({ type, campaign, campaignName, isFirst, isThirdParty }: TestedEvent): string {
  const of = campaign === null ? "" : ` of ${campaignName === null ? campaign : `${campaignName} (${campaign})`}`;
  return `${type}${of}${isThirdParty ? ", third-party reply" : ""}${isFirst ? "" : ", not the first one"}`;
}

/** All receivers of a test, first those that differ. */
export function describeReceivers({ receivers }: TestResult): readonly DescribedReceiver[] {
  return receivers.map(describeReceiver).toSorted((a, b) => Number(a.sign === " ") - Number(b.sign === " "));
}

const SHOWN_WEBHOOKS = 5;

function describeReceiver(receiver: ReceiverResult): DescribedReceiver {
  const { target, expected, delivered, webhooks, secret, meant } = receiver;
  const from =
    webhooks.length === 0 || (webhooks.length === 1 && webhooks[0] === target)
      ? ""
      : ` from ${firstFew(webhooks, SHOWN_WEBHOOKS)}`;
  if (isMet(receiver)) return { sign: " ", text: `${target}: ${countOf(delivered, "delivery", "deliveries")}${from}` };
  const got = delivered === 0 ? "none" : `${String(delivered)}${from}`;
  if (expected !== delivered) {
    const text =
      expected === 0
        ? `${target}: expected none, got ${got}`
        : `${target}: expected ${countOf(expected, "delivery", "deliveries")}, got ${got}`;
    return { sign: delivered < expected ? "-" : "+", text: meant === null ? text : `${text}. Did you mean ${meant}?` };
  }
  const others = (secret?.found ?? []).map(({ address, secret: other }) => `${address} has ${other}`);
  return { sign: "~", text: `${target}: expected ${secret?.expected ?? ""}, but ${firstFew(others, SHOWN_WEBHOOKS)}` };
}

/** `1 passed, 2 failed`, and how many tests could not run. */
export function testsSummary({ files }: TestReport): string {
  const { pass, fail, error } = countTests(files);
  return `${String(pass)} passed, ${String(fail)} failed${error === 0 ? "" : `, ${String(error)} could not run`}`;
}

export function hasPassed({ files }: TestReport): boolean {
  return files.every(({ status }) => status === "pass");
}
