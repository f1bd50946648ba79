import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attributesOf } from "../../../../src/core/model/attribute.ts";
import type { Schema, Schema_Attribute } from "../../../../src/frontends/terraform/generated/tfplugin6.ts";
import { catalog } from "../../../../src/service/resources/catalog.ts";
import { ProviderUnderTest } from "../provider-under-test.ts";

let provider: ProviderUnderTest;
let schemas: readonly (readonly [string, Schema])[];

beforeAll(async () => {
  provider = await ProviderUnderTest.start({ baseUrl: "https://api.example.com/api", apiKey: "key" });
  const { provider: own, resourceSchemas, dataSourceSchemas } = await provider.rpc.getProviderSchema({});
  if (!own) throw new Error("the provider has no schema");
  schemas = [["provider", own], ...Object.entries(resourceSchemas), ...Object.entries(dataSourceSchemas)];
});
afterAll(async () => {
  await provider.kill();
  provider.removeFolder();
});

/** Every attribute with its place, nested ones too. */
function attributesIn(
  place: string,
  attributes: readonly Schema_Attribute[] = [],
): readonly (readonly [string, Schema_Attribute])[] {
  return attributes.flatMap((attribute) => {
    const here = `${place}.${attribute.name}`;
    return [[here, attribute] as const, ...attributesIn(here, attribute.nestedType?.attributes)];
  });
}

function all(): readonly (readonly [string, Schema_Attribute])[] {
  return schemas.flatMap(([name, { block }]) => attributesIn(name, block?.attributes));
}

describe("the schemas", () => {
  it("describe every type and every attribute in whole sentences", () => {
    for (const [name, { block }] of schemas) expect(`${name}: ${String(block?.description)}`).toMatch(/: [A-Z].*\.$/s);
    for (const [place, { description }] of all()) expect(`${place}: ${description}`).toMatch(/: [A-Z`].*\.$/s);
  });

  it("list the allowed words of each attribute, and lead nowhere", () => {
    const described = new Map(all().map(([place, { description }]) => [place, description]));
    for (const { type, schema } of [...catalog.resources, ...catalog.dataSources])
      for (const [name, { oneOf = [] }] of attributesOf(schema, "terraform"))
        for (const word of oneOf) expect(described.get(`${type}.${name}`)).toContain(`\`${word}\``);
    for (const [place, description] of described) expect(`${place}: ${description}`).not.toContain("](");
    expect(described.get("outreach_webhook.type")).toContain("`emailsReplied`");
  });

  it("say what a change of each attribute of a resource does", () => {
    const place = /^(outreach_webhook|outreach_lead_unsubscription)\./;
    const changeable = all().filter(
      ([at, { computed, optional, writeOnly }]) => place.test(at) && (optional || !computed) && !writeOnly,
    );
    const inPlace = changeable
      .filter(([, { description }]) => description.endsWith("Changes in place, without a request."))
      .map(([at]) => at);
    expect(inPlace).toEqual([
      "outreach_webhook.allow_duplicate",
      "outreach_lead_unsubscription.on_not_found",
      "outreach_lead_unsubscription.recheck",
      "outreach_lead_unsubscription.reassert",
    ]);
    const others = changeable.filter(([at]) => !inPlace.includes(at));
    expect(others).toHaveLength(9);
    for (const [at, { description }] of others)
      expect(description, at).toMatch(/replaces the (webhook|lead unsubscription)\.$/);
  });

  it("keep secrets out of sight, and nothing else", () => {
    const places = (is: (attribute: Schema_Attribute) => boolean) =>
      all().flatMap(([place, attribute]) => (is(attribute) ? [place] : []));
    expect(places(({ sensitive }) => sensitive)).toEqual([
      "provider.api_key",
      "outreach_webhook.secret",
      "outreach_webhook.secret_wo",
    ]);
    expect(places(({ writeOnly }) => writeOnly)).toEqual(["outreach_webhook.secret_wo"]);
  });

  it("have an attribute either given, or known from the service, or both", () => {
    for (const [place, { required, optional, computed }] of all()) {
      expect(
        `${place}: ${String(required || optional || computed)}, ${String(required && (optional || computed))}`,
      ).toBe(`${place}: true, false`);
    }
    const settings = all().filter(([, { optional, computed }]) => optional && computed);
    expect(settings.map(([place]) => place)).toEqual([
      "outreach_lead_unsubscription.on_not_found",
      "outreach_lead_unsubscription.recheck",
      "outreach_lead_unsubscription.reassert",
      "outreach_campaign.id",
      "outreach_campaign.name",
      "outreach_campaign.status",
    ]);
  });

  it("have lists of objects as nested attributes", () => {
    const nested = all().filter(([, { nestedType }]) => nestedType);
    const objects = catalog.dataSources.flatMap(({ type, schema }) =>
      Object.entries(schema).flatMap(([name, { type: of }]) =>
        JSON.stringify(of).includes('"object"') ? [`${type}.${name}`] : [],
      ),
    );
    expect(nested.map(([place]) => place)).toEqual(objects);
    expect(objects).toContain("outreach_warmup_settings.deliverability");
    expect(nested.every(([, { type }]) => type.length === 0)).toBe(true);
  });
});
