import { checkKnown } from "./known-options.ts";
import { canonicalEmail, isEmail } from "./generated/email-address.ts";
import type { ContactEvent, OutreachEvent } from "./generated/events.ts";
import { CONTACT_TYPES } from "./generated/field-forms.ts";

/** Says whether an address is on the list. It gets the address in the form of `canonicalEmail`, and the event, for example for its `createdAt`. */
export type IsListed = (email: string, event: ContactEvent) => boolean | Promise<boolean>;

/** What to watch, and whom to tell. */
export interface SuppressionWatchOptions {
  /**
   * The addresses that nobody writes to: all of them, read once, or a function that looks one up. Case, the composition of characters and the
   * form of an international host do not matter.
   */
  readonly list: Iterable<string> | IsListed;
  /** Gets each address of the list that a message was sent to. If it fails, the watch fails, so that the service can deliver the event again. */
  readonly onBreach: (breach: Breach) => unknown;
}

/** A message to an address on the list. */
export interface Breach {
  /** The address, in the form of `canonicalEmail`. */
  readonly email: string;
  /** The campaign's name, or its id if the event does not have the name. */
  readonly campaign: string | undefined;
  /** The sender's address, or the name or the id if the event does not have the address. */
  readonly sender: string | undefined;
  /** When the message was sent. An ISO 8601 time. */
  readonly at: string | undefined;
  /** The event that shows it. */
  readonly event: ContactEvent;
}

/**
 * Watches that nobody writes to the addresses of a list. Call the function that it returns with each event, as in `onEvent`. It calls `onBreach` for
 * an event that shows a message, an invite or a call to a lead of the list (`ContactEvent`), and does nothing for all others. For an email, it looks at
 * all recipients. An event without an address, and an event of a type that is newer than this version, show nothing.
 *
 * The promise waits for `onBreach`. Throws a TypeError if the list contains anything except addresses, or for an unknown option.
 */
export function createSuppressionWatch(options: SuppressionWatchOptions): (event: OutreachEvent) => Promise<void> {
  checkKnown(options, ["list", "onBreach"]);
  const { list, onBreach } = options;
  const isListed = typeof list === "function" ? list : membership(list);
  if (typeof onBreach !== "function") throw new TypeError("onBreach must be a function.");
  return async (event) => {
    if (!isContact(event)) return;
    const { campaignName, campaignId, sendUserEmail, sendUserName, sendUserId, createdAt } = event;
    for (const email of addressesOf(event)) {
      if (!(await isListed(email, event))) continue;
      await onBreach({
        email,
        campaign: campaignName ?? campaignId,
        sender: sendUserEmail ?? sendUserName ?? sendUserId,
        at: createdAt,
        event,
      });
    }
  };
}

/** Callers without types can pass anything. No message contains an address. */
function membership(list: unknown): IsListed {
  if (typeof list !== "object" || list === null || !(Symbol.iterator in list))
    throw new TypeError("list must be a function, or a list of addresses.");
  const emails = new Set<string>();
  let place = 0;
  for (const one of list as Iterable<unknown>) {
    if (!isEmail(one))
      throw new TypeError(`list must contain email addresses: number ${String(place)}, counted from 0, is none.`);
    emails.add(canonicalEmail(one));
    place += 1;
  }
  return (email) => emails.has(email);
}

function isContact(event: OutreachEvent): event is ContactEvent {
  return CONTACT_TYPES.has(event.type);
}

function addressesOf(event: ContactEvent): ReadonlySet<string> {
  const recipients =
    event.type === "emailsSent" ? [...(event.to ?? []), ...(event.cc ?? []), ...(event.bcc ?? [])] : [];
  const emails = [event.leadEmail, ...recipients.map(({ address }) => address)];
  return new Set(emails.flatMap((email) => (email === undefined ? [] : [canonicalEmail(email)])));
}
