/** Permission to work for a bounded number at once, in the order of the calls. */
export interface Slots {
  take(): Promise<void>;
  release(): void;
}

export function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    take: async () => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    release: () => {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}
