/**
 * The event type of `outreach doctor --receivers`. The service has no such type: a receiver that does not know it has nothing to do for it. The event names no
 * team, campaign, lead or address, so there is nothing that a receiver could do something to.
 */
const VERIFICATION_TYPE = "verification";

/** The ids of these events begin with it. Ids of the service's events begin with `act_`. */
const VERIFICATION_ID = "vfy_";

/** The header of each of these requests, for logs and proxies. It proves nothing: anyone can send it. */
export const VERIFICATION_HEADER = "outreach-verify";

/** The event that `outreach doctor --receivers` sends, without its secret. */
export function verificationEvent({ uuid, createdAt }: { readonly uuid: string; readonly createdAt: string }): {
  readonly [field: string]: string;
} {
  return { _id: `${VERIFICATION_ID}${uuid}`, type: VERIFICATION_TYPE, createdAt };
}

/**
 * Whether an event only asks if the receiver works: `outreach doctor --receivers` has sent it, and there is nothing to do for it. `eventHandler` answers such
 * events itself. With `parseEvent`, answer 204.
 */
export function isVerification({ _id, type }: { readonly _id: string; readonly type: string }): boolean {
  return type === VERIFICATION_TYPE && _id.startsWith(VERIFICATION_ID);
}
