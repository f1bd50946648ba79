import { describe, expect, it } from "vitest";
import type { WayOut } from "../../../../src/core/model/way-out.ts";
import { wayOutText } from "../../../../src/operations/messages/way-out-text.ts";

const YAML = { given: "", isStack: false };
const STACK = { given: "-c 'out/it'\\''s' ", isStack: true };
const at = { address: 'outreach_webhook.a["x"]', type: "outreach_webhook" };

describe("ways out of a diagnostic", () => {
  const cases: readonly (readonly [
    what: string,
    ways: readonly WayOut[],
    yaml: string | null,
    stack: string | null,
  ])[] = [
    ["none", [], null, null],
    [
      "an undecided write",
      [
        { kind: "adopt", address: at.address, id: "hoo_1" },
        { kind: "retry", ...at },
        { kind: "forget", address: at.address },
      ],
      `Adopt it:  outreach resolve 'outreach_webhook.a["x"]' --adopt hoo_1
Retry:     outreach resolve 'outreach_webhook.a["x"]' --retry
Forget it: outreach resolve 'outreach_webhook.a["x"]' --forget`,
      `Adopt it:  outreach resolve -c 'out/it'\\''s' 'outreach_webhook.a["x"]' --adopt hoo_1
Retry:     outreach resolve -c 'out/it'\\''s' 'outreach_webhook.a["x"]' --retry
Forget it: outreach resolve -c 'out/it'\\''s' 'outreach_webhook.a["x"]' --forget`,
    ],
    [
      "a look at the live objects",
      [{ kind: "list-live" }, { kind: "choose-state" }],
      "List the live webhooks: outreach get webhooks\nName another state with -c PATH or --state PATH.",
      "List the live webhooks: outreach get webhooks -c 'out/it'\\''s'\nName another state with -c PATH or --state PATH.",
    ],
    [
      "a lock of another place than the configured one",
      [{ kind: "unlock", id: "id-1", state: "s3://states/it's" }],
      "If that run is certainly over, remove its lock: outreach force-unlock --state 's3://states/it'\\''s' id-1",
      "If that run is certainly over, remove its lock: outreach force-unlock -c 'out/it'\\''s' --state 's3://states/it'\\''s' id-1",
    ],
    [
      "a replace that nothing asks for",
      [{ kind: "replace", ...at }],
      `To be sure, replace it: outreach apply --replace 'outreach_webhook.a["x"]'`,
      `To be sure, replace it: outreach apply -c 'out/it'\\''s' --replace 'outreach_webhook.a["x"]'`,
    ],
    [
      "an import",
      [{ kind: "import", ...at, ids: ["hoo_1"] }],
      `Import it: outreach import 'outreach_webhook.a["x"]' hoo_1`,
      `Import it: outreach import -c 'out/it'\\''s' 'outreach_webhook.a["x"]' hoo_1
Or add to the stack: this.addOverride("import", [{ to: "outreach_webhook.a[\\"x\\"]", id: "hoo_1" }])`,
    ],
    [
      "an import of a whole construct",
      [{ kind: "import", address: "outreach_webhook.a", type: "outreach_webhook", ids: ["hoo_1"] }],
      "Import it: outreach import outreach_webhook.a hoo_1",
      `Import it: outreach import -c 'out/it'\\''s' outreach_webhook.a hoo_1
Or call .importFrom("hoo_1") on the construct of outreach_webhook.a.`,
    ],
    [
      "an import of one of several",
      [{ kind: "import", address: "outreach_webhook.a", type: "outreach_webhook", ids: ["hoo_1", "hoo_2"] }],
      "Import one of them: outreach import outreach_webhook.a ID",
      "Import one of them: outreach import -c 'out/it'\\''s' outreach_webhook.a ID\nOr call .importFrom(ID) on the construct of outreach_webhook.a.",
    ],
    [
      "imports at addresses to be declared",
      [
        {
          kind: "import",
          address: "outreach_webhook.a-2",
          type: "outreach_webhook",
          ids: ["hoo_1"],
          isUndeclared: true,
        },
        {
          kind: "import",
          address: "outreach_webhook.a-3",
          type: "outreach_webhook",
          ids: ["hoo_2"],
          isUndeclared: true,
        },
        { kind: "remove-elsewhere" },
      ],
      `Declare it as outreach_webhook.a-2, and import it: outreach import outreach_webhook.a-2 hoo_1
Declare it as outreach_webhook.a-3, and import it: outreach import outreach_webhook.a-3 hoo_2
If another state manages it, remove it there first (\`state rm\`).`,
      `Declare it as outreach_webhook.a-2, and import it: outreach import -c 'out/it'\\''s' outreach_webhook.a-2 hoo_1
Declare it as outreach_webhook.a-3, and import it: outreach import -c 'out/it'\\''s' outreach_webhook.a-3 hoo_2
If another state manages it, remove it there first (\`state rm\`).`,
    ],
    [
      "a setting with a purpose",
      [
        {
          kind: "set-attribute",
          ...at,
          attribute: "on_not_found",
          value: "watch",
          purpose: "To look for the lead again",
        },
      ],
      "To look for the lead again, set on_not_found: watch in its block.",
      'To look for the lead again, set onNotFound: "watch" in its construct.',
    ],
    [
      "an import in place of a record",
      [{ kind: "import", ...at, ids: ["hoo_1"], replacesRecord: true }],
      `Import it: outreach state rm 'outreach_webhook.a["x"]' && outreach import 'outreach_webhook.a["x"]' hoo_1`,
      `Import it: outreach state rm -c 'out/it'\\''s' 'outreach_webhook.a["x"]' && outreach import -c 'out/it'\\''s' 'outreach_webhook.a["x"]' hoo_1`,
    ],
    [
      "a guard with a limit, which a stack has not",
      [{ kind: "allow", guard: "irreversible", limit: "irreversible" }],
      "If this is intended, run again with --allow-unsubscribes, or raise limits.unsubscribe in the configuration.",
      "If this is intended, run again with --allow-unsubscribes.",
    ],
    [
      "a setting",
      [{ kind: "set-attribute", ...at, attribute: "protect", value: false }],
      "Set protect: false in its block.",
      "Set lifecycle: { preventDestroy: false } in its construct.",
    ],
    [
      "the order of a replace",
      [{ kind: "set-attribute", ...at, attribute: "rotation", value: "delete_first" }],
      "Set rotation: delete_first in its block.",
      "Set lifecycle: { createBeforeDestroy: false } in its construct.",
    ],
    [
      "a block that has moved",
      [{ kind: "declare-moved", from: "outreach_webhook.old", to: "outreach_webhook.new" }],
      "Or add to the configuration: moved: [{ from: outreach_webhook.old, to: outreach_webhook.new }]",
      'Or call .moveFromId("outreach_webhook.old") on the construct of outreach_webhook.new.',
    ],
    [
      "an instance that has moved",
      [{ kind: "declare-moved", from: "outreach_webhook.old", to: at.address }],
      'Or add to the configuration: moved: [{ from: outreach_webhook.old, to: outreach_webhook.a["x"] }]',
      'Or add to the stack: this.addOverride("moved", [{ from: "outreach_webhook.old", to: "outreach_webhook.a[\\"x\\"]" }])',
    ],
    [
      "duplicates",
      [{ kind: "allow-duplicate", addresses: [at.address, "outreach_webhook.b"] }],
      "To keep both, set allow_duplicate: true in both.",
      "To keep both, set allowDuplicate: true in both.",
    ],
    [
      "a variable",
      [{ kind: "set-variable", name: "stage", sensitive: false }],
      "Pass --var stage=VALUE, or set OUTREACH_VAR_stage.",
      "Pass --var stage=VALUE, or set TF_VAR_stage or OUTREACH_VAR_stage.",
    ],
    [
      "a sensitive variable, never on a command line",
      [{ kind: "set-variable", name: "key", sensitive: true }],
      "Set OUTREACH_VAR_key.",
      "Set TF_VAR_key or OUTREACH_VAR_key.",
    ],
    [
      "a stack that only Terraform runs",
      [{ kind: "use-terraform" }],
      null,
      "Run this stack with Terraform and the outreach provider; it declares the same webhooks.",
    ],
    [
      "an address that is not known",
      [{ kind: "forget", address: null }],
      "Forget it: outreach resolve ADDR --forget",
      "Forget it: outreach resolve -c 'out/it'\\''s' ADDR --forget",
    ],
  ];
  it.each(cases)("%s", (_, ways, yaml, stack) => {
    expect([wayOutText(ways, YAML), wayOutText(ways, STACK)]).toEqual([yaml, stack]);
  });
});
