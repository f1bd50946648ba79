import { fieldsOf } from "./http-answers.ts";
import type { HttpAnswer } from "./http-requests.ts";

/** Whether the address is that of a state that GitLab manages. */
export function isGitLab({ pathname }: URL): boolean {
  return /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+$/.test(pathname);
}

/** Where, and how, GitLab locks the state at an address. */
export function gitlabLock(state: URL): { readonly address: URL; readonly method: string; readonly unlockAddress: URL; readonly unlockMethod: string } {
  const address = new URL(state);
  address.pathname += "/lock";
  return { address, method: "POST", unlockAddress: address, unlockMethod: "DELETE" };
}

/** GitLab's answer for a state without a record: nobody has locked or written it yet. A missing project is `404 Project Not Found`. */
export function hasNoRecord({ status, body }: HttpAnswer): boolean {
  return status === 404 && fieldsOf(body)?.["message"] === "404 Not found";
}

/** GitLab answers a write that does not name the lock as any fault of its own: only a look at the lock tells. */
export function mayBeLocked({ status }: Pick<HttpAnswer, "status">): boolean {
  return status === 500;
}
