import type { PostalAddress } from '../../domain/address.ts';
import { homeOfSale } from '../../valuation/columns/home-of-sale.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { textAt } from '../../valuation/columns/string-column.ts';
import { formatAddress } from '../address-info.ts';
import type { ActiveMarket } from '../markets.ts';
import type { SaleComparable } from '../property/property-valuation.ts';

/** Where a comparable stands, and what stands there. */
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
  | 'attributes'
>;

/** What any comparable tells of its place, be it a sale or a listing. */
export function comparablePlaceOf(columns: SaleColumns, row: number, distanceMi: number): ComparablePlace {
  const home = homeOfSale(columns, row);
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
    propertyType: home.type,
    attributes: home.attributes,
  };
}

/** Whose record it is. */
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

function addressAt(columns: SaleColumns, row: number): PostalAddress {
  return {
    street: textAt(columns.street, row),
    city: textAt(columns.city, row),
    stateCode: textAt(columns.stateCode, row),
    postalCode: textAt(columns.postalCode, row),
  };
}
