interface Remembered {
  lineage: string | null;
  serial: number;
  /** Webhooks that some run has named. */
  told: ReadonlySet<string>;
  /** Webhooks of somebody else that were imported or adopted. */
  adopted: ReadonlySet<string>;
  /** Leads whose unsubscription was sent, and not refused for certain. */
  unsubscribed: ReadonlySet<string>;
  /** The writes up to this number belong to earlier runs. */
  judgedWrites: number;
}

const NOTHING: Remembered = { lineage: null, serial: 0, told: new Set(), adopted: new Set(), unsubscribed: new Set(), judgedWrites: 0 };

/** What the judge remembers of earlier runs, as far as it matters for later ones: plain data, a part of the world. */
export class JudgeMemory implements Remembered {
  lineage: Remembered["lineage"];
  serial: Remembered["serial"];
  told: Remembered["told"];
  adopted: Remembered["adopted"];
  unsubscribed: Remembered["unsubscribed"];
  judgedWrites: Remembered["judgedWrites"];

  constructor({ lineage, serial, told, adopted, unsubscribed, judgedWrites }: Remembered) {
    this.lineage = lineage;
    this.serial = serial;
    this.told = told;
    this.adopted = adopted;
    this.unsubscribed = unsubscribed;
    this.judgedWrites = judgedWrites;
  }

  copy(): JudgeMemory {
    return new JudgeMemory(this);
  }

  /** Of webhooks that are gone nothing matters any more. */
  key(live: readonly { readonly id: string }[]): string {
    const alive = (ids: ReadonlySet<string>): readonly string[] => live.flatMap(({ id }) => (ids.has(id) ? [id] : []));
    return [alive(this.told), alive(this.adopted), [...this.unsubscribed].toSorted()].map((ids) => ids.join()).join(";");
  }

  afterDeath(): readonly JudgeMemory[] {
    return [this.copy()];
  }

  /** An older state was put back: its serial is smaller. */
  forgive(): void {
    this.serial = 0;
  }
}

export function newMemory(): JudgeMemory {
  return new JudgeMemory(NOTHING);
}
