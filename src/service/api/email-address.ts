// This file imports nothing: the constructs for CDK users and the library for receivers get copies of it.

const MAX_LENGTH = 254;
/** Most addresses. */
const PLAIN = /^[\w+][\w.+-]*@[\da-z]+(?:[.-][\da-z]+)*$/i;
/** What no part of an address contains: white space, what nobody sees, and what surrounds addresses in other texts. */
const FOREIGN = /[\s\p{C}\p{Default_Ignorable_Code_Point}"(),:;<>@[\\\]]/u;
/** What a spreadsheet writes before a text, so that it is not taken for a formula. */
const GUARD = /^['=]/;
const DOTS = /[.\u3002\uFF0E\uFF61]/;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}_\u00B7\u30FB-]+(?<!-)$/u;

/** Whether a text is an address: `name@host`, in at most 254 characters, as it is safe in a path. */
export function isEmail(email: unknown): email is string {
  if (typeof email !== "string" || email.length > MAX_LENGTH) return false;
  if (PLAIN.test(email)) return true;
  const at = email.lastIndexOf("@");
  const [local, host] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)];
  if (local === "" || [local, host].some((part) => FOREIGN.test(part)) || GUARD.test(local)) return false;
  return host.split(DOTS).every((label) => LABEL.test(label)) && asciiHost(host) !== null;
}

/** The address in a text that has more around it, such as `mailto:` or brackets; null if there is none. */
export function cleanedEmail(text: string): string | null {
  if (text.length > MAX_LENGTH * 2) return null;
  const visible = text.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "");
  const inner = /<([^<>]*)>[^<>]*$/.exec(visible)?.[1] ?? visible;
  const bare = inner
    .replace(/^[\s"'()<=[\]{}\u2018-\u201F]+/, "")
    .replace(/^mailto:/i, "")
    .replace(/\?.*$/s, "")
    .replace(/[\s"'(),.:;<>[\]{}\u2018-\u201F]+$/, "");
  const at = bare.lastIndexOf("@");
  const host = bare.slice(at + 1).replaceAll(/\.{2,}/g, ".");
  const cleaned = bare.slice(0, at + 1) + host;
  return cleaned !== text && isEmail(cleaned) ? cleaned : null;
}

/** The one form of an address, whatever its case, its composition of characters, and the form of an international host. */
export function canonicalEmail(email: string): string {
  if (PLAIN.test(email) || !isEmail(email)) return email.toLowerCase();
  const at = email.lastIndexOf("@");
  const local = email
    .slice(0, at + 1)
    .normalize("NFC")
    .toLowerCase()
    .normalize("NFC");
  const host = email.slice(at + 1);
  return `${local}${asciiHost(host) ?? host}`;
}

/** The host as DNS has it, in punycode; null if it cannot be one. */
function asciiHost(host: string): string | null {
  if (/^[\x21-\x7E]*$/.test(host)) return host.toLowerCase();
  try {
    return new URL(`https://${host}`).hostname;
  } catch {
    return null;
  }
}
