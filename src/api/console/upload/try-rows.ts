import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import type { JobItem } from '../../../jobs/batch-types.ts';
import type { OperationDeps } from '../../../operations/deps.ts';
import { findObstacle } from '../../../operations/value.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import { nextTurn } from '../../event-loop-turns.ts';
import type { FailedTry } from './schemas.ts';

/** Rows tried in a check: all of a usual file, and every n-th of a longer one. One takes about a millisecond. */
export const ROWS_TRIED = 500;
/** Row numbers listed per failure. */
const ROWS_LISTED = 9;

/** A row that can be sent, by its number in the file. */
export interface TriedRow<Kind extends ValuationKind> {
  readonly row: number;
  readonly item: JobItem<Kind>;
}

/**
 * Which rows would have no value, by the reason: the address is not found, no market is there, no model is old
 * enough, or the record lacks what the file leaves out. Nothing is valued or charged.
 *
 * @param isGone whether the client no longer waits
 */
export async function tryRows<Kind extends ValuationKind>(
  deps: OperationDeps,
  kind: Kind,
  rows: readonly TriedRow<Kind>[],
  isGone: () => boolean,
): Promise<ResponseOf<typeof FailedTry>[]> {
  const failures = new Map<string, ResponseOf<typeof FailedTry> & { rows: number[]; count: number }>();
  // A geocoder is paid for each address, so that only the values themselves ask it.
  const local: OperationDeps = { ...deps, geocoder: null };
  for (const { row, item } of rows) {
    if (isGone()) break;
    await nextTurn();
    const obstacle = await findObstacle(local, kind, item.request);
    if (obstacle === null || (obstacle.code === 'address_not_found' && deps.geocoder !== null)) continue;
    const { code, message } = obstacle;
    const known = failures.get(code);
    if (!known) failures.set(code, { code, example: message, count: 1, rows: [row] });
    else {
      known.count++;
      if (known.rows.length < ROWS_LISTED) known.rows.push(row);
    }
  }
  return [...failures.values()].sort((a, b) => b.count - a.count);
}
