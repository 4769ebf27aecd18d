import { formatDay, type Day } from '../../domain/day.ts';
import { formatDistance } from '../../domain/display-format.ts';
import { ATTRIBUTES, attributesOf, type Attribute, type PropertyType } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import { METERS_PER_MILE } from '../../geo/distance.ts';
import type { Located, ParcelGroup } from '../../locate/located.ts';
import { findParcels, type ParcelRow } from '../../store/property-records.ts';
import {
  asOfEnd,
  homeOfSale,
  type OnParcel,
  type SaleColumns,
} from '../../valuation/columns/sale-columns.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import type { OperationDeps } from '../deps.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import {
  chooseParcel,
  countHomes,
  isAlike,
  isNeighborsHouse,
  isSoldByUnit,
  type Candidate,
  type ParcelChoice,
  type StatedDetails,
} from './choose-parcel.ts';
import { parcelsOrSoldHomes, withUnsoldHome } from './sold-homes.ts';
import { isBuilding, NO_RECORD, type SubjectRecord } from './subject-record.ts';

/** The record of the home at a place, and how surely it is that home's. */
export interface FoundRecord {
  readonly record: SubjectRecord;
  /** With the parcel, unless several could be meant or its sales have no parcel id. */
  readonly place: OnParcel;
  /**
   * Number of homes among which the place does not choose, such as the units of a condominium: 1 for a single
   * parcel, 0 without one.
   */
  readonly homeCount: number;
  /** What ties the parcel to the request; null without a parcel. */
  readonly tie: ParcelGroup['tie'] | null;
  /** Records of other homes that may be meant, if the choice is uncertain. */
  readonly alternatives: readonly { readonly record: SubjectRecord; readonly probability: number }[];
  readonly warnings: readonly Warning[];
}

type RecordMarket = Pick<ActiveMarket, 'columns' | 'parcels' | 'parcelSales'>;

interface RecordMarkets {
  readonly sales: RecordMarket | null;
  readonly listings?: RecordMarket | null;
}

/**
 * The public record of a home on the as-of date: from the parcel file and the sales of its market, and from its
 * listings for what these lack. If the place allows several parcels, the details stated in the request decide;
 * if they do not, only what the records agree on is used.
 *
 * @param knownParcels the rows of the parcels, if the caller has read them
 */
export async function findRecord(
  { store }: Pick<OperationDeps, 'store'>,
  { sales, listings = null }: RecordMarkets,
  located: Located,
  asOf: Day,
  stated: StatedDetails,
  knownParcels: ReadonlyMap<string, ParcelRow> | null = null,
): Promise<FoundRecord> {
  const { lat, lon } = located;
  const { groups, rowsOfUnnumbered } = parcelsOrSoldHomes(sales, located, asOf);
  const parcelIds = groups.flatMap((group) => group.parcelIds);
  const rowsIds = [listings, sales].flatMap((market) => market?.parcels?.rowsId ?? []);
  const parcels = knownParcels ?? (await findParcels(store, [...new Set(rowsIds)], parcelIds));
  const rowsOf = (parcelId: string): Iterable<number> =>
    rowsOfUnnumbered.get(parcelId) ?? sales?.parcelSales.rowsOf({ lat, lon, parcelId }) ?? [];
  const recordsOf = ({ parcelIds: ids }: ParcelGroup): SubjectRecord[] =>
    ids.map((parcelId) => recordOf(parcels.get(parcelId) ?? null, sales, rowsOf(parcelId), asOf));
  const lastOn = (parcelId: string): Day => lastDayOf(parcels.get(parcelId), sales, rowsOf(parcelId), asOf);
  const candidates = groups.map((group) => withoutFormerIds({ ...group, records: recordsOf(group) }, lastOn));
  const choice = chooseParcel(
    withUnsoldHome(
      candidates.filter((candidate) => !isNeighborsHouse(candidate, located.unitCount)),
      sales,
    ),
    stated,
  );
  const { chosen, records } = choice;
  const homeCount = countHomes(choice, located);
  const homeId = chosen && homeCount === 1 ? chosen.parcelIds[0] : null;
  const place = { lat, lon, parcelId: homeId !== null && rowsOfUnnumbered.has(homeId) ? null : homeId };
  const recorded =
    homeCount === 1 ? records[0] : { ...commonRecord(records, chosen !== null), type: likeliestType(choice) };
  const listed = listings && recordOf(null, listings, listings.parcelSales.rowsOf(place), asOf);
  return {
    record: listed ? fillGaps(recorded, listed) : recorded,
    place,
    homeCount,
    tie: chosen?.tie ?? null,
    alternatives: choice.isCertain ? [] : choice.possible.flatMap((one) => alternativeOf(one, chosen)),
    warnings: choiceWarnings(choice, (parcelId) => {
      const rows = rowsOfUnnumbered.get(parcelId);
      return rows && sales ? saleName(sales.columns, Math.max(...rows)) : parcelId;
    }),
  };
}

function alternativeOf(
  { parcelIds, records, probability }: ParcelChoice['possible'][number],
  chosen: ParcelGroup | null,
): FoundRecord['alternatives'] {
  if (chosen?.parcelIds[0] === parcelIds[0]) return [];
  return [{ record: records.length === 1 ? records[0] : commonRecord(records, true), probability }];
}

/** A home that is only known by its sales, by the newest one. */
function saleName({ street, soldOn }: SaleColumns, row: number): string {
  const sold = `sold ${formatDay(soldOn[row])}`;
  const written = textAt(street, row);
  return written === '' ? `a home ${sold}` : `${written}, ${sold}`;
}

function choiceWarnings(
  { chosen, records, possible, isCertain }: ParcelChoice,
  nameOf: (parcelId: string) => string,
): Warning[] {
  if (isCertain || possible.length === 0) return [];
  const list = possible.map(
    ({ parcelIds: [first, ...others], awayM }) =>
      `${nameOf(first)}${others.length > 0 ? ` and ${others.length} more` : ''} (${formatDistance(awayM / METERS_PER_MILE)})`,
  );
  const more = 'Give more details, or the address instead of the coordinates.';
  const unused =
    records.length === 0
      ? 'It may be another home, so no record was used.'
      : 'Only what their records agree on was used.';
  const outcome = chosen
    ? `The record of ${nameOf(chosen.parcelIds[0])} fits best, by its distance and the details given.`
    : `${unused} ${more}`;
  const near = list.length === 1 ? 'A known home is' : 'Several homes are';
  return [
    {
      code: 'parcel_ambiguous',
      field: null,
      message: `${near} near the location: ${list.join('; ')}. ${outcome}`,
    },
  ];
}

/**
 * The type of more than half of a building's records, or of the candidates by their probability; null without one, or if
 * no record is used.
 */
export function likeliestType({ chosen, records, possible }: ParcelChoice): PropertyType | null {
  const groups = chosen || records.length === 0 ? [{ records, probability: 1 }] : possible;
  const share = new Map<PropertyType, number>();
  let total = 0;
  for (const { records: ofGroup, probability } of groups) {
    for (const { type } of ofGroup) {
      if (type === null) continue;
      share.set(type, (share.get(type) ?? 0) + probability / ofGroup.length);
      total += probability / ofGroup.length;
    }
  }
  return [...share].find(([, weight]) => weight > total / 2)?.[0] ?? null;
}

/** Details that the units of one building share. */
const OF_BUILDING: ReadonlySet<Attribute> = new Set(['yearBuilt', 'stories']);
/** Details that differ between the listings of a building. */
const OF_UNIT: readonly Attribute[] = ['bedrooms', 'bathrooms', 'livingAreaSqft'];

/**
 * What several records agree on. Records of one building: details of the building on which all records that have
 * them agree. Records of neighbors: details that all have.
 */
function commonRecord(records: readonly SubjectRecord[], isOneBuilding: boolean): SubjectRecord {
  const attributes: Partial<Record<Attribute, number | null>> = {};
  for (const attribute of ATTRIBUTES) {
    const values = records.map((record) => record.attributes[attribute]);
    if (isOneBuilding ? OF_BUILDING.has(attribute) : !values.includes(null)) {
      attributes[attribute] = commonValue(values);
    }
  }
  const features: Record<string, string> = {};
  for (const name of Object.keys(Object.assign({}, ...records.map((record) => record.features)))) {
    const value = commonValue(records.map((record) => record.features[name] ?? null));
    if (value !== null) features[name] = value;
  }
  return {
    type: commonValue(records.map(({ type }) => type)),
    attributes: attributesOf(attributes),
    features,
  };
}

/** The value of all that have one; null if they differ or none has one. */
function commonValue<Value>(values: readonly (Value | null)[]): Value | null {
  const distinct = new Set(values.filter((value) => value !== null));
  const [first] = distinct;
  return distinct.size === 1 ? first : null;
}

/**
 * Each field comes from the newest source that has it: the parcel file or the home's own rows in the market.
 * Data that became known after the as-of date is not used. Listings at one place are of several units: their rooms
 * and size are used only if they agree.
 */
export function recordOf(
  parcel: ParcelRow | null,
  market: RecordMarket | null,
  rows: Iterable<number>,
  asOf: Day,
): SubjectRecord {
  const sources: { readonly on: Day; readonly record: SubjectRecord }[] = [];
  if (market !== null) {
    const { columns } = market;
    const end = asOfEnd(columns, asOf);
    for (const row of rows) {
      if (row < end) sources.push({ on: columns.soldOn[row], record: homeOfSale(columns, row) });
    }
  }
  if (parcel !== null && parcel.asOf <= asOf) sources.push({ on: parcel.asOf, record: parcel });
  sources.sort((a, b) => b.on - a.on);
  const records = sources.map(({ record }) => withTotalRooms(record));
  const newest = records.reduce(fillGaps, NO_RECORD);
  const otherSource = records.find(({ type }) => type !== null && type !== newest.type);
  if (market?.columns.kind !== 'rents') return otherSource ? { ...newest, otherSource } : newest;
  const common: Partial<Record<Attribute, number | null>> = {};
  for (const name of OF_UNIT) common[name] = commonValue(records.map(({ attributes }) => attributes[name]));
  return { ...newest, attributes: { ...newest.attributes, ...common } };
}

/** The newest day known by the date on which a parcel had its id: of a sale, or of the parcel file. */
function lastDayOf(
  parcel: ParcelRow | undefined,
  market: RecordMarket | null,
  rows: Iterable<number>,
  asOf: Day,
): Day {
  const days = parcel && parcel.asOf <= asOf ? [parcel.asOf] : [];
  if (market !== null) {
    const end = asOfEnd(market.columns, asOf);
    for (const row of rows) if (row < end) days.push(market.columns.soldOn[row]);
  }
  return Math.max(...days);
}

/**
 * A house whose parcel was renumbered or joined to another has sales under both ids, at one address and with one area and
 * year built (3 homes of Milwaukee; all of a county that gives new numbers). Its newest id stays, with the record
 * of all. Otherwise it would count as a building of several homes, without a record.
 */
function withoutFormerIds(candidate: Candidate, lastOn: (parcelId: string) => Day): Candidate {
  const { parcelIds, records, tie } = candidate;
  const [first, ...others] = records;
  const isOneHome =
    tie === 'address' &&
    others.length > 0 &&
    isHouse(first) &&
    others.every((other) => isSameHouse(first, other));
  if (!isOneHome) return candidate;
  const newestFirst = [...parcelIds.keys()].sort((a, b) => lastOn(parcelIds[b]) - lastOn(parcelIds[a]));
  const record = newestFirst.map((i) => records[i]).reduce(fillGaps);
  return { ...candidate, parcelIds: [parcelIds[newestFirst[0]]], records: [record] };
}

function isHouse(record: SubjectRecord): boolean {
  return record.type !== null && !isSoldByUnit(record.type) && !isBuilding(record);
}

function isSameHouse(one: SubjectRecord, other: SubjectRecord): boolean {
  return (
    other.type === one.type &&
    (['livingAreaSqft', 'yearBuilt'] as const).every((attribute) => {
      const [mine, theirs] = [one.attributes[attribute], other.attributes[attribute]];
      return mine !== null && theirs !== null && isAlike(attribute, mine, theirs);
    })
  );
}

/**
 * Fewer bedrooms or baths than units are those of one unit, so those of the building are unknown. 95% of the
 * buildings of five or more units in Milwaukee's parcel file have such bedrooms. 0 is a building of studios.
 */
export function withTotalRooms(record: SubjectRecord): SubjectRecord {
  const { totalUnits, bedrooms, bathrooms } = record.attributes;
  if (totalUnits === null || totalUnits < 2) return record;
  const totalOf = (rooms: number | null) =>
    rooms !== null && rooms > 0 && rooms < totalUnits ? null : rooms;
  const attributes = { ...record.attributes, bedrooms: totalOf(bedrooms), bathrooms: totalOf(bathrooms) };
  return { ...record, attributes };
}

/** The newer record, completed with fields that only the older one has. */
function fillGaps(newer: SubjectRecord, older: SubjectRecord): SubjectRecord {
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
