/** One of an email's recipients (section "Email recipients"). */
export type Recipient = {
  /** The address in lower case. */
  readonly address: string;
  /** May be empty. */
  readonly name: string;
};

const ADDRESS = /^[^@\s\p{C}<>,"]+@[^@\s\p{C}<>,"]+$/u;

/** Whether a text is an email address. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Recipients as text, `Grace Hopper <grace@example.com>, alan@example.com`, or as a JSON list. The empty text is no recipients. An error is a clause. */
export function readRecipients(value: unknown): readonly Recipient[] | { readonly error: string } {
  if (typeof value === "string") return all(splitList(value).map(readMailbox));
  if (!Array.isArray(value)) return { error: "must be a list of recipients" };
  return all(value.map(readRecipient));
}

/** One recipient as text or as an object. */
export function readRecipient(value: unknown): Recipient | { readonly error: string } {
  if (typeof value === "string") return readMailbox(value);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { error: "must be a recipient with address and name" };
  const { address, name = "", ...others } = value as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return { error: `a recipient has no ${JSON.stringify(unknown)}, only address and name` };
  if (typeof address !== "string" || !isAddress(address))
    return { error: "the address of a recipient must be an email address" };
  return typeof name === "string"
    ? { address: address.toLowerCase(), name }
    : { error: "the name of a recipient must be text" };
}

/** `Name <address>`, `"Name" <address>` or `address`. */
function readMailbox(text: string): Recipient | { readonly error: string } {
  const [, quoted, plain = "", angled] = /^(?:"([^"]*)"|([^<"]*))\s*<([^<>]*)>$/su.exec(text.trim()) ?? [];
  const address = (angled ?? text).trim();
  if (!isAddress(address))
    return {
      error: `${JSON.stringify(text.trim().slice(0, 100))} is not an email address, nor a name with one, as in Ada <ada@example.com>`,
    };
  return { address: address.toLowerCase(), name: (quoted ?? plain).trim() };
}

/** Splits at commas outside of quotes. */
function splitList(text: string): readonly string[] {
  if (text.trim() === "") return [];
  const parts = [""];
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === "," && !isQuoted) parts.push("");
    else parts.push((parts.pop() ?? "") + character);
  }
  return parts;
}

function all(
  read: readonly (Recipient | { readonly error: string })[],
): readonly Recipient[] | { readonly error: string } {
  const failed = read.find((one) => "error" in one);
  return failed ?? read.filter((one) => "address" in one);
}
