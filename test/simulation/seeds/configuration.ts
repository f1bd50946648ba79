import type { Chance } from "../../core/apply/chance.ts";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import { CAMPAIGN, unsubscription, webhook } from "../declarations.ts";

const HOOKS = ["a", "b", 'c["x"]', 'c["y"]'];
const LEADS = ["s", 't["x"]'];
export const EMAILS = ["ada@example.com", "bob@example.com"];
const URLS = ["one", "two", "three"];
const TYPES = [null, "emailsReplied", "emailsSent"] as const;
const SECRETS = [null, "FIRST_SECRET", "SECOND_SECRET"] as const;

/** The same with one thing changed, unless two would then want the same. */
export function changed(declarations: readonly Declaration[], chance: Chance): readonly Declaration[] {
  const what = chance.oneOf(["webhook", "webhook", "webhook", "webhook", "rotate", "rotate", "lead", "remove"]);
  const one = chance.any(declarations);
  if (what === "remove") return declarations.filter((declaration) => declaration !== one);
  if (what === "rotate")
    return one?.type === "outreach_webhook" ? withOne(declarations, { ...one, ...secretOf(chance) }) : declarations;
  if (what === "lead")
    return withOne(
      declarations,
      unsubscription(chance.any(LEADS) ?? "s", {
        email: chance.any(EMAILS) ?? "",
        ...chance.oneOf([{ on_not_found: "error" }, { recheck: "0s" }]),
      }),
    );
  const attributes = {
    target_url: `https://crm.example.com/hooks/${String(chance.any(URLS))}`,
    type: chance.oneOf(TYPES),
    campaign_id: chance.percent(30) ? CAMPAIGN : null,
    rotation: chance.oneOf(["delete_first", "create_first"]),
  };
  return withOne(declarations, { ...webhook(chance.any(HOOKS) ?? "a", attributes), ...secretOf(chance) });
}

function secretOf(chance: Chance): Pick<Declaration, "secrets"> {
  const name = chance.oneOf(SECRETS);
  return { secrets: name === null ? {} : { secret: { kind: "env", name } } };
}

function withOne(declarations: readonly Declaration[], one: Declaration): readonly Declaration[] {
  const others = declarations.filter(({ address }) => address !== one.address);
  return others.some((other) => identityOf(other) === identityOf(one)) ? declarations : [...others, one];
}

function identityOf({ attributes }: Declaration): string {
  const { target_url: url = null, type = null, campaign_id: campaign = null, email = null } = attributes;
  return JSON.stringify([url, type, campaign, email]);
}
