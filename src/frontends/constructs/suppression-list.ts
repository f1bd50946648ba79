import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Token } from "cdktn";
import { Construct } from "constructs";
import { fanOut } from "./generated/cdktn/lib/fan-out";
import { LeadUnsubscription, type LeadUnsubscriptionConfig } from "./generated/cdktn/lib/lead-unsubscription";
import { readAddressList } from "./generated/cdktn/lib/suppression-list/address-list";

/** Who is unsubscribed, and from what. */
export interface SuppressionListConfig extends Omit<LeadUnsubscriptionConfig, "email" | "campaignId" | "count" | "forEach"> {
  /** The one campaign that they are removed from. Give this or `campaigns`. */
  readonly campaignId?: string;
  /** Ids of the campaigns that they are removed from; also the `ids` of a `DataOutreachCampaigns`. */
  readonly campaigns?: readonly string[];
  /** Addresses of leads. Upper and lower case are the same, and one that is there twice counts once. */
  readonly emails?: readonly string[];
  /**
   * A file with further addresses: one a line, or a CSV whose header has an `email` column. It is read when the stack is
   * synthesised. A relative path begins at the folder in which that runs.
   */
  readonly file?: string;
}

/**
 * Leads who asked not to be written to any more, from an array, a file or both. A list called `requests` makes the instances
 * `outreach_lead_unsubscription.requests["ada@example.com"]` and so on, or `…["cam_000001/ada@example.com"]` over `campaigns`:
 * the addresses that they have in YAML. The synthesised stack holds the addresses: it is personal data.
 */
export class SuppressionList extends Construct {
  /** The block that makes all of them. */
  public readonly unsubscriptions: LeadUnsubscription;

  /**
   * @throws when there is no address, when not exactly one of `campaignId` and `campaigns` is given, or when the file cannot
   * be read or is not a list of addresses.
   */
  public constructor(scope: Construct, id: string, { campaignId, campaigns, emails, file, ...common }: SuppressionListConfig) {
    super(scope, id);
    if (campaignId === undefined && campaigns === undefined) throw new Error(`${this.node.path}: campaignId or campaigns is needed.`);
    if (campaignId !== undefined && campaigns !== undefined) throw new Error(`${this.node.path}: campaignId and campaigns are both given. Take one of them.`);
    if (emails === undefined && file === undefined) throw new Error(`${this.node.path}: emails or file is needed.`);
    const values = this.allAddresses(emails ?? [], file);
    if (values.length === 0)
      throw new Error(`${this.node.path}: there is no address in ${file ?? "emails"}. Where there is nothing to declare, leave the construct out.`);
    const ofEmails = { attribute: "email", setting: "emails", values };
    const { forEach, valueOf } = fanOut(this, campaigns ? [{ attribute: "campaign_id", setting: "campaigns", values: campaigns }, ofEmails] : [ofEmails]);
    // What is called Default is not part of the address.
    this.unsubscriptions = new LeadUnsubscription(this, "Default", {
      ...common,
      forEach,
      campaignId: campaignId ?? valueOf("campaign_id"),
      email: valueOf("email"),
    });
  }

  private allAddresses(emails: readonly string[], file: string | undefined): readonly string[] {
    if (!Token.isUnresolved(emails)) return unique([...emails, ...(file === undefined ? [] : this.addressesIn(file))]);
    if (file === undefined) return emails;
    throw new Error(`${this.node.path}: emails that are not known when the stack is synthesised cannot be joined with a file. Take two lists.`);
  }

  /** What is wrong is told by line and column, without the address: anybody may read it. */
  private addressesIn(file: string): readonly string[] {
    const { addresses, mistakes } = readAddressList(this.bytesOf(file));
    // A plan finds these too, but it does not know the line any more.
    const malformed = addresses.filter(({ text }) => !/^[^@\s]+@[^@\s]+$/u.test(text)).map((at) => ({ ...NO_ADDRESS, at }));
    const told = [...mistakes, ...malformed].map(({ detail, hint, at }) => `${at ? `${file}:${at.line}:${at.column}` : file}: ${detail} ${hint}`);
    if (told.length > 0) throw new Error(`${this.node.path}: this is no list of addresses.\n${told.join("\n")}`);
    return addresses.map(({ text }) => text);
  }

  private bytesOf(file: string): Uint8Array {
    try {
      return readFileSync(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const full = resolve(file);
      const why = code === "ENOENT" ? `there is no file ${full}` : code === "EISDIR" ? `${full} is a folder` : `${full} cannot be read (${code})`;
      throw new Error(`${this.node.path}: ${why}. A relative path begins in the folder where the synthesis runs.`, { cause: error });
    }
  }
}

const NO_ADDRESS = { detail: "This is no address.", hint: "Write it as in name@example.com." };

/** Upper and lower case are the same. */
function unique(emails: readonly string[]): readonly string[] {
  return [...new Set(emails.map((email) => (Token.isUnresolved(email) ? email : email.toLowerCase())))];
}
