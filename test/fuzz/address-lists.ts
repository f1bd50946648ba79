import * as fc from "fast-check";
import { readAddressList } from "../../src/frontends/yaml/address-list.ts";
import { readTeamList } from "../../src/frontends/yaml/team-list.ts";
import { TEXT, mutatedText } from "./arbitraries.ts";
import { diskWith, expectPrintable, expectSound, run } from "./product.ts";
import { target } from "./target.ts";

const LISTS = [
  "email\nada@example.com\ngrace@example.com\n",
  'name,Email,note\r\n"Ada, L.",ada@example.com,"a ""b"""\r\nGrace,grace@example.com,\r\n',
  "ada@example.com\n\ngrace@example.com",
  `email\n${Array.from({ length: 200 }, (_, index) => `lead-${String(index)}@example.com`).join("\n")}`,
  '"',
  'email\n"'.concat("\n".repeat(3000)),
  ",".repeat(5000),
];
const LIST = fc.oneof(
  { weight: 5, arbitrary: mutatedText(LISTS, [",", '"', '""', "\r", "\n", ";", "\t", "\u{feff}", "email", "@"]) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.array(TEXT, { maxLength: 4 }), { maxLength: 5 })
      .map((rows) => rows.map((row) => row.join(",")).join("\n")),
  },
);
const asBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const ADDRESS_LISTS = target({
  name: "address-lists",
  share: 12,
  cases: fc.oneof(
    { weight: 9, arbitrary: LIST.map(asBytes) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  ),
  run: (bytes) => {
    const { mistakes } = readAddressList(bytes);
    for (const { detail, hint } of mistakes) expectPrintable(detail + hint);
    return mistakes.length === 0;
  },
});

const TEAM_LISTS = [
  "team,crm\nacme,a.example.com\nbirch,\n",
  'Name;CRM Host;api_key\r\n"acme";"a ""b""";x\r\n',
  "team,team,base_url\n",
];

export const LISTS_OF_TEAMS = target({
  name: "team-lists",
  share: 4,
  cases: mutatedText(
    [...TEAM_LISTS, ...LISTS],
    [",", '"', '""', "\r", "\n", ";", "\t", "\u{feff}", "team", "name", "crm"],
  ).map(asBytes),
  run: (bytes) => {
    const { mistakes } = readTeamList(bytes, { variables: ["crm", "crm_host"] });
    for (const { detail, hint } of mistakes) expectPrintable(detail + hint);
    return mistakes.length === 0;
  },
});

const CONFIGURATION = "version: 1\nlead_unsubscriptions:\n  a: { campaign_id: cam_1, emails_from: list.csv }\n";

export const PRINTED_LISTS = target({
  name: "printed-address-lists",
  share: 2,
  cases: LIST,
  run: async (list) => {
    const disk = await diskWith({ "outreach.yaml": CONFIGURATION, "list.csv": list });
    return expectSound(await run(disk, ["validate", "--show-emails"]));
  },
});
