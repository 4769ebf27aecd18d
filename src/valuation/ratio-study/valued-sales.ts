import type { Day } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import type { RatioCases } from './cases.ts';

/** Sales with values that somebody, of whatever make, gave for them. */
export interface ValuedSales {
  readonly cases: RatioCases;
  readonly soldOn: readonly Day[];
  /** Null where the file does not say. */
  readonly types: readonly (PropertyType | null)[];
  /** NaN where the file does not say. */
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  /** Rows that could not be read, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** The first of them, for people: "line 7: not_a_number, sale_price "abc"". */
  readonly firstRefused: readonly string[];
}
