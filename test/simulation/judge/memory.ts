/** What the judge remembers of earlier runs, as far as it matters for later ones: plain data, a part of the world. */
export interface JudgeMemory {
  lineage: string | null;
  serial: number;
  /** Webhooks that some run has named. */
  told: ReadonlySet<string>;
  /** Webhooks that were imported, or taken over with a word. */
  adopted: ReadonlySet<string>;
  /** Leads whose unsubscription was sent, and not refused for certain. */
  unsubscribed: ReadonlySet<string>;
  /** The writes up to this number belong to earlier runs. */
  judgedWrites: number;
  copy(): JudgeMemory;
  key(): string;
  afterDeath(): readonly JudgeMemory[];
  /** An older state was put back: its serial is smaller. */
  forgive(): void;
}

type Remembered = Pick<JudgeMemory, "lineage" | "serial" | "told" | "adopted" | "unsubscribed" | "judgedWrites">;

export function newMemory(remembered: Partial<Remembered> = {}): JudgeMemory {
  const memory: JudgeMemory = {
    lineage: null,
    serial: 0,
    told: new Set(),
    adopted: new Set(),
    unsubscribed: new Set(),
    judgedWrites: 0,
    ...remembered,
    copy: () => {
      const { lineage, serial, told, adopted, unsubscribed, judgedWrites } = memory;
      return newMemory({ lineage, serial, told, adopted, unsubscribed, judgedWrites });
    },
    key: () => JSON.stringify([[...memory.told].toSorted(), [...memory.adopted].toSorted(), [...memory.unsubscribed].toSorted()]),
    afterDeath: () => [memory.copy()],
    forgive: () => {
      memory.serial = 0;
    },
  };
  return memory;
}
