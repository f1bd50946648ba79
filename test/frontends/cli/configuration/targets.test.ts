import { describe, expect, test } from "vitest";
import { useProjects } from "../project.ts";

const openProject = useProjects();

const TWO = `version: 1
webhooks:
  a: { target_url: 'https://a.example.com' }
  audit: { target_url: 'https://audit.example.com', types: [emailsSent, emailsBounced] }
`;
const TARGETING =
  "Warning: Resource targeting is in effect [targeted]\n\nThe plan includes only the targets: the result may not be everything that the configuration declares.\n";

describe("--target", () => {
  test("plans one address, or a block with all its instances, and says that it is not everything", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    const one = await project.run("plan '--target=outreach_webhook.audit[\"emailsSent\"]'");
    expect([one.code, one.out.match(/^ {2}# .*/gm)]).toEqual([
      0,
      ['  # outreach_webhook.audit["emailsSent"] will be created'],
    ]);
    expect(one.err).toContain(TARGETING);
    const block = await project.run("apply --auto-approve -target outreach_webhook.audit");
    expect([block.code, block.sent]).toEqual([
      0,
      ["GET /hooks 200", "POST /hooks 200", "POST /hooks 200", "GET /hooks 200"],
    ]);
    const rest = await project.run("plan -target=outreach_webhook.a -target=outreach_webhook.audit");
    expect(rest.out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
  });

  test("leaves alone what it does not name, also when that is missing or no longer declared", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("apply --auto-approve");
    const [a] = project.sandbox.webhooks().filter(({ targetUrl }) => targetUrl === "https://a.example.com");
    project.sandbox.remove("webhooks", a?._id ?? "");
    project.write("outreach.yaml", TWO.replace(/ {2}audit.*\n/, ""));
    const { code, sent } = await project.run("apply --auto-approve '--target=outreach_webhook.audit[\"emailsSent\"]'");
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([
      0,
      [expect.stringMatching(/^DELETE \/hooks\/hoo_\d+ 200$/)],
    ]);
    expect(
      (await project.run("destroy --auto-approve --target outreach_webhook.a")).sent.filter(
        (line) => !line.startsWith("GET"),
      ),
    ).toEqual([]);
    expect(project.sandbox.webhooks().map(({ type }) => type)).toEqual(["emailsBounced"]);
  });

  test.each([
    ["--target", "The target outreach_webhook.b is neither declared nor recorded"],
    ["--replace", "outreach_webhook.b cannot be replaced: it is not in the state"],
  ])("%s of an address that does not exist is an error", async (option, words) => {
    const project = await openProject();
    project.write("outreach.yaml", `${TWO}ignore: [shared_target_url]\n`);
    const { code, err, sent } = await project.run(`apply --auto-approve ${option} outreach_webhook.b`);
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(err).toContain(`Error: No such address [address_unknown]\n\n${words}.\n`);
    expect(err).not.toContain("Warning:");
  });
});

const changesOf = (out: string): readonly string[] => out.match(/^ {2}# .* (?:will|must) .*/gm) ?? [];

describe("--exclude", () => {
  test("plans everything but one address, or a block with all its instances, and says that it is not everything", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    const one = await project.run("plan '--exclude=outreach_webhook.audit[\"emailsSent\"]'");
    expect([one.code, changesOf(one.out)]).toEqual([
      0,
      ["  # outreach_webhook.a will be created", '  # outreach_webhook.audit["emailsBounced"] will be created'],
    ]);
    expect(one.err).toContain(
      "Warning: Resource targeting is in effect [targeted]\n\nThe plan leaves out the excluded addresses: the result may not be everything that the configuration declares.\nExclude addresses only until you can apply them again.\nAfterwards, plan everything: outreach plan\n",
    );
    const block = await project.run("apply --auto-approve -exclude outreach_webhook.audit");
    expect([block.code, block.out.match(/: Creation complete/g)?.length]).toEqual([0, 1]);
    expect(project.sandbox.webhooks().map(({ targetUrl }) => targetUrl)).toEqual(["https://a.example.com"]);
  });

  test("an excluded address is never created again, replaced, deleted, imported or forgotten", async () => {
    const project = await openProject();
    const declared = (names: readonly string[], path = "") =>
      `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: 'https://${name}.example.com${path}' }\n`).join("")}`;
    project.write("outreach.yaml", declared(["gone", "missing", "changed", "released", "kept"]));
    await project.run("apply --auto-approve");
    const before = await project.run("state pull");
    const [missing] = project.sandbox.webhooks().filter(({ targetUrl }) => targetUrl.includes("missing"));
    project.sandbox.remove("webhooks", missing?._id ?? "");
    project.sandbox.add("webhooks", { targetUrl: "https://imported.example.com", type: null, campaignId: null });
    const [imported] = project.sandbox.webhooks().filter(({ targetUrl }) => targetUrl.includes("imported"));
    project.write(
      "outreach.yaml",
      `${declared(["missing", "changed", "kept", "imported", "added"], "/new").replace("imported.example.com/new", "imported.example.com")}imports:\n  - { to: outreach_webhook.imported, id: ${imported?._id ?? ""} }\nremoved:\n  - { from: outreach_webhook.released, destroy: false }\n`,
    );
    const all = await project.run("plan --allow-deletes --allow-replaces --allow-recreate");
    expect(changesOf(all.out)).toHaveLength(7);
    const excluded = ["gone", "missing", "changed", "released", "imported", "added"]
      .map((name) => `--exclude outreach_webhook.${name}`)
      .join(" ");
    const applied = await project.run(`apply --auto-approve ${excluded}`);
    expect([applied.code, applied.out]).toEqual([
      0,
      expect.stringContaining("Apply complete! Resources: 1 added, 0 changed, 1 destroyed.") as string,
    ]);
    const recorded = (text: string) =>
      (JSON.parse(text) as { readonly instances: readonly { readonly address: string; readonly id: string }[] })
        .instances;
    const rest = (text: string) => recorded(text).filter(({ address }) => address !== "outreach_webhook.kept");
    expect(rest((await project.run("state pull")).out)).toEqual(rest(before.out));
    const destroyed = await project.run(
      `destroy --auto-approve ${excluded} --exclude outreach_webhook.kept --exclude outreach_webhook.added`,
    );
    expect([destroyed.code, destroyed.sent.filter((line) => !line.startsWith("GET"))]).toEqual([0, []]);
  });

  test.each(["--exclude outreach_webhook.old", "--target outreach_webhook.new"])(
    "%s: no two records get the same object",
    async (option) => {
      const project = await openProject();
      project.write("outreach.yaml", "version: 1\nwebhooks:\n  old: { target_url: 'https://a.example.com' }\n");
      await project.run("apply --auto-approve");
      const _id = project.sandbox.webhooks()[0]?._id ?? "";
      const before = (await project.run("state pull")).out;
      const renamed =
        "version: 1\nwebhooks:\n  new: { target_url: 'https://a.example.com' }\nremoved:\n  - { from: outreach_webhook.old, destroy: false }\n";
      project.write("outreach.yaml", `${renamed}imports:\n  - { to: outreach_webhook.new, id: ${_id} }\n`);
      expect(await project.run(`apply --auto-approve ${option}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${_id} is already managed, as outreach_webhook.old.`) as string,
      });
      project.write("outreach.yaml", renamed);
      expect(await project.run(`apply --auto-approve --adopt ${option}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining("outreach_webhook.old manages it, and the plan leaves that out.") as string,
      });
      expect((await project.run("state pull")).out).toBe(before);
      expect(project.sandbox.webhooks()).toHaveLength(1);
    },
  );

  test("wins over a target", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    const { out, err } = await project.run(
      "plan --target outreach_webhook.audit --exclude 'outreach_webhook.audit[\"emailsSent\"]'",
    );
    expect(changesOf(out)).toEqual(['  # outreach_webhook.audit["emailsBounced"] will be created']);
    expect(err).toContain("The plan includes only the targets, without the excluded addresses: ");
  });

  test("of a part of a move is refused, and of the whole block leaves the move for later", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("apply --auto-approve");
    project.write(
      "outreach.yaml",
      `${TWO.replace("audit:", "log:")}moved:\n  - { from: outreach_webhook.audit, to: outreach_webhook.log }\n`,
    );
    for (const part of ["log", "audit"]) {
      const { code, err } = await project.run(`plan '--exclude=outreach_webhook.${part}["emailsSent"]'`);
      expect(code, part).toBe(1);
      expect(err, part).toContain(
        "Error: Moved resource instances excluded by targeting [moves_excluded]\n\nThe exclusions leave only a part of a move.",
      );
      expect(err, part).toContain("Exclude the whole block: --exclude outreach_webhook.log. Or omit --exclude.\n");
    }
    for (const block of ["log", "audit"]) {
      const { code, out } = await project.run(`apply --auto-approve --exclude outreach_webhook.${block}`);
      expect([code, out], block).toEqual([
        0,
        expect.stringContaining("Resources: 0 added, 0 changed, 0 destroyed.") as string,
      ]);
    }
    expect((await project.run("state list")).out).toContain("outreach_webhook.audit");
    expect((await project.run("plan")).out).toContain(
      'outreach_webhook.audit["emailsSent"] has moved to outreach_webhook.log["emailsSent"]',
    );
  });

  test("a saved plan keeps it, and is no complete plan", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("plan --exclude outreach_webhook.audit --out half.plan");
    const shown = JSON.parse((await project.run("show --json half.plan")).out) as {
      readonly complete: boolean;
      readonly resource_changes: readonly unknown[];
    };
    expect([shown.complete, shown.resource_changes.length]).toEqual([false, 1]);
    const comment = (await project.run("show --format markdown half.plan")).out;
    expect(comment).toMatch(/^<!-- outreach-as-code: outreach\.yaml, exclude outreach_webhook\.audit -->/);
    expect(comment).toContain("### Plan for `outreach.yaml`, without `outreach_webhook.audit`\n");
    expect(comment).toContain("The plan leaves out the excluded addresses");
    expect((await project.run("apply half.plan")).code).toBe(0);
    expect(project.sandbox.webhooks()).toHaveLength(1);
    expect(await project.run("apply other.plan --exclude outreach_webhook.a")).toMatchObject({
      code: 1,
      err: expect.stringContaining("so --exclude cannot be passed to apply") as string,
    });
  });
});

describe("what an exclusion leaves out", () => {
  const FAN_OUT =
    "version: 1\nwebhooks:\n  s: { target_url: 'https://new.example.com', types: [emailsSent, emailsBounced] }\n";

  test("a block takes the instance that a new shape replaces", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\nwebhooks:\n  s: { target_url: 'https://s.example.com' }\n");
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", FAN_OUT);
    const { code, out } = await project.run("plan --exclude outreach_webhook.s");
    expect([code, changesOf(out)]).toEqual([0, []]);
    expect(out).toContain("Nothing was compared: the plan leaves out everything.");
    expect(out).not.toContain("match the configuration");
  });

  const KEYED = ["emailsSent", "emailsBounced"].map((type) => `--exclude 'outreach_webhook.s["${type}"]'`);
  const blockOf = (rest: string): string => `version: 1\nwebhooks:\n${rest}`;

  test.each([
    ["no key, then types", "  s: { target_url: 'https://s.example.com' }\n", FAN_OUT.slice(21), KEYED],
    [
      "no key, then types, one of which is equal",
      "  s: { target_url: 'https://s.example.com', type: emailsSent }\n",
      FAN_OUT.slice(21),
      KEYED,
    ],
    [
      "types, then types and campaigns",
      "  s: { target_url: 'https://s.example.com', types: [emailsSent] }\n",
      "  s: { target_url: 'https://new.example.com', types: [emailsSent], campaigns: [q3] }\n",
      ["--exclude 'outreach_webhook.s[\"emailsSent/cam_000001\"]'"],
    ],
    [
      "types, then campaigns",
      "  s: { target_url: 'https://s.example.com', types: [emailsSent] }\n",
      "  s: { target_url: 'https://s.example.com', campaigns: [q3] }\n",
      ["--exclude 'outreach_webhook.s[\"cam_000001\"]'"],
    ],
    [
      "another name",
      "  old: { target_url: 'https://s.example.com' }\n",
      "  s: { target_url: 'https://s.example.com' }\n",
      ["--exclude outreach_webhook.s"],
    ],
  ])("%s: keeps what an excluded address takes the place of", async (_name, before, after, excluded) => {
    const project = await openProject();
    project.write("outreach.yaml", blockOf(before));
    await project.run("apply --auto-approve");
    const live = project.sandbox.webhooks();
    const rest = "  t: { target_url: 'https://t.example.com' }\n";
    project.write("outreach.yaml", blockOf(`${after}${rest}data:\n  campaign: { q3: { name: Q3 launch } }\n`));
    // A destroy reads nothing, so it does not know the keys of campaigns.
    for (const command of after.includes("campaigns") ? ["apply"] : ["apply", "destroy"]) {
      const { code, out, err, sent } = await project.run(`${command} --auto-approve ${excluded.join(" ")}`);
      expect([code, sent.filter((line) => line.startsWith("DELETE")).length], `${out}${err}`).toEqual([
        0,
        command === "apply" ? 0 : 1,
      ]);
      expect(err).toContain("Note: Kept for an address that is left out [kept_for_excluded]");
      expect(project.sandbox.webhooks().filter(({ targetUrl }) => !targetUrl.includes("//t."))).toEqual(live);
    }
    expect((await project.run("plan --allow-deletes")).err).not.toContain("Kept for an address that is left out");
  });

  test("keeps it also where only a part of its place is left out", async () => {
    const project = await openProject();
    project.write("outreach.yaml", blockOf("  s: { target_url: 'https://s.example.com' }\n"));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", FAN_OUT);
    const { code, out, err } = await project.run("plan --exclude 'outreach_webhook.s[\"emailsSent\"]'");
    expect([code, changesOf(out)]).toEqual([0, ['  # outreach_webhook.s["emailsBounced"] will be created']]);
    expect(err).toContain("because an excluded address may take the place: outreach_webhook.s.\n");
    const kept = await project.run("destroy --auto-approve --exclude 'outreach_webhook.s[\"emailsSent\"]'");
    expect([kept.code, project.sandbox.webhooks().length], kept.err).toEqual([0, 1]);
  });

  test("keeps what leaves a list, if an address of the block is excluded", async () => {
    const project = await openProject();
    const of = (types: string) => blockOf(`  s: { target_url: 'https://s.example.com', types: [${types}] }\n`);
    project.write("outreach.yaml", of("emailsSent, emailsBounced"));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", of("emailsSent, emailsReplied"));
    const { code, out, err } = await project.run("plan --exclude 'outreach_webhook.s[\"emailsReplied\"]'");
    expect([code, changesOf(out)]).toEqual([0, []]);
    expect(err).toContain('outreach_webhook.s["emailsBounced"].\n');
  });

  test("and an identical webhook elsewhere is refused while the record is kept", async () => {
    const project = await openProject();
    project.write("outreach.yaml", blockOf("  s: { target_url: 'https://s.example.com' }\n"));
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", `${FAN_OUT}  t: { target_url: 'https://s.example.com' }\n`);
    const { code, err } = await project.run(`plan ${KEYED.join(" ")}`);
    expect([code, err]).toEqual([1, expect.stringContaining("[duplicate_left_out]") as string]);
  });

  test("has no outputs of what was never created, and keeps those that were recorded", async () => {
    const project = await openProject();
    const outputs = `outputs:
  url: \${outreach_webhook.a.target_url}
  both: ['\${outreach_webhook.a.id}', '\${outreach_webhook.audit["emailsSent"].id}']
  other: '\${outreach_webhook.audit["emailsSent"].id}'
checks:
  url: { condition: '\${outreach_webhook.a.target_url == "x"}', message: No }
`;
    project.write("outreach.yaml", `${TWO}${outputs}`);
    const planned = await project.run("plan --exclude outreach_webhook.a");
    expect(planned.out).toContain("Changes to Outputs:\n  + other = (known after apply)\n");
    expect(planned.err).toContain("Note: Check known after apply [check_unknown]");
    const first = await project.run("apply --auto-approve --exclude outreach_webhook.a");
    expect([first.code, Object.keys(JSON.parse((await project.run("output --json")).out) as object)]).toEqual([
      0,
      ["other"],
    ]);
    expect((await project.run("plan --exclude outreach_webhook.a")).out).not.toContain("Changes to Outputs");
    project.write("outreach.yaml", `${TWO}${outputs.replace('"x"', '"https://a.example.com"')}`);
    await project.run("apply --auto-approve");
    const all = (await project.run("output --json")).out;
    expect(Object.keys(JSON.parse(all) as object)).toEqual(["both", "other", "url"]);
    project.write(
      "outreach.yaml",
      `${TWO}  b: { target_url: 'https://b.example.com' }\n${outputs.replace('"x"', '"https://a.example.com"').replaceAll("outreach_webhook.a.", "outreach_webhook.b.")}`,
    );
    const kept = await project.run("apply --auto-approve --exclude outreach_webhook.b");
    expect([kept.code, (await project.run("output --json")).out], kept.err).toEqual([0, all]);
  });

  test("is named without an email that it contains", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      "version: 1\nlead_unsubscriptions:\n  gdpr: { campaign_id: cam_000001, emails: [ada@example.com, bob@example.com] }\n",
    );
    await project.run(
      "plan --show-emails --exclude 'outreach_lead_unsubscription.gdpr[\"ada@example.com\"]' --out p.plan",
    );
    const { out } = await project.run("show --format markdown p.plan");
    expect(out).toMatch(/^<!-- outreach-as-code: outreach\.yaml, exclude .*\*\*\*@example\.com/);
    expect(out).not.toMatch(/ada(?:@|%40)/);
  });

  test("may be gone when an approved plan is applied", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("plan --exclude outreach_webhook.a --out p.plan");
    project.write("outreach.yaml", TWO.replace(/^.*a\.example\.com.*\n/m, ""));
    expect((await project.run("apply p.plan")).err).not.toContain("No such address");
  });

  test("needs no secret", async () => {
    const project = await openProject();
    const declared = (secret: string) =>
      `version: 1\nwebhooks:\n  d: { target_url: 'https://d.example.com', secret: ${secret} }\n  e: { target_url: 'https://e.example.com' }\n`;
    for (const secret of [
      "{ env: NO_SUCH_SECRET }",
      `{ command: [node, -e, "require('fs').writeFileSync('ran', '');console.log('s')"] }`,
    ]) {
      project.write("outreach.yaml", declared(secret));
      for (const scope of ["--exclude outreach_webhook.d", "--target outreach_webhook.e"]) {
        const { code, out } = await project.run(`plan ${scope}`);
        expect([code, changesOf(out)], `${secret} ${scope}`).toEqual([0, ["  # outreach_webhook.e will be created"]]);
      }
    }
    expect(Object.keys(project.files()).filter((file) => file.endsWith("ran"))).toEqual([]);
  });
});

describe("what is neither an address nor a block", () => {
  test.each([
    [
      "--target outreach_webhook.audti",
      "The target outreach_webhook.audti is neither declared nor recorded.\nDid you mean outreach_webhook.audit?\n",
    ],
    [
      "--exclude 'outreach_webhook.audit*'",
      "The exclusion outreach_webhook.audit* is neither declared nor recorded.\nDid you mean outreach_webhook.audit?\n",
    ],
    ["--exclude '*'", "List the recorded addresses: outreach state list\n"],
    ["--exclude nothing", "List the recorded addresses: outreach state list\n"],
    ["--exclude a", "Did you mean outreach_webhook.a?\n"],
  ])("%s is an error", async (options, words) => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    const { code, err, sent } = await project.run(`apply --auto-approve ${options}`);
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(err).toContain(`Error: No such address [address_unknown]\n\n`);
    expect(err).toContain(words);
  });

  test("a * in a key is a letter like any other", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      "version: 1\nlead_unsubscriptions:\n  gdpr: { campaign_id: cam_000001, emails: ['a*@example.com', ab@example.com] }\n",
    );
    const { code, out } = await project.run(
      "plan --show-emails '--target=outreach_lead_unsubscription.gdpr[\"a*@example.com\"]'",
    );
    expect([code, changesOf(out)]).toEqual([
      0,
      ['  # outreach_lead_unsubscription.gdpr["a*@example.com"] will be created'],
    ]);
  });
});

describe("drift", () => {
  test("compares only targets, or all but exclusions, and says so in each format", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("apply --auto-approve");
    for (const { _id } of project.sandbox.webhooks()) project.sandbox.remove("webhooks", _id);
    project.sandbox.add("webhooks", { targetUrl: "https://other.example.com", type: null, campaignId: null });
    const json = async (options: string) => {
      const { code, out } = await project.run(`drift --json ${options}`);
      const { complete, missing, unmanaged } = JSON.parse(out) as {
        complete: boolean;
        missing: { address: string }[];
        unmanaged: unknown[];
      };
      return { code, complete, missing: missing.map(({ address }) => address), unmanaged: unmanaged.length };
    };
    expect(await json("")).toMatchObject({ code: 2, complete: true, unmanaged: 1 });
    expect(await json("--target outreach_webhook.audit --exclude 'outreach_webhook.audit[\"emailsSent\"]'")).toEqual({
      code: 2,
      complete: false,
      missing: ['outreach_webhook.audit["emailsBounced"]'],
      unmanaged: 0,
    });
    expect(await json("--exclude 'outreach_webhook.audit'")).toEqual({
      code: 2,
      complete: false,
      missing: ["outreach_webhook.a"],
      unmanaged: 1,
    });
    expect(await json("--exclude outreach_webhook.a --exclude outreach_webhook.audit")).toEqual({
      code: 0,
      complete: false,
      missing: [],
      unmanaged: 1,
    });
    const { out, err } = await project.run("drift --format markdown --exclude outreach_webhook.a");
    expect(out).toMatch(
      /^<!-- outreach-as-code drift: outreach\.yaml, exclude outreach_webhook\.a -->\n\n### Drift of `outreach\.yaml`, without `outreach_webhook\.a`\n/,
    );
    expect(err).toContain("Warning: Resource targeting is in effect [targeted]");
    expect(await project.run("drift --exclude outreach_webhook.b")).toMatchObject({
      code: 2,
      err: expect.stringContaining("outreach_webhook.b is not recorded") as string,
    });
    const none = await project.run(
      "drift --exclude outreach_webhook.a --exclude outreach_webhook.audit --fail-on missing",
    );
    expect(none.out).not.toContain("No drift");
    expect(await project.run("drift --target outreach_webhook.a --fail-on unmanaged")).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining("Conflicting options") as string,
    });
  });
});

describe("an address as people type it", () => {
  test.each([
    ["plan --target audit", "Did you mean outreach_webhook.audit?\n"],
    ["plan --target outreach_webhook.audit[emailsSent]", "Did you mean 'outreach_webhook.audit[\"emailsSent\"]'?\n"],
    [
      "state show outreach_webhook.audit[emailsSent]",
      "quote the whole address for a shell: 'outreach_webhook.audit[\"emailsSent\"]'\n",
    ],
    ["state rm audit", "Write TYPE.NAME, as in outreach_webhook.crm-replies.\n"],
    ["import outreach_webhook.audit[emailsSent] hoo_000001", "quote the whole address for a shell"],
  ])("%s: the message shows how it is written", async (command, words) => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("apply --auto-approve");
    expect(await project.run(command)).toMatchObject({ code: 1, err: expect.stringContaining(words) as string });
  });
});

describe("outputs", () => {
  const OUTPUTS = `${TWO}data:
  campaign: { q3: { name: Q3 launch } }
outputs:
  campaign: \${data.outreach_campaign.q3.id}
  a_id: \${outreach_webhook.a.id}
  urls: ["\${outreach_webhook.a.target_url}", "x"]
  hidden: { value: "\${outreach_webhook.a.id}", sensitive: true }
`;

  test("are planned, known after the create, and printed by output", async () => {
    const project = await openProject();
    project.write("outreach.yaml", OUTPUTS);
    const plan = await project.run("plan");
    expect(plan.out).toContain(
      'Changes to Outputs:\n  + a_id     = (known after apply)\n  + campaign = "cam_000001"\n  + hidden   = (known after apply)\n  + urls     = ["https://a.example.com", "x"]\n',
    );
    const applied = await project.run("apply --auto-approve");
    // The creates are sent at once, so that any of them may be the first.
    const [, id = ""] = /outreach_webhook\.a: Creation complete after \S+ \[id=(hoo_\d+)\]/.exec(applied.out) ?? [];
    expect(id).not.toBe("");
    expect(applied.out).toContain(
      `\nOutputs:\n\na_id = "${id}"\ncampaign = "cam_000001"\nhidden = (sensitive value)\nurls = [\n  "https://a.example.com",\n  "x",\n]\n`,
    );
    expect((await project.run("output")).out).toContain("hidden = (sensitive value)\n");
    expect(await project.run("output -raw a_id")).toMatchObject({ code: 0, out: id, sent: [] });
    expect(await project.run("output -json hidden")).toMatchObject({ code: 0, out: `"${id}"\n` });
    expect(JSON.parse((await project.run("output -json")).out)).toMatchObject({
      a_id: { sensitive: false, type: "string", value: id },
      hidden: { sensitive: true, type: "string", value: id },
    });
    expect(await project.run("output nope")).toMatchObject({ code: 1, out: "" });
    expect((await project.run("output -c outreach.yaml nope")).err).toContain(
      "If it was declared after the last apply: outreach apply -c outreach.yaml\n",
    );
  });

  test("that change alone are a change without a request", async () => {
    const project = await openProject();
    project.write("outreach.yaml", OUTPUTS);
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", OUTPUTS.replace('"x"]', '"y"]'));
    const plan = await project.run("plan --detailed-exitcode");
    expect(plan.code).toBe(2);
    expect(plan.out).toContain(
      'Changes to Outputs:\n  ~ urls = ["https://a.example.com", "x"] -> ["https://a.example.com", "y"]\n',
    );
    const applied = await project.run("apply --auto-approve");
    expect(applied.sent.filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("of what is not targeted stay as they are", async () => {
    const project = await openProject();
    project.write("outreach.yaml", OUTPUTS);
    await project.run("apply --auto-approve");
    project.write(
      "outreach.yaml",
      OUTPUTS.replace("a.example.com", "new.example.com").replace("audit.example.com", "b.example.com"),
    );
    const { out } = await project.run("plan --target outreach_webhook.audit");
    expect(out).toContain("Plan: 2 to add, 0 to change, 2 to destroy.");
    expect(out).not.toContain("Outputs");
  });
});

describe("refresh", () => {
  test("makes the state follow what is live, and sends nothing", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("apply --auto-approve");
    const [a, sent, bounced] = ["https://a.example.com", "emailsSent", "emailsBounced"].map(
      (text) =>
        project.sandbox.webhooks().find(({ targetUrl, type }) => targetUrl === text || type === text)?._id ?? "",
    );
    project.sandbox.change("webhooks", a ?? "", { targetUrl: "https://moved.example.com" });
    project.sandbox.remove("webhooks", sent ?? "");
    const plan = await project.run("plan --refresh-only --detailed-exitcode");
    expect(plan.code).toBe(2);
    expect(plan.out).toContain("outreach_webhook.a has changed\n");
    expect(plan.out).toContain('outreach_webhook.audit["emailsSent"] has been deleted\n');
    const refreshed = await project.run("refresh");
    expect([refreshed.code, refreshed.sent.filter((line) => !line.startsWith("GET"))]).toEqual([0, []]);
    expect((await project.run("state list")).out).toBe('outreach_webhook.a\noutreach_webhook.audit["emailsBounced"]\n');
    expect((await project.run("state show outreach_webhook.a")).out).toContain(
      'target_url = "https://moved.example.com"',
    );
    expect(await project.run("plan --refresh-only --detailed-exitcode")).toMatchObject({ code: 0 });
    const repaired = await project.run("apply --auto-approve");
    expect(repaired.out).toContain("Apply complete! Resources: 2 added, 0 changed, 1 destroyed.");
    expect(repaired.sent).toContain(`DELETE /hooks/${a ?? ""} 200`);
    expect(project.sandbox.webhooks().map(({ _id }) => _id)).toContain(bounced);
  });

  test.each(["--destroy", "--replace outreach_webhook.a", "--adopt", "--assume-unsubscribed"])(
    "--refresh-only does not go with %s",
    async (option) => {
      const project = await openProject();
      project.write("outreach.yaml", TWO);
      expect(await project.run(`plan --refresh-only ${option}`)).toMatchObject({
        code: 1,
        sent: [],
        err: expect.stringContaining("Error: Conflicting options") as string,
      });
    },
  );
});
