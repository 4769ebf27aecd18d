/**
 * A number of deliberate faults, and the guarantee that must hold despite them. The same code runs a few or
 * thousands.
 */
export interface FaultRun {
  /** The name in filters and in the table: `postgres-restarts`. */
  readonly name: string;
  /** One sentence that states the guarantee. */
  readonly guarantee: string;
  readonly counts: FaultCounts;
  /** Rejects with the failure as soon as the guarantee is broken. */
  readonly run: (order: FaultOrder) => Promise<Figures>;
}

interface FaultCounts {
  /** The unit that is counted: `restarts`. */
  readonly of: string;
  /**
   * The count for a run on each change of related code. All runs with small counts together take less than 15
   * minutes on two cores.
   */
  readonly small: number;
  /** The count for a release. */
  readonly full: number;
}

export interface FaultOrder {
  readonly count: number;
  /** The only source of randomness: the same seed repeats a failure. */
  readonly seed: number;
  /** Called with how many of `count` are done. */
  readonly onProgress: (done: number) => void;
}

/** The counts and measurements by name: `{ restarts: 20, answered: 8113, lost: 0 }`. */
export type Figures = Readonly<Record<string, number | string>>;
