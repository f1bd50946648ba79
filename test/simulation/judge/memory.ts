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

const NOTHING: Remembered = {
  lineage: null,
  serial: 0,
  told: new Set(),
  adopted: new Set(),
  unsubscribed: new Set(),
  judgedWrites: 0,
};

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

  /** `live`: the webhooks that there are. `unmanaged`: those of which it matters whether a run has named them. */
  key({ live, unmanaged }: { readonly live: readonly string[]; readonly unmanaged: readonly string[] }): string {
    return [
      unmanaged.filter((id) => this.told.has(id)),
      live.filter((id) => this.adopted.has(id)),
      [...this.unsubscribed].toSorted(),
    ].join(";");
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
