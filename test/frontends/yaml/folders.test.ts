import { describe, expect, test } from "vitest";
import { DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import { checkConfiguration } from "./check-configuration.ts";

const HOOK = "{ target_url: https://x.example.com/a";

/** What `-c conf` finds in these files below `conf`. */
async function checkFolder(files: { readonly [name: string]: string }, config = "conf") {
  const below = Object.fromEntries(Object.entries(files).map(([name, text]) => [`conf/${name}`, text]));
  try {
    const { loaded, diagnostics } = await checkConfiguration("", { config, files: below });
    const said = diagnostics.map(({ place, summary, detail }) => [
      `${place?.file ?? ""}:${String(place?.line)}:${String(place?.column)}`,
      summary,
      detail,
    ]);
    return { loaded, said, configuration: loaded.configuration };
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return error.diagnostics.map(({ detail, hint }) => [detail, hint]);
  }
}

async function sound(files: { readonly [name: string]: string }, config?: string) {
  const checked = await checkFolder(files, config);
  if (!("said" in checked)) throw new Error(JSON.stringify(checked));
  return checked;
}

describe("a folder of YAML files", () => {
  test("counts as one configuration: a block of one file refers to another's", async () => {
    const { said, loaded } = await sound({
      "data.yml": "version: 1\ndata: { campaign: { q3: { name: Q3 } } }\nvariables: { stage: { default: prod } }\n",
      "hooks.yaml": `version: 1\nwebhooks: { a: ${HOOK}-\${var.stage}", campaign: q3 } }\n`.replace("https", '"https'),
      "settings.yaml":
        "version: 1\nservice: { base_url: https://api.example.com }\nstate: { path: s.json }\nlimits: { delete: 5 }\noutputs: { id: '${data.outreach_campaign.q3.id}' }\n",
    });
    expect(said).toEqual([]);
    const { configuration } = loaded;
    expect(configuration.blocks.map(({ type, name }) => `${type}.${name}`)).toEqual([
      "outreach_webhook.a",
      "outreach_campaign.q3",
    ]);
    expect([
      configuration.folder,
      configuration.state.settings["path"],
      configuration.limits,
      configuration.outputs.map(({ name }) => name),
    ]).toEqual([
      expect.stringMatching(/^\/.*\/conf$/),
      { kind: "literal", value: "s.json" },
      { delete: { kind: "count", count: 5 } },
      ["id"],
    ]);
    const { declarations } = loaded.evaluate({
      known: new Map([["data.outreach_campaign.q3", { id: "cam_3" }]]),
      instances: [],
    });
    expect(declarations[0]?.attributes).toMatchObject({
      target_url: "https://x.example.com/a-prod",
      campaign_id: "cam_3",
    });
  });

  test.each(["conf/", "./conf", "conf/../conf"])("can be named as %s", async (config) => {
    const { said } = await sound({ "a.yaml": `version: 1\nwebhooks: { a: ${HOOK} } }\n` }, config);
    expect(said).toEqual([]);
  });

  test("is read in any case of the ending, without hidden files, other files and what lies deeper; configurations among those are named", async () => {
    const ours = (name: string): string => `version: 1\nwebhooks: { ${name}: ${HOOK.replace("/a", `/${name}`)} } }\n`;
    const { configuration, said } = await sound({
      "a.yaml": ours("a"),
      "b.YAML": ours("b"),
      "c.Yml": ours("c"),
      "c.json": "{}",
      ".b.yaml": "not: ours\n",
      "deeper/d.yaml": "not: ours\n",
      "node_modules/x/e.yaml": ours("e"),
      ".github/f.yaml": ours("f"),
      "lists/broken.yaml": "version: 1\ndata: {}\n",
    });
    expect(configuration.blocks).toHaveLength(3);
    expect(said).toEqual([]);
    const left = await sound({
      "a.yaml": ours("a"),
      ".off.yaml": ours("off"),
      "teams/b.yaml": ours("b"),
      "teams/eu/c.YML": ours("c"),
    });
    expect(left.said.map(([, ...one]) => one)).toEqual([
      [
        "Configuration not read",
        "-c conf reads the YAML files of that folder, and neither hidden files nor folders below it. Not read: conf/.off.yaml, conf/teams/b.yaml, conf/teams/eu/c.YML.",
      ],
    ]);
  });

  test("takes the files of addresses from below it", async () => {
    const { loaded } = await sound({
      "a.yaml": "version: 1\nlead_unsubscriptions: { a: { campaign_id: cam_1, emails_from: lists/x.csv } }\n",
      "lists/x.csv": "ada@example.com\n",
    });
    expect(loaded.evaluate({ known: new Map(), instances: [] }).declarations.map(({ address }) => address)).toEqual([
      'outreach_lead_unsubscription.a["ada@example.com"]',
    ]);
  });
});

describe("mistakes in a folder name the file", () => {
  test("each at its place, in one run", async () => {
    const { said } = await sound({
      "a.yaml": "version: 1\nwebhok: {}\n",
      "b.yaml": `version: 1\nwebhooks:\n  b: ${HOOK}, type: nope, campaign: q4 }\n`,
      "c.yaml": "webhooks: {}\n",
    });
    expect(said.map(([place, summary]) => [place, summary])).toEqual([
      ["conf/a.yaml:2:1", "Unknown key"],
      ["conf/c.yaml:1:1", "Invalid configuration"],
      ["conf/b.yaml:3:51", "Unknown event type"],
      ["conf/b.yaml:3:67", "Invalid reference"],
    ]);
  });

  test("a name that two files declare is reported with both places", async () => {
    const { said } = await sound({
      "a.yaml": `version: 1\nwebhooks:\n  crm: ${HOOK} }\ndata: { campaign: { q3: { name: a } } }\nvariables: { v: { default: 1 } }\noutputs: { o: 1 }\n`,
      "b.yaml": `version: 1\n\nwebhooks:\n    crm: ${HOOK}b }\ndata: { campaign: { q3: { name: a } } }\nvariables: { v: { default: 1 } }\noutputs: { o: 1 }\n`,
    });
    expect(said).toEqual([
      [
        "conf/b.yaml:4:5",
        "Declared in two files",
        "webhooks.crm is declared in conf/a.yaml:3:3 and in conf/b.yaml:4:5.",
      ],
      [
        "conf/b.yaml:5:21",
        "Declared in two files",
        "data.campaign.q3 is declared in conf/a.yaml:4:21 and in conf/b.yaml:5:21.",
      ],
      [
        "conf/b.yaml:6:14",
        "Declared in two files",
        "variables.v is declared in conf/a.yaml:5:14 and in conf/b.yaml:6:14.",
      ],
      [
        "conf/b.yaml:7:12",
        "Declared in two files",
        "outputs.o is declared in conf/a.yaml:6:12 and in conf/b.yaml:7:12.",
      ],
    ]);
  });

  test("settings stand in one file", async () => {
    const { said } = await sound({
      "a.yaml": "version: 1\nservice: { rate_share: 50% }\nstate: { path: a }\nlimits: { delete: 1 }\n",
      "b.yaml": "version: 1\nservice: { rate_share: 50% }\nstate: { path: a }\nlimits: { delete: 1 }\n",
    });
    expect(said.map(([place, , detail]) => [place, detail])).toEqual([
      ["conf/b.yaml:2:1", "service is given in conf/a.yaml:2:1 and in conf/b.yaml:2:1."],
      ["conf/b.yaml:3:1", "state is given in conf/a.yaml:3:1 and in conf/b.yaml:3:1."],
      ["conf/b.yaml:4:1", "limits is given in conf/a.yaml:4:1 and in conf/b.yaml:4:1."],
    ]);
  });

  test("a file that cannot be parsed, or is empty, is all that is said of what others refer to", async () => {
    const { said } = await sound({
      "a.yaml": "data: {\n",
      "b.yaml": `version: 1\nwebhooks: { b: ${HOOK}, campaign: q3, typ: x } }\n`,
      "c.yaml": "",
    });
    expect(said.map(([place, summary]) => [place, summary])).toEqual([
      [expect.stringMatching(/^conf\/a.yaml:/), "Invalid YAML"],
      ["conf/b.yaml:2:69", "Unknown key"],
      ["conf/c.yaml:undefined:undefined", "Empty configuration"],
    ]);
  });
});

describe("a folder without a configuration", () => {
  test("names the files that may be there", async () => {
    expect(await checkFolder({ "a.txt": "" })).toEqual([
      [
        "The folder conf contains neither cdk.tf.json, the file of a synthesized stack, nor a YAML file (*.yaml, *.yml).",
        "Name the configuration with -c PATH, or write a starter configuration: outreach init",
      ],
    ]);
  });

  test.each([
    ["an output folder", "stacks"],
    ["the folder of an application", "cdktf.out/stacks"],
  ])("but with stacks below it is asked about them: %s", async (_, place) => {
    expect(await checkFolder({ [`${place}/one/cdk.tf.json`]: "{}", [`${place}/two/cdk.tf.json`]: "{}" })).toEqual([
      [
        expect.any(String),
        `Plan one of them:\n  outreach plan -c conf/${place}/one\n  outreach plan -c conf/${place}/two`,
      ],
    ]);
  });
});
