import type { Parcel } from '../domain/parcel.ts';
import { ATTRIBUTES, type PropertyRecord } from '../domain/property.ts';
import { inPortions } from '../domain/portions.ts';
import { formatMany } from '../domain/display-format.ts';
import { findParcels } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import type { Finding } from './checks/finding.ts';
import type { CollectedRecords } from './collect-records.ts';
import type { MarketRecord } from './record-table.ts';
import type { Unplaced } from './rows/read-rows.ts';

/** Without any of these in a file of sales, its publisher has the facts of homes in another file. */
const MAIN_FACTS = ['livingAreaSqft', 'bedrooms', 'bathrooms', 'yearBuilt'] as const;
/** Rows whose parcels are looked up together. */
const PORTION = 2000;

type Facts = Pick<PropertyRecord, 'type' | 'attributes' | 'features'>;

function hasFacts({ type, attributes, features }: Facts): boolean {
  const isKnown = ATTRIBUTES.some((attribute) => attributes[attribute] !== null);
  return isKnown || type !== null || Object.keys(features).length > 0;
}

function hasMainFacts({ attributes }: Pick<Facts, 'attributes'>): boolean {
  return MAIN_FACTS.some((fact) => attributes[fact] !== null);
}

/** The facts of a record, and those of another that it lacks. */
function withFactsOf<Row extends Facts>(row: Row, other: Facts): Row {
  const known = ATTRIBUTES.filter((attribute) => row.attributes[attribute] !== null);
  const own = Object.fromEntries(known.map((attribute) => [attribute, row.attributes[attribute]]));
  return {
    ...row,
    attributes: { ...other.attributes, ...own },
    features: { ...other.features, ...row.features },
  };
}

function isAny<Row>(rows: Iterable<Row>, isWanted: (row: Row) => boolean): boolean {
  for (const row of rows) if (isWanted(row)) return true;
  return false;
}

type ReadParcel = Omit<Unplaced<Parcel>, 'asOf'>;

/**
 * A parcel of a file without places, or without facts, completed from the market's parcel of its id: publishers have
 * the places of parcels and the characteristics of buildings in two files.
 */
export function completeParcel<Row extends ReadParcel>(row: Row, earlier: Parcel | undefined): Row {
  if (earlier === undefined) return row;
  const { address, lat, lon, type } = earlier;
  if (row.lat === null && row.address.street === '') {
    return { ...withFactsOf(row, earlier), address, lat, lon, type: row.type ?? type };
  }
  return hasFacts(row) ? row : { ...row, type, attributes: earlier.attributes, features: earlier.features };
}

/**
 * If files of sales have no facts of the homes, the sales take those of their parcels, with the type where the files
 * have none either. Returns what was done, for the report.
 */
export async function takeFactsOfParcels<Row extends MarketRecord>(
  store: Store,
  parcelsId: number | null,
  records: CollectedRecords<Row>,
): Promise<Finding[]> {
  if (parcelsId === null || isAny(records, hasMainFacts)) return [];
  const hasTypes = isAny(records, ({ type }) => type !== 'houses');
  let count = 0;
  for (const portion of inPortions(records, PORTION)) {
    const ids = new Set(portion.flatMap(({ parcelId }) => (parcelId === null ? [] : [parcelId])));
    const parcels = await findParcels(store, [parcelsId], [...ids]);
    for (const row of portion) {
      const parcel = parcels.get(row.parcelId ?? '');
      if (parcel === undefined) continue;
      const type = hasTypes ? row.type : (parcel.type ?? row.type);
      records.change({ ...withFactsOf(row, parcel), type });
      if (hasMainFacts(parcel)) count++;
    }
  }
  if (count === 0) return [];
  return [
    {
      check: 'facts_of_parcels',
      column: null,
      count,
      message: `The files have no living area, bedrooms, bathrooms or year built: ${formatMany(count, 'sale')} of ${records.length} took the facts of their parcels.`,
      examples: [],
      remedy:
        'Facts of parcels are those of today: a home that was changed after its sale has the later ones.',
      isBlocking: false,
    },
  ];
}
