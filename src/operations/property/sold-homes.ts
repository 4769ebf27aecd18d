import { rangeEnds, streetLineKeyOf } from '../../domain/address-key.ts';
import { addressPartsOf, type ParsedAddress } from '../../domain/address-parts.ts';
import type { Day } from '../../domain/day.ts';
import type { Attribute } from '../../domain/property.ts';
import { METERS_PER_MILE, type LatLon } from '../../geo/distance.ts';
import { forEachWithin } from '../../geo/point-index.ts';
import type { Located, ParcelGroup } from '../../locate/located.ts';
import { ONE_PLACE_MI, parcelsOfUnit } from '../../locate/match-address.ts';
import { groupByPoint, NEAR_M, type ParcelPoint } from '../../locate/parcels-at.ts';
import { asOfEnd, homeOfSale, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { AddressPointRow } from '../../store/address-points.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import { isAlike, isSoldByUnit, LOCATION_ERROR_M, type Candidate } from './choose-parcel.ts';
import { NO_RECORD } from './subject-record.ts';

type SoldMarket = Pick<ActiveMarket, 'columns' | 'parcels' | 'parcelSales'>;

interface PossibleHomes {
  readonly groups: readonly ParcelGroup[];
  /** Sales without parcel id, newest first, by the name of their home in `groups`. */
  readonly rowsOfUnnumbered: ReadonlyMap<string, readonly number[]>;
}

/**
 * The parcels that a home can be on. A market without a parcel file knows only homes that were sold: they are
 * candidates for coordinates, and for an address whose sales have no parcel id.
 */
export function parcelsOrSoldHomes(
  market: SoldMarket | null,
  located: Pick<Located, 'lat' | 'lon' | 'parcels' | 'matchLevel' | 'unit'> & {
    readonly matchedPoint: Pick<AddressPointRow, 'key'> | null;
  },
  asOf: Day,
): PossibleHomes {
  const { parcels, matchLevel, matchedPoint, unit } = located;
  const known = { groups: parcels, rowsOfUnnumbered: new Map<string, number[]>() };
  if (market === null || market.parcels !== null) return known;
  if (matchLevel === 'point') {
    const sales = salesNear(market, located, NEAR_M / METERS_PER_MILE, asOf);
    // Parcels are known from addresses. Those of the neighbors must not stand for a home without one.
    const sold = groupByPoint(sales.filter(({ isNumbered }) => !isNumbered || parcels.length === 0));
    const groups = [...parcels, ...sold].sort((one, other) => one.awayM - other.awayM);
    return { groups, rowsOfUnnumbered: rowsOfUnnumbered(sales) };
  }
  // A neighbor's parcel is within reach of most addresses, but only the address itself says which home is meant.
  if (matchLevel !== 'address' || !matchedPoint || parcels.some(({ tie }) => tie !== 'distance'))
    return known;
  const line = streetLineKeyOf({ ...matchedPoint.key, unit: '' });
  const sales = salesNear(market, located, ONE_PLACE_MI, asOf).filter(({ key }) =>
    rangeEnds(key).some((end) => streetLineKeyOf({ ...end, unit: '' }) === line),
  );
  const rows = rowsOfUnnumbered(sales);
  const own = rows.size > 0 ? parcelsOfUnit(unit, sales) : null;
  return own ? { groups: [own], rowsOfUnnumbered: rows } : known;
}

/** A sale near a place. */
interface NearSale extends ParcelPoint {
  readonly row: number;
  /** Without a parcel id, `parcelId` is the name of the home. */
  readonly isNumbered: boolean;
  readonly key: ParsedAddress;
}

function rowsOfUnnumbered(sales: readonly NearSale[]): PossibleHomes['rowsOfUnnumbered'] {
  const rows = sales.filter(({ isNumbered }) => !isNumbered);
  const rowsOf = Map.groupBy(rows, ({ parcelId }) => parcelId);
  return new Map([...rowsOf].map(([name, ofHome]) => [name, ofHome.map(({ row }) => row)]));
}

/** Sales known by the date within reach of a point, nearest first. The newest row of a home says where it is. */
function salesNear(
  { columns, parcelSales }: Pick<SoldMarket, 'columns' | 'parcelSales'>,
  at: LatLon,
  reachMi: number,
  asOf: Day,
): NearSale[] {
  const end = asOfEnd(columns, asOf);
  const near: { readonly row: number; readonly distanceMi: number }[] = [];
  forEachWithin(parcelSales.places, at.lat, at.lon, reachMi, (row, distanceMi) => {
    if (row < end) near.push({ row, distanceMi });
  });
  const sales = near
    .sort((a, b) => b.row - a.row)
    .map(({ row, distanceMi }) => {
      const parcelId = textAt(columns.parcelId, row);
      const address = { street: '', city: '', stateCode: '', postalCode: '' };
      for (const part of ['street', 'city', 'stateCode', 'postalCode'] as const) {
        address[part] = textAt(columns[part], row);
      }
      const key = addressPartsOf(address);
      const place = { lat: columns.lat[row], lon: columns.lon[row], distanceMi };
      return { ...place, parcelId, row, isNumbered: parcelId !== '', key };
    });
  return nameHomes(columns, sales).sort((a, b) => a.distanceMi - b.distanceMi || b.row - a.row);
}

/** Sales without parcel id take the parcel of another sale of the home, or a name by the home's newest sale. */
function nameHomes(columns: SaleColumns, sales: readonly NearSale[]): NearSale[] {
  const numbered = sales.filter(({ isNumbered }) => isNumbered);
  const homes = [...Map.groupBy(numbered, ({ parcelId }) => parcelId).values()];
  for (const sale of sales) {
    if (sale.isNumbered) continue;
    const own = homes.find((ofHome) => ofHome.every((other) => isSameHome(columns, sale, other)));
    if (own) own.push({ ...sale, parcelId: own[0].parcelId, isNumbered: own[0].isNumbered });
    else homes.push([{ ...sale, parcelId: `sale ${textAt(columns.recordId, sale.row)}` }]);
  }
  return homes.flat();
}

/** Details that tell homes of one address apart; rooms change with a renovation. */
const LASTING: readonly Attribute[] = ['livingAreaSqft', 'lotSizeSqft', 'yearBuilt', 'totalUnits'];

/**
 * Whether two sales near each other are surely of one home: of one unit, or of a building without units at one address
 * that has the same details. Sales of a tower that name no unit are not.
 */
function isSameHome(columns: SaleColumns, a: NearSale, b: NearSale): boolean {
  if (a.key.streetName === '' || streetLineKeyOf(a.key) !== streetLineKeyOf(b.key)) return false;
  if (a.key.unit !== '') return true;
  const [one, other] = [homeOfSale(columns, a.row), homeOfSale(columns, b.row)];
  if (one.type !== other.type || isSoldByUnit(one.type)) return false;
  return LASTING.every((attribute) => {
    const [mine, theirs] = [one.attributes[attribute], other.attributes[attribute]];
    return mine === null || theirs === null || isAlike(attribute, mine, theirs);
  });
}

/**
 * Adds a home that was never sold to candidates that were, as likely as a record without details at the usual error.
 * So a sold home is used only if the details of the request agree with its record.
 */
export function withUnsoldHome(
  candidates: readonly Candidate[],
  market: Pick<SoldMarket, 'parcels'> | null,
): readonly Candidate[] {
  const [nearest] = candidates;
  if (!nearest || market === null || market.parcels !== null || nearest.tie !== 'distance') return candidates;
  const unsold = { parcelIds: [], awayM: LOCATION_ERROR_M, tie: 'distance', records: [NO_RECORD] } as const;
  return [...candidates, unsold].sort((a, b) => a.awayM - b.awayM);
}
