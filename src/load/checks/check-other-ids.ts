import { formatMany } from '../../domain/display-format.ts';
import { createTextNumbers } from '../../domain/text-numbers.ts';
import type { MarketRecord } from '../record-table.ts';
import type { Finding } from './finding.ts';

/**
 * More records than these under two ids stop an import: a file that is imported again with another column as its id has
 * all of them. Homes of one building that are sold on one day at one price are few.
 */
const MANY_TWICE = { count: 20, share: 0.1 };

/**
 * Finds earlier records that the new files have under another id, so that both would be kept: the same place, date and
 * price. 899 sales of King County imported again without their parcel ids were 899 more sales.
 *
 * @param added the new records. They are first read with the first earlier record.
 * @param identityOf what identifies a record besides its place
 */
export function createOtherIdsCheck<Row extends MarketRecord>(
  added: Iterable<Row> & { readonly length: number },
  identityOf: (row: Row) => string,
) {
  const rows = added.length;
  const examples: string[] = [];
  let count = 0;
  let known: ReturnType<typeof createTextNumbers> | null = null;
  const keyOf = (row: Row): string => `${row.lat},${row.lon}|${identityOf(row)}`;
  return {
    /** @param earlier a record whose id no new one has */
    compare(earlier: Row): void {
      if (known === null) {
        known = createTextNumbers();
        for (const row of added) known.numberOf(keyOf(row));
      }
      if (known.find(keyOf(earlier)) < 0) return;
      count++;
      if (examples.length < 3)
        examples.push(`${earlier.address.street || earlier.recordId}: ${identityOf(earlier)}`);
    },
    findings(kind: string): Finding[] {
      if (count <= MANY_TWICE.count || count <= MANY_TWICE.share * rows) return [];
      return [
        {
          check: 'other_ids',
          column: 'record_id',
          count,
          message: `${formatMany(count, 'record')} of earlier imports, by place, date and price, are also in these files, but under other ids: they would be counted twice.`,
          examples,
          remedy: `Read the ids of records and parcels from the same columns as before. To start over with these files, replace all ${kind} of the market.`,
          isBlocking: true,
        },
      ];
    },
  };
}
