/** How much may go wrong in one schedule: so many faults, so many deaths, and together not more than that. */
export interface Bounds {
  readonly faults: number;
  readonly deaths: number;
  readonly troubles: number;
}

/** What is left after so many faults and deaths; null where it is too much. */
export function less({ faults, deaths, troubles }: Bounds, used: Pick<Bounds, "faults" | "deaths">): Bounds | null {
  const left = { faults: faults - used.faults, deaths: deaths - used.deaths, troubles: troubles - used.faults - used.deaths };
  return left.faults < 0 || left.deaths < 0 || left.troubles < 0 ? null : left;
}

export function boundsText({ faults, deaths, troubles }: Bounds): string {
  return `${String(troubles)}.${String(deaths)}.${String(faults)}`;
}

/** Those with more left come first: nothing leads back to them. */
export function byBounds(a: Bounds, b: Bounds): number {
  return b.troubles - a.troubles || b.deaths - a.deaths || b.faults - a.faults;
}
