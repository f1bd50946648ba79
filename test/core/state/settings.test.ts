import { describe, expect, test } from "vitest";
import { type BackendSetting, defineBackend, type StateSettings } from "../../../src/core/state/backend.ts";
import { STATE_BACKENDS } from "../../../src/core/state/backends.ts";
import { readSettings, secretSource } from "../../../src/core/state/settings.ts";

const DRAWER = defineBackend({
  name: "drawer",
  description: "",
  schemes: [],
  settings: {
    room: { kind: "text", description: "", environment: ["TOY_ROOM", "TOY_PLACE"] },
    open: { kind: "flag", description: "", default: true, environment: ["TOY_OPEN"] },
    depth: { kind: "count", description: "", environment: ["TOY_DEPTH"] },
    key: { kind: "secret", description: "", environment: ["TOY_KEY"] },
    labels: { kind: "texts", description: "" },
  },
  open: () => ({ value: null, diagnostics: [] }),
});

function read(settings: StateSettings, environment: { readonly [name: string]: string } = {}) {
  const { value, diagnostics } = readSettings(DRAWER, settings, { environment });
  return value && { ...value.values, from: value.origin("room"), diagnostics };
}

function problems(settings: StateSettings, environment: { readonly [name: string]: string } = {}) {
  const { value, diagnostics } = readSettings(DRAWER, settings, { environment, backends: STATE_BACKENDS });
  expect(value).toBeNull();
  return diagnostics;
}

const NONE = {
  room: null,
  open: true,
  depth: null,
  key: null,
  labels: [],
  from: { path: ["room"], from: "room" },
  diagnostics: [],
};

describe("the settings of a state", () => {
  test("have their defaults where nothing sets them", () => {
    expect(read({})).toEqual(NONE);
    expect(read({ room: null, open: null })).toEqual(NONE);
    expect(readSettings(DRAWER, {}, { environment: {} }).value?.isUrl).toBe(false);
    expect(readSettings(DRAWER, {}, { environment: {}, isUrl: true }).value?.isUrl).toBe(true);
  });

  test("are what the configuration says", () => {
    const labels = { size: "small", code: { env: "CODE" } };
    expect(read({ room: "attic", open: false, depth: 0, key: { file: "key" }, labels })).toEqual({
      ...NONE,
      room: "attic",
      open: false,
      depth: 0,
      key: { kind: "file", path: "key" },
      labels: [
        ["size", "small"],
        ["code", { kind: "env", name: "CODE" }],
      ],
    });
  });

  test("are what the environment says where the configuration says nothing, the first variable that is not empty", () => {
    const environment = { TOY_ROOM: "", TOY_PLACE: "attic", TOY_OPEN: "false", TOY_DEPTH: "7", TOY_KEY: "hush" };
    expect(read({}, environment)).toEqual({
      ...NONE,
      room: "attic",
      open: false,
      depth: 7,
      key: { kind: "env", name: "TOY_KEY" },
      from: { path: [], from: "TOY_PLACE" },
    });
    expect(read({}, { TOY_OPEN: "true" })).toMatchObject({ open: true });
    expect(read({ room: "cellar" }, environment)).toMatchObject({
      room: "cellar",
      from: { path: ["room"], from: "room" },
    });
  });

  test.each<readonly [StateSettings, string]>([
    [{ room: "" }, "It must be a non-empty string."],
    [{ room: 5 }, "It must be a non-empty string."],
    [{ room: "a\u0000" }, "It contains a control character."],
    [{ open: "yes" }, "It must be true or false."],
    [{ depth: -1 }, "It must be a whole number, 0 or more."],
    [{ depth: 1.5 }, "It must be a whole number, 0 or more."],
    [{ depth: "1" }, "It must be a whole number, 0 or more."],
    [{ key: "hush" }, "It is a secret, so a configuration only refers to it."],
    [{ labels: "small" }, "It must map names to strings, or to references to secrets."],
    [{ labels: ["small"] }, "It must map names to strings, or to references to secrets."],
    [{ labels: { size: 5 } }, "It must map names to strings, or to references to secrets."],
  ])("are refused as %j", (settings, why) => {
    const [name = ""] = Object.keys(settings);
    expect(problems(settings)).toMatchObject([
      { code: "state_setting_invalid", path: [name], detail: `${name} is not valid. ${why}` },
    ]);
  });

  test.each([
    ["TOY_DEPTH", "7.5"],
    ["TOY_DEPTH", "1234567890"],
    ["TOY_OPEN", "TRUE"],
    ["TOY_ROOM", "a\u0007"],
  ])("are refused as %s=%j, without a place in the configuration", (name, value) => {
    const [problem] = problems({}, { [name]: value });
    expect(problem?.detail).toMatch(new RegExp(`^${name} is not valid\\. `));
    expect(problem).not.toHaveProperty("path");
  });

  test("that do not exist, or are another backend's, are refused together with what is invalid", () => {
    expect(problems({ mode: "x", kms_key_id: "b", url: "u", open: 1 })).toMatchObject([
      {
        code: "state_setting_unknown",
        detail: "The state backend drawer has no setting mode.",
        hint: "It has: room, open, depth, key, labels.",
        path: ["mode"],
      },
      {
        detail: "The state backend drawer has no setting kms_key_id. It is a setting of s3.",
        hint: expect.stringContaining(" To use s3, set state.backend: s3.") as string,
      },
      { detail: "The state backend drawer has no setting url. It is a setting of pg." },
      { code: "state_setting_invalid", path: ["open"] },
    ]);
  });

  test("that are missing are named with their variables and an example", () => {
    const missing = (name: string, one: BackendSetting) =>
      readSettings({ name: "drawer", settings: { [name]: one } }, {}, { environment: {} }).diagnostics;
    const required = { isRequired: true } as const;
    expect(
      missing("room", {
        kind: "text",
        description: "",
        ...required,
        environment: ["TOY_ROOM", "TOY_PLACE"],
        examples: ["attic"],
      }),
    ).toMatchObject([
      {
        code: "state_setting_missing",
        detail: "The state backend drawer needs room, which is not set.",
        hint: "Set state.room, or TOY_ROOM, or TOY_PLACE. For example: room: attic",
      },
    ]);
    expect(missing("room", { kind: "text", description: "", ...required })).toMatchObject([
      { hint: "Set state.room." },
    ]);
    expect(missing("key", { kind: "secret", description: "", ...required, examples: ["hush"] })).toMatchObject([
      { hint: "Set state.key. For example: key: { env: NAME }" },
    ]);
  });
});

describe("a reference to a secret", () => {
  test.each<readonly [Parameters<typeof secretSource>[0], ReturnType<typeof secretSource>]>([
    [{ env: "_KEY9" }, { kind: "env", name: "_KEY9" }],
    [{ file: "a b" }, { kind: "file", path: "a b" }],
    [{ command: ["print", 5] }, { kind: "command", command: ["print", "5"] }],
    [{ value: "" }, { kind: "value", value: "" }],
    [{ env: "9KEY" }, null],
    [{ env: "A B" }, null],
    [{ env: 5 }, null],
    [{ file: "" }, null],
    [{ file: 5 }, null],
    [{ command: [] }, null],
    [{ command: "print" }, null],
    [{ value: 5 }, null],
    [{ env: "A", file: "b" }, null],
    [{}, null],
    [[], null],
    [null, null],
    ["A", null],
  ])("%j", (given, source) => {
    expect(secretSource(given)).toEqual(source);
  });
});
