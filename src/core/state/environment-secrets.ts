import { parseUrl } from "../model/parse-url.ts";
import { STATE_BACKENDS } from "./backends.ts";

/** The environment variables that hold secrets of stores. */
export const STORE_SECRETS: readonly string[] = [
  ...STATE_BACKENDS.flatMap(({ settings }) =>
    Object.values(settings).flatMap(({ kind, environment = [] }) => (kind === "secret" ? environment : [])),
  ),
  "PGPASSWORD",
];

/** Each secret that these variables hold, with what it is. A URL may have a password: as it is written, and as it is sent. */
export function secretsOf(
  environment: { readonly [name: string]: string | undefined },
  names: readonly string[],
): Map<string, string> {
  const found = names.flatMap((name) =>
    secretsIn(environment[name] ?? "").map((secret) => [secret, `that of ${name}`] as const),
  );
  return new Map(found.toReversed());
}

function secretsIn(text: string): readonly string[] {
  if (text === "") return [];
  const password = parseUrl(text)?.password ?? "";
  if (password === "") return [text];
  // Unlike decodeURIComponent, it takes any text.
  const sent = new URLSearchParams(`password=${password.replaceAll("+", "%2B")}`).get("password") ?? password;
  return [text, password, sent];
}
