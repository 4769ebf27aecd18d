import type { Day } from '../../domain/day.ts';
import type { Parcel } from '../../domain/parcel.ts';
import {
  ATTRIBUTES,
  attributesOf,
  type Attribute,
  type Attributes,
  type OwnFeatures,
  type PropertyType,
} from '../../domain/property.ts';
import { homeOfSale } from '../../valuation/columns/home-of-sale.ts';
import type { OnParcel } from '../../valuation/columns/parcel-codes.ts';
import { asOfEnd, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { ActiveMarket } from '../markets.ts';

/** The public record of the subject on the value date; empty if there is none. */
export interface SubjectRecord {
  readonly type: PropertyType | null;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
}

export const NO_RECORD: SubjectRecord = { type: null, attributes: attributesOf({}), features: {} };

/**
 * The record of a parcel. Each field comes from the newest source that has it: the parcel file or the
 * parcel's own sales. Data that became known after the value date is not used.
 *
 * @param ownSales rows of the parcel's sales known on the value date, in column order
 */
export function recordOf(
  parcel: Parcel | null,
  columns: SaleColumns,
  ownSales: readonly number[],
  asOf: Day,
): SubjectRecord {
  const sources: { readonly on: Day; readonly record: SubjectRecord }[] = ownSales.map((row) => ({
    on: columns.soldOn[row],
    record: homeOfSale(columns, row),
  }));
  if (parcel !== null && parcel.asOf <= asOf) sources.push({ on: parcel.asOf, record: parcel });
  sources.sort((a, b) => b.on - a.on);
  return sources.map((source) => source.record).reduce(fillGaps, NO_RECORD);
}

/** Rows of the sales or listings of a home's parcel that were known on the day. */
export function rowsOfParcel(
  market: Pick<ActiveMarket, 'columns' | 'parcelSales'>,
  home: OnParcel,
  asOf: Day,
): number[] {
  const end = asOfEnd(market.columns, asOf);
  return Array.from(market.parcelSales.rowsOf(home)).filter((row) => row < end);
}

/** The newer record, completed with fields that only the older one has. */
export function fillGaps(newer: SubjectRecord, older: SubjectRecord): SubjectRecord {
  const attributes: Partial<Record<Attribute, number | null>> = {};
  for (const attribute of ATTRIBUTES) {
    attributes[attribute] = newer.attributes[attribute] ?? older.attributes[attribute];
  }
  return {
    type: newer.type ?? older.type,
    attributes: attributesOf(attributes),
    features: { ...older.features, ...newer.features },
  };
}
