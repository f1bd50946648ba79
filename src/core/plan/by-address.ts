/** The order of everything in a plan: code unit by code unit, so that it is the same on every machine. */
export function byAddress(a: { readonly address: string }, b: { readonly address: string }): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
