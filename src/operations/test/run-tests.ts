import { blockOf } from "../../core/model/address.ts";
import type { Attribute } from "../../core/model/attribute.ts";
import type { Declaration } from "../../core/model/declaration.ts";
import { type Catalog, dataSourceOf, resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, type Place, errorOf, hasErrors, nearest, warningOf } from "../../core/model/diagnostic.ts";
import { parseUrl } from "../../core/model/parse-url.ts";
import type { Attributes } from "../../core/model/value.ts";
import type { GivenReceiver, GivenTest, TestFile } from "../../frontends/yaml/tests/read-tests.ts";
import {
  type DeclaredWebhook,
  deliveriesOf,
  hasCampaign,
  selectionOf,
  unknownSelector,
} from "../../service/deliveries/deliveries.ts";
import { type Expectation, compareReceivers, isMet, overlaps } from "../../service/deliveries/expectations.ts";
import type { TestResult, TestedEvent, TestedFile } from "../../service/deliveries/test-report.ts";
import type { OfflineEvaluation } from "./evaluate-offline.ts";

const WEBHOOK = "outreach_webhook";

/** What the tests of one file are about. */
interface Subject {
  readonly catalog: Catalog;
  readonly webhooks: readonly DeclaredWebhook[];
  /** The ids of campaigns by what a test may call them: id, name, or name under data.campaign. */
  readonly campaigns: ReadonlyMap<string, ReadonlySet<string>>;
  readonly names: ReadonlyMap<string, string>;
  readonly file: string;
}

/** Runs the tests of one file. Pure. */
export function runTests(test: TestFile, evaluation: OfflineEvaluation, catalog: Catalog): TestedFile {
  const declared = evaluation.declarations.filter(({ type }) => type === WEBHOOK);
  const mistakes = [
    ...evaluation.diagnostics.filter(({ severity }) => severity === "error"),
    ...checkCampaigns(test, catalog),
    ...declared.flatMap(unknownValue),
  ];
  if (mistakes.length > 0) return failedFile(test, mistakes);
  const webhooks = declared.flatMap((declaration) => webhookOf(declaration));
  const subject: Subject = {
    catalog,
    webhooks,
    campaigns: campaignNames(test, webhooks, evaluation.known),
    names: new Map(test.campaigns.map(({ id, name }) => [id, name])),
    file: test.file,
  };
  const ran = test.tests.map((one) => runTest(one, subject));
  const tests = ran.map(({ result }) => result);
  const status = (["error", "fail"] as const).find((some) => tests.some((one) => one.status === some)) ?? "pass";
  return { file: test.file, status, tests, diagnostics: ran.flatMap(({ diagnostics }) => diagnostics) };
}

/** A file whose tests cannot run. */
export function failedFile({ file, tests }: TestFile, diagnostics: readonly Diagnostic[]): TestedFile {
  return { file, status: "error", tests: tests.map(({ name, place }) => notRun(name, place)), diagnostics };
}

function notRun(name: string, place: Place): TestResult {
  return { name, status: "error", event: null, receivers: [], place };
}

function webhookOf({ address, attributes, secrets }: Declaration): readonly DeclaredWebhook[] {
  const selection = selectionOf(attributes);
  return selection ? [{ ...selection, address, secret: secrets["secret"] ?? null }] : [];
}

/** Without the value, nobody can tell what the webhook receives: a test would pass by chance. */
function unknownValue({ address, attributes, locate }: Declaration): readonly Diagnostic[] {
  const name = unknownSelector(attributes);
  if (name === null) return [];
  return [
    errorOf("test_value_unknown", "A value that tests do not have", {
      detail: `${name} depends on a value that is known only from the service. Tests know what their file says of campaigns, and nothing else of the service.`,
      hint: "Make it a variable, and set it under variables in the test file.",
      address,
      path: [name],
      place: locate([name]),
    }),
  ];
}

function checkCampaigns({ campaigns }: TestFile, catalog: Catalog): readonly Diagnostic[] {
  const { id: attribute } = dataSourceOf(catalog, "outreach_campaign").schema;
  const problems = campaigns.flatMap(({ id, place }) => problemOf(attribute, id, place));
  const doubled = campaigns.filter(({ id }, index) => campaigns.findIndex((other) => other.id === id) < index);
  return [
    ...problems,
    ...doubled.map(({ id, place }) =>
      errorOf("test_campaign_twice", "Campaign listed twice", {
        detail: `${id} is the id of two campaigns.`,
        hint: "Give each its own id.",
        place,
      }),
    ),
  ];
}

function problemOf(attribute: Attribute | undefined, value: string, place: Place): readonly Diagnostic[] {
  const problem = attribute?.check?.(value);
  return problem ? [{ severity: "error", ...problem, place }] : [];
}

function campaignNames(
  { campaigns }: TestFile,
  webhooks: readonly DeclaredWebhook[],
  known: ReadonlyMap<string, Attributes>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  const add = (name: string, id: string): void => {
    names.set(name, (names.get(name) ?? new Set()).add(id));
  };
  for (const { id, name } of campaigns) for (const one of [id, name]) add(one, id);
  for (const { campaign } of webhooks) if (campaign !== null) add(campaign, campaign);
  for (const [address, { id }] of known) {
    const [, name] = /^data\.outreach_campaign\.([^.[]+)$/.exec(address) ?? [];
    if (name !== undefined && typeof id === "string") add(name, id);
  }
  return names;
}

function runTest(
  test: GivenTest,
  subject: Subject,
): { readonly result: TestResult; readonly diagnostics: readonly Diagnostic[] } {
  const { event, diagnostics: ofEvent } = eventOf(test, subject);
  const { expected, diagnostics: ofReceivers } = expectationsOf(test.receives, subject);
  const diagnostics = [...ofEvent, ...ofReceivers];
  if (hasErrors(diagnostics)) return { result: notRun(test.name, test.place), diagnostics };
  const receivers = compareReceivers(expected, {
    deliveries: deliveriesOf(subject.webhooks, event),
    declared: subject.webhooks,
  });
  const status = receivers.every(isMet) ? "pass" : "fail";
  return { result: { name: test.name, status, event, receivers, place: test.place }, diagnostics };
}

function eventOf(
  { event, locate }: GivenTest,
  subject: Subject,
): { readonly event: TestedEvent; readonly diagnostics: readonly Diagnostic[] } {
  const { type, campaign: written, isFirst, isThirdParty } = event;
  const { type: attribute } = resourceOf(subject.catalog, WEBHOOK).schema;
  const diagnostics = [...problemOf(attribute, type, locate("type"))];
  if (isThirdParty && type !== "emailsReplied")
    diagnostics.push(
      errorOf("test_event_invalid", "No third-party reply", {
        detail: `Only emailsReplied has third-party replies, not ${type}.`,
        hint: "Remove third_party.",
        place: locate("third_party"),
      }),
    );
  if (isThirdParty && written !== null)
    diagnostics.push(
      errorOf("test_event_invalid", "A third-party reply with a campaign", {
        detail: "A third-party reply has no campaign: the service leaves campaignId out of it.",
        hint: "Remove campaign.",
        place: locate("campaign"),
      }),
    );
  const found = written === null ? null : campaignOf(written, subject, locate("campaign"));
  if (found?.problem) diagnostics.push(found.problem);
  const id = found?.id ?? null;
  if (id !== null && !hasErrors(diagnostics) && !hasCampaign(type))
    diagnostics.push(
      warningOf("test_event_campaign", "An event without a campaign", {
        detail: `In our reading, ${type} events have no campaign, so a webhook for one campaign may never get them. The service's documentation does not say.`,
        hint: "Remove campaign, and let webhooks for all campaigns receive them.",
        place: locate("campaign"),
      }),
    );
  return {
    event: { type, campaign: id, isFirst, campaignName: (id !== null && subject.names.get(id)) || null, isThirdParty },
    diagnostics,
  };
}

function campaignOf(
  written: string,
  { campaigns, file }: Subject,
  place: Place,
): { readonly id: string | null; readonly problem?: Diagnostic } {
  const ids = [...(campaigns.get(written) ?? [])];
  const [id = null] = ids;
  if (ids.length === 1) return { id };
  const meant = nearest(written, [...campaigns.keys()]);
  const problem =
    id === null
      ? errorOf("test_campaign_unknown", "Unknown campaign", {
          detail: `Neither ${file} nor a webhook has a campaign ${JSON.stringify(written)}.`,
          hint:
            meant === null
              ? `Add it to campaigns in ${file}, as in - { id: cam_000001, name: Q3 launch }`
              : `Did you mean ${meant}?`,
          place,
        })
      : errorOf("test_campaign_ambiguous", "Several campaigns", {
          detail: `${JSON.stringify(written)} names ${ids.join(" and ")}.`,
          hint: "Write the id.",
          place,
        });
  return { id: null, problem };
}

function expectationsOf(receives: readonly GivenReceiver[], subject: Subject) {
  const diagnostics: Diagnostic[] = [];
  const expected: Expectation[] = [];
  for (const { target, count, secret, place } of receives) {
    const problem = target === null ? TARGET_MISSING : targetProblem(target, expected, subject);
    if (problem) diagnostics.push({ ...problem, place });
    if (target !== null) expected.push({ target, count, secret });
  }
  return { expected, diagnostics };
}

const TARGET_MISSING = errorOf("test_receiver_invalid", "A receiver without its target", {
  detail: "A receiver has exactly one of url and webhook.",
  hint: "Write a URL or an address, as in https://crm.example.com/replies or outreach_webhook.crm.",
});

function targetProblem(
  target: Expectation["target"],
  expected: readonly Expectation[],
  { webhooks }: Pick<Subject, "webhooks">,
): Diagnostic | null {
  const { kind, text } = target;
  if (text.includes("${"))
    return errorOf("test_receiver_invalid", "An expression in a test", {
      detail: `${text} is an expression, and test files have none.`,
      hint: "Write the value that you expect.",
    });
  const listed = expected.find((one) => overlaps(one, { target }, webhooks))?.target.text;
  if (listed !== undefined)
    return errorOf("test_receiver_twice", "Receiver listed twice", {
      detail:
        listed === text
          ? `${text} is listed twice.`
          : `${text} and ${listed} stand for the same delivery, which would count twice.`,
      hint: "Keep one, and write count: 2 if it gets the event twice.",
    });
  if (kind === "url")
    return parseUrl(text)
      ? null
      : errorOf("test_receiver_invalid", "Not a URL", {
          detail: `${text} is not a URL.`,
          hint: "Write it as in target_url.",
        });
  const addresses = [...new Set(webhooks.flatMap(({ address }) => [address, blockOf(address)]))];
  if (addresses.includes(text)) return null;
  const full = `${WEBHOOK}.${text}`;
  const meant = addresses.includes(full) ? full : nearest(text, addresses);
  return errorOf("test_webhook_unknown", "Unknown webhook", {
    detail: `The configuration declares no webhook ${text}.`,
    hint: meant === null ? "Write an address of the configuration, or a URL." : `Did you mean ${meant}?`,
  });
}
