import type { Attribute, Attributes, PropertyType } from '../../domain/property.ts';
import type { Located, ParcelGroup } from '../../locate/located.ts';
import { SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';
import { isBuilding, type SubjectRecord } from './subject-record.ts';

/** What a request says about the home, to compare with the records of nearby parcels. */
export interface StatedDetails {
  readonly propertyType: PropertyType | null;
  readonly attributes: Partial<Attributes>;
  /** Rooms and area are those of one unit, so they say nothing about a building. */
  readonly isOfUnit: boolean;
}

export interface Candidate extends ParcelGroup {
  readonly records: readonly SubjectRecord[];
}

/** A candidate with the probability that it is meant. */
interface PossibleParcel extends Candidate {
  readonly probability: number;
}

export interface ParcelChoice {
  /** null if no candidate is likely enough. */
  readonly chosen: ParcelGroup | null;
  /** The records of the chosen group, otherwise those of all possible ones. */
  readonly records: readonly SubjectRecord[];
  /** The groups that may be meant, nearest first. */
  readonly possible: readonly PossibleParcel[];
  readonly isCertain: boolean;
}

/**
 * How likely a stated detail is if the home is the candidate: its record has the detail, has none, or has another
 * one because the home was changed since. With these factors, of 2,000 Milwaukee homes whose coordinates were
 * moved by 8 m, 2% got another parcel, and none of these had a recorded area; 5% were left open. If the home
 * itself had no recorded baths, 4% got another parcel (docs/methods/addresses.md).
 */
const LIKELIHOOD = { same: 1, unknown: 0.35, different: 0.15 } as const;

/** Standard deviation of a geocoder's distance from a parcel's point on a narrow lot; wider lots allow more. */
export const LOCATION_ERROR_M = 8;

/** A candidate is used from this probability, without a warning from the second, and possible from the third. */
const PROBABILITY = { used: 0.6, certain: 0.9, possible: 0.05 } as const;

const COMPARED: readonly Attribute[] = [
  'bedrooms',
  'bathrooms',
  'livingAreaSqft',
  'lotSizeSqft',
  'yearBuilt',
  'totalUnits',
];

/** Details of a building that hold for each of its units. */
const SHARED_BY_UNITS: ReadonlySet<Attribute> = new Set(['lotSizeSqft', 'yearBuilt', 'totalUnits']);

const AREAS: ReadonlySet<Attribute> = new Set(['livingAreaSqft', 'lotSizeSqft']);

/** Measurements of one area differ by this share. */
const AREA_TOLERANCE = 0.05;

/** The parcel that fits the distance and the stated details best, if it is likely enough. */
export function chooseParcel(candidates: readonly Candidate[], stated: StatedDetails): ParcelChoice {
  const [nearest, next] = candidates;
  if (!next) {
    return {
      chosen: nearest ?? null,
      records: nearest?.records ?? [],
      possible: candidates.map((candidate) => ({ ...candidate, probability: 1 })),
      isCertain: true,
    };
  }
  const errorM = Math.max(LOCATION_ERROR_M, (nearest.awayM + next.awayM) / 4);
  const weights = candidates.map(({ awayM, records }) => {
    const fit = Math.max(...records.map((record) => likelihoodOf(record, stated)));
    return fit * Math.exp((nearest.awayM ** 2 - awayM ** 2) / (2 * errorM ** 2));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const most = Math.max(...weights);
  const best = candidates[weights.indexOf(most)];
  const chosen = most / total >= PROBABILITY.used && !isUnrecorded(best) ? best : null;
  const possible = candidates
    .map((candidate, i) => ({ ...candidate, probability: weights[i] / total }))
    .filter(({ probability }) => probability >= PROBABILITY.possible);
  const shared = possible.some(isUnrecorded) ? [] : possible.flatMap(({ records }) => records);
  return {
    chosen,
    records: chosen ? best.records : shared,
    possible: possible.filter((candidate) => !isUnrecorded(candidate)),
    isCertain: (best === nearest || isUnrecorded(best)) && most / total >= PROBABILITY.certain,
  };
}

/** A home that no parcel represents, because it was never sold in a market that knows only sold homes. */
function isUnrecorded({ parcelIds }: Candidate): boolean {
  return parcelIds.length === 0;
}

function likelihoodOf(record: SubjectRecord, { propertyType, attributes, isOfUnit }: StatedDetails): number {
  const isOther = isOfUnit && isBuilding(record);
  let likelihood = propertyType === null ? 1 : factorOf(record.type, record.type === propertyType);
  for (const attribute of COMPARED) {
    const given = attributes[attribute] ?? null;
    // An area of 0 means that the caller does not know it.
    if (given === null || (given === 0 && AREAS.has(attribute))) continue;
    const recorded = isOther && !SHARED_BY_UNITS.has(attribute) ? null : record.attributes[attribute];
    likelihood *= factorOf(recorded, recorded !== null && isAlike(attribute, given, recorded));
  }
  return likelihood;
}

function factorOf(recorded: unknown, isSame: boolean): number {
  return recorded === null ? LIKELIHOOD.unknown : isSame ? LIKELIHOOD.same : LIKELIHOOD.different;
}

/** Whether two sources can mean the same home by this detail. */
export function isAlike(attribute: Attribute, given: number, recorded: number): boolean {
  if (attribute === 'yearBuilt') return Math.abs(given - recorded) <= 1;
  if (!AREAS.has(attribute)) return given === recorded;
  return Math.abs(given - recorded) <= AREA_TOLERANCE * recorded;
}

/**
 * Whether the parcel is near an address of five or more units, but has the record of a house: then it is a
 * neighbor's. This holds for 4 of 1,500 such addresses in Milwaukee, whose own parcel is not in the parcel file.
 */
export function isNeighborsHouse({ tie, records }: Candidate, unitCount: number): boolean {
  return unitCount > SMALL_UNITS && tie === 'distance' && records.every(({ type }) => type === 'houses');
}

/** Whether several homes of the type can share an address. */
export function isSoldByUnit(type: PropertyType | null): boolean {
  return type === 'condos' || type === 'townhomes';
}

/** How many homes the place allows: 1 for a single parcel, 0 without one. */
export function countHomes(
  { chosen, records }: Pick<ParcelChoice, 'chosen' | 'records'>,
  { unit, unitCount }: Pick<Located, 'unit' | 'unitCount'>,
): number {
  if (chosen === null) {
    const isOfBuilding = unitCount > (unit === '' ? SMALL_UNITS : 1);
    return isOfBuilding ? unitCount : 0;
  }
  const { parcelIds, tie } = chosen;
  if (parcelIds.length > 1) return Math.max(parcelIds.length, unitCount);
  const [{ type }] = records;
  const isOfSomeUnit = tie !== 'unit' && (unitCount > 1 || (unit !== '' && tie === 'address'));
  return isOfSomeUnit && isSoldByUnit(type) ? Math.max(unitCount, 2) : 1;
}
