import { formatDay, type Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import type { SalesData } from '../../valuation/comparables/sales-data.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';

/** After this many days without a sale or listing, the response has a warning. */
const STALE_AFTER_DAYS = 90;

const NEWEST = { sales: 'sale known here closed', rents: 'listing known here was listed' } as const;

/** A warning with the date of the newest known sale or listing, if it is long before the value date. */
export function staleMarketWarnings(
  salesData: Pick<SalesData, 'columns' | 'newestSoldOn'>,
  asOf: Day,
): Warning[] {
  const end = asOfEnd(salesData.columns, asOf);
  if (end === 0) return [];
  const newest = salesData.newestSoldOn[end - 1];
  if (asOf - newest <= STALE_AFTER_DAYS) return [];
  return [
    {
      code: 'stale_market',
      field: 'date',
      message:
        `The newest ${NEWEST[salesData.columns.kind]} on ${formatDay(newest)}, ${asOf - newest} days before the as-of date. ` +
        'The interval is wider because of this.',
    },
  ];
}
