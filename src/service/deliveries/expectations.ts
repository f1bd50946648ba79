import path from "node:path";
import { blockOf } from "../../core/model/address.ts";
import { type SecretSource, describeSource } from "../../core/model/declaration.ts";
import { groupBy } from "../../core/model/maps.ts";
import { nearest } from "../../core/model/diagnostic.ts";
import { type DeclaredWebhook, canonical } from "./deliveries.ts";

/** What a test expects of one receiver. */
export interface Expectation {
  /** A URL, an address, or the address of a block, which stands for all of its instances. */
  readonly target: { readonly kind: "url" | "webhook"; readonly text: string };
  readonly count: number;
  /** The secret of each delivery: its reference, `any` or `none`. Null: not tested. */
  readonly secret: SecretSource | "any" | "none" | null;
}

/** What became of one receiver: expected, delivered, or both. */
export interface ReceiverResult {
  /** The URL or the address, as the test names it. */
  readonly target: string;
  readonly expected: number;
  readonly delivered: number;
  /** The addresses of the webhooks that deliver. */
  readonly webhooks: readonly string[];
  /** The secrets in words; null: not tested. `found` has those that differ, by address. */
  readonly secret: {
    readonly expected: string;
    readonly found: readonly { readonly address: string; readonly secret: string }[];
  } | null;
  /** A target URL that was probably meant, where no webhook has this one. */
  readonly meant: string | null;
}

export function isMet({ expected, delivered, secret }: ReceiverResult): boolean {
  return expected === delivered && (secret === null || secret.found.length === 0);
}

/** Compares exactly: each receiver gets as much as is expected, and no other URL gets anything. `declared`: all webhooks, for advice. */
export function compareReceivers(
  expected: readonly Expectation[],
  {
    deliveries,
    declared,
  }: { readonly deliveries: readonly DeclaredWebhook[]; readonly declared: readonly DeclaredWebhook[] },
): readonly ReceiverResult[] {
  const urls = [...new Set(declared.map(({ url }) => url))];
  const results = expected.map((one): ReceiverResult => {
    const { target, count, secret } = one;
    const found = deliveries.filter((delivery) => isFor(one, delivery));
    const others = secret === null ? [] : found.filter((delivery) => !hasSecret(delivery, secret));
    const isUnknownUrl = target.kind === "url" && !urls.includes(canonical(target.text));
    return {
      target: target.text,
      expected: count,
      delivered: found.length,
      webhooks: found.map(({ address }) => address),
      secret:
        secret === null
          ? null
          : {
              expected: expectedSecret(secret),
              found: others.map((other) => ({ address: other.address, secret: secretText(other.secret) })),
            },
      meant: isUnknownUrl ? nearest(target.text, urls) : null,
    };
  });
  const unexpected = deliveries.filter((delivery) => !expected.some((one) => isFor(one, delivery)));
  const byUrl = groupBy(unexpected, ({ url }) => url);
  return [
    ...results,
    ...[...byUrl].map(([url, some]): ReceiverResult => ({
      target: url,
      expected: 0,
      delivered: some.length,
      webhooks: some.map(({ address }) => address),
      secret: null,
      meant: null,
    })),
  ];
}

/** Whether two targets can be about the same delivery, which would then count for both. */
export function overlaps(
  one: Pick<Expectation, "target">,
  other: Pick<Expectation, "target">,
  declared: readonly DeclaredWebhook[],
): boolean {
  const isSame = one.target.kind === other.target.kind && canonical(one.target.text) === canonical(other.target.text);
  return isSame || declared.some((webhook) => isFor(one, webhook) && isFor(other, webhook));
}

function isFor({ target: { kind, text } }: Pick<Expectation, "target">, { url, address }: DeclaredWebhook): boolean {
  return kind === "url" ? canonical(text) === url : text === address || text === blockOf(address);
}

function hasSecret({ secret }: DeclaredWebhook, expected: SecretSource | "any" | "none"): boolean {
  if (expected === "any") return secret !== null;
  if (expected === "none") return secret === null;
  return secret !== null && isSameSource(secret, expected);
}

/** Whether two references are written alike. */
function isSameSource(one: SecretSource, other: SecretSource): boolean {
  if (one.kind === "env") return other.kind === "env" && one.name === other.name;
  if (one.kind === "file")
    return other.kind === "file" && path.posix.normalize(one.path) === path.posix.normalize(other.path);
  return (
    one.kind === "command" && other.kind === "command" && JSON.stringify(one.command) === JSON.stringify(other.command)
  );
}

function expectedSecret(secret: SecretSource | "any" | "none"): string {
  return secret === "any" ? "any secret" : secretText(secret === "none" ? null : secret);
}

function secretText(secret: SecretSource | null): string {
  return secret === null ? "no secret" : describeSource(secret);
}
