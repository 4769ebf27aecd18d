import type { PostalAddress } from '../../domain/address.ts';
import { homeOfSale } from '../../valuation/columns/home-of-sale.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { textAt } from '../../valuation/columns/string-column.ts';
import { formatAddress } from '../address-info.ts';
import type { ActiveMarket } from '../markets.ts';
import type { SearchParams } from './requests.ts';
import type { ComparableSearch, SaleComparable } from './responses.ts';

/** The location members of every comparable, whether it is a sale or a listing. */
export type ComparablePlace = Pick<
  SaleComparable,
  | 'compId'
  | 'formattedAddress'
  | 'streetAddress'
  | 'city'
  | 'stateCode'
  | 'postalCode'
  | 'latitude'
  | 'longitude'
  | 'distanceMi'
  | 'propertyType'
  | 'bedrooms'
  | 'bathrooms'
  | 'livingArea'
  | 'lotSize'
  | 'yearBuilt'
  | 'totalUnits'
  | 'numStories'
  | 'condition'
>;

export function comparablePlaceOf(columns: SaleColumns, row: number, distanceMi: number): ComparablePlace {
  const { type, attributes } = homeOfSale(columns, row);
  const address = addressAt(columns, row);
  return {
    compId: textAt(columns.recordId, row),
    formattedAddress: formatAddress(address),
    streetAddress: address.street || null,
    city: address.city || null,
    stateCode: address.stateCode || null,
    postalCode: address.postalCode || null,
    latitude: columns.lat[row],
    longitude: columns.lon[row],
    distanceMi: Math.round(1000 * distanceMi) / 1000,
    propertyType: type,
    bedrooms: attributes.bedrooms,
    bathrooms: attributes.bathrooms,
    livingArea: attributes.livingAreaSqft,
    lotSize: attributes.lotSizeSqft,
    yearBuilt: attributes.yearBuilt,
    totalUnits: attributes.totalUnits,
    numStories: attributes.stories,
    condition: attributes.condition,
  };
}

/** Publisher of the record. */
export function recordSourceOf(
  { columns, dataset }: Pick<ActiveMarket, 'columns' | 'dataset'>,
  row: number,
): SaleComparable['source'] {
  return {
    name: dataset?.source.name ?? null,
    recordId: textAt(columns.recordId, row),
    license: dataset?.source.license ?? null,
    retrievedAt: dataset?.source.retrievedAt ?? null,
  };
}

/** A list of comparables, with the search settings and the number found. */
export function comparablesList<Item>(
  { radiusMi, lookbackMonths }: SearchParams,
  items: readonly Item[],
  candidates: number,
): { readonly count: number; readonly items: readonly Item[]; readonly search: ComparableSearch } {
  return { count: items.length, items, search: { radiusMi, lookbackMonths, candidates } };
}

function addressAt(columns: SaleColumns, row: number): PostalAddress {
  return {
    street: textAt(columns.street, row),
    city: textAt(columns.city, row),
    stateCode: textAt(columns.stateCode, row),
    postalCode: textAt(columns.postalCode, row),
  };
}
