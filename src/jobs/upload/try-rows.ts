import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { JobItem } from '../batch-types.ts';
import type { OperationDeps } from '../../operations/deps.ts';
import type { PlumblineError } from '../../errors.ts';
import { candidatesOf } from '../../locate/locate-subject.ts';
import { findObstacle } from '../../operations/value.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { nextTurn } from '../../threads/event-loop-turns.ts';
import type { FailedTry as FailedTryBody } from '../../schemas/uploads.ts';
import { countRow, noRows, type CountedRows } from './counted-rows.ts';

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
): Promise<FailedTry[]> {
  const failures = new Map<string, Failure>();
  // A geocoder is paid for each address, so that only the values themselves ask it.
  const local: OperationDeps = { ...deps, geocoder: null };
  for (const { row, item } of rows) {
    if (isGone()) break;
    await nextTurn();
    const obstacle = await findObstacle(local, kind, item.request);
    if (obstacle === null || (obstacle.code === 'address_not_found' && deps.geocoder !== null)) continue;
    const { code, message } = obstacle;
    const failure: Failure = failures.get(code) ?? {
      code,
      example: message,
      ...noRows(),
      suggestions: new Map(),
    };
    failures.set(code, failure);
    countRow(failure, row);
    addSuggestion(failure.suggestions, row, item.request.location.address, obstacle);
  }
  return [...failures.values()]
    .sort((a, b) => b.count - a.count)
    .map((failure) => ({ ...failure, suggestions: [...failure.suggestions.values()] }));
}

type FailedTry = ResponseOf<typeof FailedTryBody>;
type Suggestion = FailedTry['suggestions'][number];

/** A failure while rows are tried, with the suggestions by address. */
interface Failure extends Omit<FailedTry, 'suggestions' | keyof CountedRows>, CountedRows {
  readonly suggestions: Map<string, Suggestion & { count: number }>;
}

function addSuggestion(
  suggestions: Failure['suggestions'],
  row: number,
  address: string | null | undefined,
  obstacle: PlumblineError,
): void {
  if (address == null) return;
  const known = suggestions.get(address);
  if (known) known.count++;
  const [first, ...others] = candidatesOf(obstacle);
  if (known || !first) return;
  const suggested = first.formattedAddress;
  suggestions.set(address, { row, count: 1, address, suggested, isOnly: others.length === 0 });
}
