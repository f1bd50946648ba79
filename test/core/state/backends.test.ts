import { describe, expect, test } from "vitest";
import { BACKEND_NAMES, type StatePlace, chooseStore } from "../../../src/core/state/backends.ts";
import { configSchema } from "../../../src/frontends/yaml/configuration-form.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { virtualClock } from "../virtual-clock.ts";
import { memoryFiles } from "./memory-files.ts";
import { countingRandom, processOf, storePorts } from "./state-fixtures.ts";

const PORTS = storePorts({
  files: memoryFiles(),
  clock: virtualClock(),
  random: countingRandom(),
  process: processOf(),
});

describe("the store of a state", () => {
  test.each<readonly [string, StatePlace]>([
    ["a path", { named: "states/s.json" }],
    ["the backend local", { backend: "local", settings: { path: "states/s.json" } }],
  ])("is a file for %s", async (_, place) => {
    const { value: open, diagnostics } = chooseStore(place, {});
    expect(diagnostics).toEqual([]);
    expect((await open?.(PORTS))?.name).toBe("states/s.json");
  });

  test.each(["./a:b.json", "/srv/a:b", "a b.json", "C:\\states\\s.json", "://x", "./a password=b.json", "localhost=1"])(
    "is a file for %s, which is no URL",
    async (named) => {
      expect((await chooseStore({ named }, {}).value?.(PORTS))?.name).toBe(named);
    },
  );

  test.each([
    ["mysql://ada:hunt/hunter2@db/states", "mysql://db/states is a URL, and no state backend is for mysql: URLs."],
    ["mysql://db/states?password=hunter2", "mysql://db/states is a URL, and no state backend is for mysql: URLs."],
    [
      "ftp://state.example.com/prod#hunter2",
      "ftp://state.example.com/prod is a URL, and no state backend is for ftp: URLs.",
    ],
    ["mysql://db/states?name=a", "no state backend is for mysql: URLs."],
    ["FTP:/state", "no state backend is for ftp: URLs."],
    ["file:///srv/s.json", "no state backend is for file: URLs."],
  ])("is refused for %s, which is never taken for a path", (named, detail) => {
    for (const path of [undefined, ["path"]]) {
      const { value, diagnostics } = chooseStore(
        path ? { backend: "local", settings: { path: named } } : { named },
        {},
      );
      expect(value).toBeNull();
      expect(diagnostics).toMatchObject([
        {
          code: "state_backend_unknown",
          detail: expect.stringContaining(`This version has: ${BACKEND_NAMES.join(", ")}.`) as string,
        },
      ]);
      expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
      if (path) expect(diagnostics[0]?.path).toEqual(path);
      else expect(diagnostics[0]?.detail).toContain(detail);
    }
  });

  test.each(["host=db dbname=states password=hunter2", "port=5432 user=ada password = 'hunter2'"])(
    "is refused for PostgreSQL's keywords %s",
    (named) => {
      const { value, diagnostics } = chooseStore({ named }, {});
      expect(value).toBeNull();
      expect(diagnostics).toMatchObject([
        { code: "state_backend_unknown", detail: expect.stringContaining("Write postgres://USER:PASSWORD@") as string },
      ]);
      expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
    },
  );

  test("is refused for a backend that does not exist, naming those that do", () => {
    expect(chooseStore({ backend: "consul", settings: {} }, {}).diagnostics).toMatchObject([
      {
        code: "state_backend_unknown",
        detail: `There is no state backend consul. This version has: ${BACKEND_NAMES.join(", ")}.`,
        path: ["backend"],
      },
    ]);
  });

  test("has the backends that the configuration's schema has", () => {
    const { state } = configSchema(catalog)["properties"] as {
      readonly state: { readonly properties: { readonly backend: object } };
    };
    const { backend } = state.properties;
    expect("enum" in backend && backend.enum).toEqual(BACKEND_NAMES);
  });

  test.each<readonly [string, StatePlace, object]>([
    [
      "a setting that no backend has",
      { backend: "local", settings: { path: "s.json", mode: "x" } },
      {
        code: "state_setting_unknown",
        detail: "The state backend local has no setting mode.",
        hint: "It has: path.",
        path: ["mode"],
      },
    ],
    [
      "a setting of another backend",
      { backend: "local", settings: { path: "s.json", kms_key_id: "x" } },
      { code: "state_setting_unknown", hint: "It has: path. To use s3, set state.backend: s3.", path: ["kms_key_id"] },
    ],
    [
      "a setting of another kind",
      { backend: "local", settings: { path: true } },
      { code: "state_setting_invalid", path: ["path"] },
    ],
  ])("is refused for %s", (_, place, problem) => {
    expect(chooseStore(place, {})).toMatchObject({ value: null, diagnostics: [{ severity: "error", ...problem }] });
  });
});
