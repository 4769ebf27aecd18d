import type { CensusCell } from './cell.ts';
import type { CensusLevel } from './geoid.ts';

/** One table of the American Community Survey for one area and year. */
export interface CensusTable {
  readonly geoid: string;
  readonly level: CensusLevel;
  readonly name: string;
  readonly year: number;
  readonly tableId: string;
  /** Estimates by their suffix (src/domain/census/variable-key.ts). */
  readonly cells: ReadonlyMap<string, CensusCell>;
}
