import { expect, it } from "vitest";
import type { WayOut } from "../../../src/core/model/way-out.ts";
import { wayOutText } from "../../../src/frontends/terraform/wire/terraform-way-outs.ts";

const at = { address: null, type: "outreach_webhook" };

const cases: readonly (readonly [what: string, ways: readonly WayOut[], text: string | null])[] = [
  [
    "an import is a block to copy",
    [{ kind: "import", ...at, ids: ["hoo_1"] }],
    'Import it, with the address of this resource:\n\n  import {\n    to = outreach_webhook.NAME\n    id = "hoo_1"\n  }',
  ],
  [
    "a setting is an attribute",
    [{ kind: "set-attribute", ...at, attribute: "protect", value: false }],
    "Set protect = false.",
  ],
  [
    "a lock of the journal is removed",
    [{ kind: "unlock", id: "1" }],
    "If that run is certainly over, remove its lock: outreach force-unlock 1",
  ],
  [
    "an id of others is one word",
    [{ kind: "unlock", id: "1; ls" }],
    "If that run is certainly over, remove its lock: outreach force-unlock '1; ls'",
  ],
  [
    "creates of a run are released",
    [{ kind: "release-creates", id: "1" }],
    "If that run is certainly over, release its creates: outreach force-unlock 1",
  ],
  ["a retry is a replace", [{ kind: "retry", ...at }], "Send it again: terraform apply -replace=outreach_webhook.NAME"],
  [
    "what only the command has is left out",
    [
      { kind: "push-state", file: "errored.json" },
      { kind: "allow", guard: "deletes", limit: "delete" },
    ],
    null,
  ],
];

it.each(cases)("%s", (_, ways, text) => {
  expect(wayOutText(ways)).toBe(text);
});
