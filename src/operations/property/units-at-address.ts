import type { Day } from '../../domain/day.ts';
import { displayOf } from '../../locate/display-address.ts';
import type { Located } from '../../locate/located.ts';
import { findParcels } from '../../store/property-records.ts';
import type { OperationDeps } from '../deps.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import type { PricePath } from '../valuation-types.ts';
import { recordOf } from './find-record.ts';
import { ownSales } from './price-path.ts';
import { NO_RECORD } from './subject-record.ts';

/** A unit of a building that was found by its street address. */
export interface UnitAtAddress {
  readonly unit: string;
  /** The address that finds this unit. */
  readonly address: string;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly livingAreaSqft: number | null;
  readonly lastSale: PricePath['sales'][number] | null;
}

/** More than a page can list; the user then enters the unit. */
const MOST_UNITS = 200;

/**
 * The units of a building, so that a user can choose the one that is meant, with what their values would use: the parcel
 * file and earlier sales, as known on the as-of date. Empty for an address of one home.
 */
export async function unitsAtAddress(
  { store }: Pick<OperationDeps, 'store'>,
  market: ActiveMarket,
  { unitRows = [] }: Pick<Located, 'unitRows'>,
  asOf: Day,
): Promise<UnitAtAddress[]> {
  if (unitRows.length < 2) return [];
  const rows = unitRows.slice(0, MOST_UNITS);
  const parcelIds = [...new Set(rows.flatMap(({ parcelId }) => parcelId ?? []))];
  const datasets = market.parcels === null ? [] : [market.parcels.rowsId];
  const parcels = await findParcels(store, datasets, parcelIds);
  return rows.map((row) => {
    // A parcel of several units is the building's.
    const isOwn = row.parcelId !== null && rows.every((o) => o === row || o.parcelId !== row.parcelId);
    const home = { parcelId: isOwn ? row.parcelId : null, lat: row.lat, lon: row.lon };
    const parcel = row.parcelId === null ? null : (parcels.get(row.parcelId) ?? null);
    const { attributes } = isOwn
      ? recordOf(parcel, market, market.parcelSales.rowsOf(home), asOf)
      : NO_RECORD;
    return {
      unit: row.key.unit,
      address: displayOf(row.address).formatted,
      bedrooms: attributes.bedrooms,
      bathrooms: attributes.bathrooms,
      livingAreaSqft: attributes.livingAreaSqft,
      lastSale: isOwn ? (ownSales(market, home, asOf).at(-1) ?? null) : null,
    };
  });
}
