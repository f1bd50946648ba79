import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Annotations, type TerraformMetaArguments, Token } from "cdktn";
import { Construct } from "constructs";
import { fanOut, withoutRepetition } from "./generated/cdktn/lib/fan-out";
import { LeadUnsubscription } from "./generated/cdktn/lib/lead-unsubscription";
import { checkLiterals } from "./generated/cdktn/lib/literal-checks";
import { canonicalEmail, isEmail } from "./generated/cdktn/lib/suppression-list/email-address";
import { readAddressList } from "./generated/cdktn/lib/suppression-list/address-list";

/** The leads to unsubscribe, and their campaigns. */
export interface SuppressionListConfig extends TerraformMetaArguments {
  /** The campaign to unsubscribe the leads from. Set this or `campaigns`. */
  readonly campaignId?: string;
  /** Ids of the campaigns to unsubscribe the leads from; also the `ids` of a `DataOutreachCampaigns`. */
  readonly campaigns?: string[];
  /** Addresses of leads, regardless of upper and lower case. Duplicates count once. */
  readonly emails?: string[];
  /**
   * A file with further addresses: one per line, or a CSV with an `email` column. The synthesis reads it. A relative path
   * starts at the working directory of the synthesis. No command: write what it prints to a file before the synthesis. The
   * columns `reason`, `source` and `requested_at` are not recorded: a stack has no place for them.
   */
  readonly file?: string;
  /** The column of the file with the addresses, unless it is called `email` or like an email address. */
  readonly column?: string;
  /** Result if the campaign has no such lead; see `LeadUnsubscription`. */
  readonly onNotFound?: string;
}

/**
 * Leads who asked for no more messages, from an array, a file or both. A list with the id `requests` creates the instances
 * `outreach_lead_unsubscription.requests["ada@example.com"]` and so on, or `…["cam_000001/ada@example.com"]` over `campaigns`:
 * the same addresses as in YAML. The synthesised stack contains the email addresses: it is personal data.
 */
export class SuppressionList extends Construct {
  /** The block with all instances. */
  public readonly unsubscriptions: LeadUnsubscription;

  /**
   * @throws if there is no address, if not exactly one of `campaignId` and `campaigns` is set, or if the file cannot be read
   * or is not a list of addresses.
   */
  public constructor(scope: Construct, id: string, config: SuppressionListConfig) {
    super(scope, id);
    const { campaignId, campaigns, emails, file, column, ...common } = withoutRepetition(this, config);
    checkLiterals(this, () => ({ campaigns }));
    if (campaignId === undefined && campaigns === undefined)
      throw new Error(`${this.node.path}: set campaignId or campaigns.`);
    if (campaignId !== undefined && campaigns !== undefined)
      throw new Error(`${this.node.path}: campaignId and campaigns are both set. Remove one of them.`);
    if (emails === undefined && file === undefined) throw new Error(`${this.node.path}: set emails or file.`);
    const values = this.allAddresses(emails ?? [], file, column);
    if (values.length === 0)
      throw new Error(
        `${this.node.path}: ${file ?? "emails"} contains no address. To declare nothing, remove the construct.`,
      );
    const ofEmails = { attribute: "email", setting: "emails", values };
    const { forEach, valueOf } = fanOut(
      this,
      campaigns ? [{ attribute: "campaign_id", setting: "campaigns", values: campaigns }, ofEmails] : [ofEmails],
    );
    // The id Default is not part of the address.
    this.unsubscriptions = new LeadUnsubscription(this, "Default", {
      ...common,
      forEach,
      campaignId: campaignId ?? valueOf("campaign_id"),
      email: valueOf("email"),
    });
  }

  private allAddresses(
    emails: readonly string[],
    file: string | undefined,
    column: string | undefined,
  ): readonly string[] {
    if (!Token.isUnresolved(emails))
      return unique([...emails, ...(file === undefined ? [] : this.addressesIn(file, column))]);
    if (file === undefined) return emails;
    throw new Error(
      `${this.node.path}: emails that are unknown at synthesis cannot be combined with a file. Use two lists.`,
    );
  }

  /** Reports problems by line and column, without the address: anyone may read the message. */
  private addressesIn(file: string, column: string | undefined): readonly string[] {
    const { addresses, mistakes, cleaned } = readAddressList(this.bytesOf(file), { column });
    // A plan finds these too, but no longer knows the line.
    const malformed = addresses.filter(({ text }) => !isEmail(text)).map((at) => ({ ...NO_ADDRESS, at }));
    const told = [...mistakes, ...malformed].map(
      ({ detail, hint, at }) => `${at ? `${file}:${at.line}:${at.column}` : file}: ${detail} ${hint}`,
    );
    if (told.length > 0) throw new Error(`${this.node.path}: ${file} is not a list of addresses.\n${told.join("\n")}`);
    if (cleaned > 0)
      Annotations.of(this).addInfo(
        `${file}: ${cleaned} addresses were read without the signs of a spreadsheet around them (="…" or '…).`,
      );
    return addresses.map(({ text }) => text);
  }

  private bytesOf(file: string): Uint8Array {
    try {
      return readFileSync(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const full = resolve(file);
      const why =
        code === "ENOENT"
          ? `the file ${full} does not exist`
          : code === "EISDIR"
            ? `${full} is a folder`
            : `${full} cannot be read (${code})`;
      throw Object.assign(
        new Error(`${this.node.path}: ${why}. A relative path starts at the working directory of the synthesis.`),
        { cause: error },
      );
    }
  }
}

const NO_ADDRESS = { detail: "This is not an address.", hint: "Write it as in name@example.com." };

/** Ignores how an address is written. */
function unique(emails: readonly string[]): readonly string[] {
  return [...new Set(emails.map((email) => (Token.isUnresolved(email) ? email : canonicalEmail(email))))];
}
