/** Lets so many in at once; who enters gets the way out, which may be taken twice. */
export interface Gate {
  enter(): Promise<() => void>;
}

export function gate(places: number): Gate {
  const waitingForOne: (() => void)[] = [];
  let free = places;
  return {
    enter: async () => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waitingForOne.push(resolve));
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        const next = waitingForOne.shift();
        if (next) next();
        else free++;
      };
    },
  };
}
