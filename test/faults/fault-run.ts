/** Faults made on purpose, so many times, and what must hold nevertheless: the same code for a few and for thousands. */
export interface FaultRun {
  /** As filters and the table name it: `postgres-restarts`. */
  readonly name: string;
  /** One sentence: what holds, whatever the fault. */
  readonly guarantee: string;
  readonly counts: FaultCounts;
  /** Rejects, with what broke, as soon as the guarantee does not hold. */
  readonly run: (order: FaultOrder) => Promise<Figures>;
}

export interface FaultCounts {
  /** What is counted: `restarts`. */
  readonly of: string;
  /** Of a run on every change of touching code: all small ones together take less than 15 minutes on two cores. */
  readonly small: number;
  /** Of a release. */
  readonly full: number;
}

export interface FaultOrder {
  readonly count: number;
  /** Chance comes from here alone: a failure is seen again with the same seed. */
  readonly seed: number;
  /** Told how many of `count` are done. */
  readonly onProgress: (done: number) => void;
}

/** What was counted and measured, by what it is: `{ restarts: 20, answered: 8113, lost: 0 }`. */
export type Figures = Readonly<Record<string, number | string>>;
