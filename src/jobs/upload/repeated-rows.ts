import { isRecord } from '../../domain/json.ts';
import { createHomeIndex } from '../../domain/repeated-homes.ts';
import { countRow, noRows, type CountedRows } from './counted-rows.ts';

/** The number of a row, and of the first row that it repeats. */
interface RepeatedRow {
  readonly row: number;
  readonly repeatsRow: number;
}

/** Rows that repeat an earlier row in a way. */
interface RepeatedRows extends CountedRows<RepeatedRow> {
  /** `reference`: the caller's id of the property, such as a loan number. `home`: the same address or coordinates. */
  readonly by: 'reference' | 'home';
}

/** A row that can be sent, by its number in the file. */
export interface SentRow {
  readonly row: number;
  readonly balanceUsd: number | null;
}

type FindFirst = (item: object, row: SentRow) => SentRow | null;

/** Finds the first row that a row repeats, which can be left out: a second loan of the home is no repeat. */
export function createRepeatFinder(): FindFirst {
  const findFirst = createHomeFinder();
  return (item, row) => {
    const first = findFirst(item, row);
    return first === null || isSecondLoan(row, first) ? null : first;
  };
}

/** Whether a row has another loan balance than the first row of its home. */
function isSecondLoan({ balanceUsd }: SentRow, first: SentRow): boolean {
  return balanceUsd !== null && balanceUsd !== first.balanceUsd;
}

/**
 * Finds the first row with the home of a row; null for that row itself. Nothing is located before it is sent, so an
 * address is the same only in the same words, but for the spelling of street types and directions. Rows of rents with
 * different units are different.
 */
function createHomeFinder(): FindFirst {
  const byUnits = new Map<string, ReturnType<typeof createHomeIndex<SentRow>>>();
  return (item, row) => {
    if (!isRecord(item) || !isRecord(item.location)) return null;
    const { address, latitude, longitude } = item.location;
    const units = isRecord(item.property_fields) ? item.property_fields.units : null;
    const key = JSON.stringify(units ?? null);
    const homes = byUnits.get(key) ?? createHomeIndex<SentRow>();
    byUnits.set(key, homes);
    const place = {
      address: typeof address === 'string' ? address : null,
      lat: typeof latitude === 'number' ? latitude : null,
      lon: typeof longitude === 'number' ? longitude : null,
    };
    const first = homes.findOrAdd(place, () => row);
    return first === row ? null : first;
  };
}

/** Finds rows of a file with the reference or the home of an earlier row. */
export function createRepeatedRows() {
  const references = new Map<string, number>();
  const findFirst = createHomeFinder();
  const repeated = { reference: noRows<RepeatedRow>(), home: noRows<RepeatedRow>() };
  let secondLoans = 0;
  return {
    /** Whether the row repeats an earlier row, as `createRepeatFinder` finds. */
    add(item: object, sent: SentRow): boolean {
      const reference = isRecord(item) ? item.property_id : null;
      if (typeof reference === 'string' && reference !== '') {
        const key = reference.toLowerCase();
        const repeatsRow = references.get(key);
        if (repeatsRow === undefined) references.set(key, sent.row);
        else countRow(repeated.reference, { row: sent.row, repeatsRow });
      }
      const first = findFirst(item, sent);
      if (first === null) return false;
      countRow(repeated.home, { row: sent.row, repeatsRow: first.row });
      if (!isSecondLoan(sent, first)) return true;
      secondLoans++;
      return false;
    },
    list: (): RepeatedRows[] =>
      (['reference', 'home'] as const).flatMap((by) =>
        repeated[by].count === 0 ? [] : [{ by, ...repeated[by] }],
      ),
    countSecondLoans: () => secondLoans,
  };
}
