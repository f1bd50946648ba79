import { expect, test } from "vitest";
import { useProjects } from "../project.ts";

const openProject = useProjects();

/** The same letters, in one code point each and as a Mac types them. */
const WRITINGS = ["NFC", "NFD"] as const;
const NAME = "Réponses à 3 mois";

const configuration = (data: string): string =>
  `version: 1\ndata:\n${data}outputs:\n  ids: "\${data.outreach_campaigns.all.ids}"\n  one: "\${data.outreach_campaign.one.id}"\n`;

test.each(WRITINGS.flatMap((live) => WRITINGS.map((typed) => ({ live, typed }))))(
  "a campaign in $live is found by a name, a label and a pattern in $typed",
  async ({ live, typed }) => {
    const project = await openProject();
    const _id = "cam_mac";
    project.sandbox.add("campaigns", { _id, name: NAME.normalize(live), labels: ["été".normalize(live)] });
    const [name, label, pattern] = [NAME, "été", "^Réponses?"].map((text) => text.normalize(typed));
    project.write(
      "outreach.yaml",
      configuration(
        `  campaign: { one: { name: "${name}" } }\n  campaigns: { all: { labels: ["${label}"], name_regex: "${pattern}" } }\n`,
      ),
    );
    const { code, err } = await project.run("apply --auto-approve");
    expect(code, err).toBe(0);
    expect(JSON.parse((await project.run("output --json")).out)).toMatchObject({
      ids: { value: [_id] },
      one: { value: _id },
    });
  },
);

test("a name with a typo is suggested however it is written, and a no-break space is shown", async () => {
  const project = await openProject();
  project.sandbox.add("campaigns", { _id: "cam_mac", name: "Réponses\u00a0d'été".normalize("NFD") });
  for (const [typed, wanted] of [
    ["Réponses d'été", `"Réponses d'été"`],
    ["Réponses\u202fd'été", String.raw`"Réponses\u202fd'été"`],
  ] as const) {
    project.write(
      "outreach.yaml",
      configuration(`  campaign: { one: { name: "${typed}" } }\n  campaigns: { all: {} }\n`),
    );
    const { code, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(err).toContain(`campaigns has the name ${wanted}.\n`);
    expect(err.normalize("NFC")).toContain(String.raw`Did you mean "Réponses\u00a0d'été"?`);
  }
});
