import { CONTROL_ROUTES } from "../sandbox/control-api.ts";
import type { Schema } from "../sandbox/schema.ts";
import { EVENT_REQUEST_SCHEMA } from "../sandbox/events/event-request.ts";
import { FAULT_SCHEMA } from "../sandbox/faults.ts";
import { LISTED_FIELD_WORDS, PROFILE_WORDS } from "../sandbox/list-profile.ts";
import { PROFILE_NAMES } from "../sandbox/profiles.ts";
import { DEFAULT_SETTINGS, SETTINGS_SCHEMA } from "../sandbox/sandbox-settings.ts";
import { code, fillTemplate, markdownTable, sentence } from "./markdown.ts";

/** The sandbox's control API, requests for events, list profiles, settings and faults as a page of the docs. */
export function sandboxReference(): string {
  const profiles = [...Object.entries(PROFILE_NAMES).map(([word, meaning]) => ({ word, meaning })), ...PROFILE_WORDS];
  const fields = Object.entries(EVENT_REQUEST_SCHEMA.properties ?? {});
  return fillTemplate("sandbox", {
    control: markdownTable(
      ["Request", "Effect"],
      CONTROL_ROUTES.map(({ route, does }) => [code(route), sentence(does)]),
    ),
    events: markdownTable(
      ["Field", "Values", "Meaning"],
      fields.map(([name, schema]) => [code(name), values(schema), sentence(schema.description ?? "")]),
    ),
    "field words": LISTED_FIELD_WORDS.map(code).join(", "),
    profiles: markdownTable(
      ["Word", "Meaning"],
      profiles.map(({ word, meaning }) => [code(word), sentence(meaning)]),
    ),
    settings: markdownTable(
      ["Setting", "Values", "Default", "Meaning"],
      settingRows(SETTINGS_SCHEMA, [], DEFAULT_SETTINGS),
    ),
    faults: markdownTable(["Field", "Values", "Meaning"], faultRows()),
  });
}

function settingRows(schema: Schema, path: readonly string[], value: unknown): readonly (readonly string[])[] {
  const names = schema.properties && Object.entries(schema.properties);
  if (!names)
    return [
      [
        code(path.join(".")),
        values(schema),
        code(JSON.stringify(value)),
        sentence(schema.description ?? path.at(-1) ?? ""),
      ],
    ];
  // Settings of one kind share their values.
  const [first] = names;
  if (first && names.length > 1 && names.every(([, one]) => one === first[1])) {
    const kinds = names.map(([name]) => code(name)).join(", ");
    return [[code(`${path.join(".")}.NAME`), values(first[1]), "", sentence(`${schema.description ?? ""}: ${kinds}`)]];
  }
  return names.flatMap(([name, inner]) =>
    settingRows(inner, [...path, name], (value as { readonly [name: string]: unknown } | null)?.[name]),
  );
}

/** What each field of a fault means. The schema has its values. */
const FAULT_FIELDS: { readonly [field: string]: string } = {
  "action.kind":
    "the effect: `drop` closes the connection without an answer, `reset` resets it during the answer, `answer` sends another answer, `html` sends a proxy's page, `truncate` ends the body early, `slow` sends the body in pieces, `late` delays processing or the answer",
  "action.afterBytes": "the bytes that still arrive, for `reset` and `truncate`; half of the body by default",
  "action.status": "the status, for `answer` and `html`",
  "action.headers": "headers to set, for `answer`; null removes one",
  "action.body": "the body, for `answer`",
  "action.bodyBase64": "a body that is not text, in Base64, for `answer`",
  "action.bytes": "the bytes in a piece, for `slow`; 1 by default",
  "action.pauseMs": "the pause between two pieces, for `slow`; 1,000 by default",
  "action.delayMs": "the delay, for `late`; 1,000 by default",
  when: "whether the fault strikes before the request is processed (the default), or after it took effect",
  times: "the number of requests that it affects; 1 by default, null for every request",
  skip: "the number of matching requests that pass first; 0 by default",
  probability: "the share of matching requests that it affects; 1 by default",
  method: "only requests with this method",
  path: "only this path below the base URL; `*` matches any text",
  operation: "only this operation",
  key: "only requests with this API key",
};

function faultRows(): readonly (readonly string[])[] {
  const { action, ...others } = FAULT_SCHEMA.properties ?? {};
  const fields = [
    ...Object.entries(action?.properties ?? {}).map(([name, one]) => [`action.${name}`, one] as const),
    ...Object.entries(others),
  ];
  return fields.map(([name, schema]) => {
    const meaning = FAULT_FIELDS[name];
    if (meaning === undefined) throw new Error(`the reference does not explain the field ${name} of a fault`);
    return [code(name), values(schema), sentence(meaning)];
  });
}

function values({ enum: choices, type, minimum, maximum }: Schema): string {
  if (choices) return choices.map((choice) => code(String(choice))).join(", ");
  const kinds = [type ?? []].flat().join(" or ");
  if (minimum === undefined) return kinds;
  return maximum === undefined
    ? `${kinds}, at least ${String(minimum)}`
    : `${kinds}, ${String(minimum)} to ${String(maximum)}`;
}
