import { domainToUnicode } from "node:url";
import { DiagnosticsError, errorOf } from "../../core/model/diagnostic.ts";
import { canonicalEmail, isEmail } from "../../service/api/email-address.ts";

/** A person who is erased, by the first argument that names them. */
export interface Person {
  /** The canonical form of the address. */
  readonly email: string;
  /** Counted from 1. */
  readonly argument: number;
  /** The notations of the address that texts may have, whatever their case. */
  readonly forms: readonly string[];
}

/** Throws `email_invalid`, which quotes no argument: what is no address may be one with a typing mistake. */
export function peopleOf(typed: readonly string[]): readonly Person[] {
  const wrong = typed.flatMap((email, index) => (isEmail(email) ? [] : [index + 1]));
  if (wrong.length > 0) {
    throw new DiagnosticsError(
      wrong.map((argument) =>
        errorOf("email_invalid", "Invalid email address", {
          detail: `Argument ${String(argument)} is not of the form name@host. Nothing was erased.`,
          hint: "Write each address as an argument of its own, in full.",
        }),
      ),
    );
  }
  const people = new Map<string, Person>();
  for (const [index, email] of typed.entries()) {
    const canonical = canonicalEmail(email);
    const before = people.get(canonical);
    const forms = new Set([...(before?.forms ?? []), email, ...formsOf(canonical)]);
    people.set(canonical, { email: canonical, argument: before?.argument ?? index + 1, forms: [...forms] });
  }
  return [...people.values()];
}

/** The host in punycode and in Unicode, and the name with its characters composed and decomposed. */
function formsOf(canonical: string): readonly string[] {
  const at = canonical.lastIndexOf("@");
  const [name, host] = [canonical.slice(0, at), canonical.slice(at + 1)];
  const hosts = [host, domainToUnicode(host) || host];
  return hosts.flatMap((one) => [name, name.normalize("NFD")].map((local) => `${local}@${one}`));
}
