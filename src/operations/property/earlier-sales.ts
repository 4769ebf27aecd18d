import type { Day } from '../../domain/day.ts';
import { EARLIER_SALE } from '../../domain/other-details.ts';
import { placeOfSale, type OnParcel, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import type { ListedComparable } from '../../valuation/value-home.ts';
import { SPATIAL_LAG } from '../../valuation/model/constants.ts';
import type { BoundActiveMarket } from '../market-data/markets.ts';
import type { PropertyInputs } from '../valuation-types.ts';

type Adjustments = ListedComparable['adjustments'];

/**
 * Adds the earlier sales of the subject and of a comparable to the details of the line `other`, of which they are the
 * largest part where one of them has one. Inputs of earlier programs give the lines as they were.
 */
export function namingEarlierSales(
  market: BoundActiveMarket,
  { subject, asOf, namesEarlierSales }: PropertyInputs,
): (item: ListedComparable) => ListedComparable {
  if (!namesEarlierSales) return (item) => item;
  const ofSubject = earlierPrice(market, subject.home, asOf);
  const { columns } = market;
  return (item) => {
    const { row } = item;
    // A sale that the caller described has no row.
    const ofSale =
      row < columns.n ? earlierPrice(market, parcelOfSale(columns, row), columns.soldOn[row]) : null;
    if (ofSubject === ofSale) return item;
    const detail = { field: EARLIER_SALE, subject: ofSubject, comp: ofSale };
    const adjustments: Adjustments = item.adjustments.map((line) =>
      line.field === 'other' ? { ...line, details: [...line.details, detail] } : line,
    );
    return { ...item, adjustments };
  };
}

export function parcelOfSale(columns: SaleColumns, row: number): OnParcel {
  return { ...placeOfSale(columns, row), parcelId: textAt(columns.parcelId, row) || null };
}

/** The price of the last training sale of the home that closed well before a day; null without one. */
function earlierPrice(
  { columns, parcelSales, bound: { predictor } }: BoundActiveMarket,
  home: OnParcel,
  day: Day,
): number | null {
  let last: number | null = null;
  for (const row of parcelSales.rowsOf(home)) {
    const isKnown = predictor.foldOfSale(row) >= 0 && columns.soldOn[row] < day - SPATIAL_LAG.earlierSaleDays;
    if (isKnown && (last === null || columns.soldOn[row] >= columns.soldOn[last])) last = row;
  }
  return last === null ? null : columns.priceUsd[last];
}
