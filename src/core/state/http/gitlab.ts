/** Whether the address is that of a state that GitLab manages. */
export function isGitLab({ pathname }: URL): boolean {
  return /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+$/.test(pathname);
}

/** Where, and how, GitLab locks the state at an address. */
export function gitlabLock(state: URL): {
  readonly address: URL;
  readonly method: string;
  readonly unlockAddress: URL;
  readonly unlockMethod: string;
} {
  const address = new URL(state);
  address.pathname += "/lock";
  return { address, method: "POST", unlockAddress: address, unlockMethod: "DELETE" };
}
