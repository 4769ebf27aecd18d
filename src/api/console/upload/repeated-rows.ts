import { isRecord } from '../../../domain/json.ts';

/** Row numbers listed. */
const ROWS_LISTED = 9;

/** Rows that repeat an earlier row in a way. */
export interface RepeatedRows {
  /** `reference`: the caller's id of the property, such as a loan number. `home`: the same address or coordinates. */
  readonly by: 'reference' | 'home';
  readonly count: number;
  /** The first few. */
  readonly rows: readonly number[];
}

/** Finds rows of a file with the reference or the location of an earlier row. */
export function createRepeatedRows() {
  const seen = { reference: new Set<string>(), home: new Set<string>() };
  const repeated = { reference: newGroup(), home: newGroup() };
  const count = (by: RepeatedRows['by'], key: string, row: number): void => {
    if (!seen[by].has(key)) return void seen[by].add(key);
    const group = repeated[by];
    group.count++;
    if (group.rows.length < ROWS_LISTED) group.rows.push(row);
  };
  return {
    add(item: object, row: number): void {
      if (!isRecord(item)) return;
      const { property_id: reference, location } = item;
      if (typeof reference === 'string' && reference !== '') count('reference', reference.toLowerCase(), row);
      if (isRecord(location)) count('home', JSON.stringify(location).toLowerCase(), row);
    },
    list: (): RepeatedRows[] =>
      (['reference', 'home'] as const).flatMap((by) =>
        repeated[by].count === 0 ? [] : [{ by, ...repeated[by] }],
      ),
  };
}

function newGroup(): { count: number; readonly rows: number[] } {
  return { count: 0, rows: [] };
}
