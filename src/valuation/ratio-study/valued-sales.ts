import type { Day } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import type { RatioCases } from './cases.ts';

/** Sales with values from any source, read from a file. */
export interface ValuedSales {
  readonly cases: RatioCases;
  readonly soldOn: readonly Day[];
  /** Null where the file has none. */
  readonly types: readonly (PropertyType | null)[];
  /** NaN where the file has none. */
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  /** Rejected rows, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** The first rejected rows as text: "line 7: not_a_number, sale_price "abc"". */
  readonly firstRejected: readonly string[];
}
