import { attributesOf, type PropertyType } from '../../domain/property.ts';
import { RENT_FEATURES } from '../../domain/rent.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import type { Located } from '../../locate/located.ts';
import type { OnParcel } from '../../valuation/columns/sale-columns.ts';
import { contradictedFigures } from '../../valuation/plausibility.ts';
import type { AttributeSources } from '../../valuation/imputation/impute-subject.ts';
import type { CensusRentData } from '../../valuation/rental/census-rent.ts';
import type { OperationDeps } from '../deps.ts';
import { orCoverageError } from '../market-data/market-catalog.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import type { StatedDetails } from '../property/choose-parcel.ts';
import { findRecord } from '../property/find-record.ts';
import type { SubjectRecord } from '../property/subject-record.ts';
import {
  recordedUnits,
  typeAssumed,
  withAlternatives,
  zeroTakenAsUnknown,
} from '../property/gather-property-inputs.ts';
import { sharedParcelWarnings } from '../property/unit-of-building.ts';
import { withGivenFeatures } from '../valuation/own-features.ts';
import type {
  DescribedBuilding,
  DescribedSubject,
  RentalInputs,
  RentalValuationRequest,
} from '../valuation-types.ts';
import { findCensusRents } from './census-rents.ts';

/**
 * Gathers the valuation inputs of rents: the listings of the place, or census rents, and the building as the
 * request and records describe it.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`
 */
export async function gatherRentalInputs(
  deps: OperationDeps,
  located: Located,
  request: RentalValuationRequest,
): Promise<RentalInputs> {
  const { lat, lon } = located;
  const { asOf, search } = request;
  const [sales, rents] = await Promise.all([
    orCoverageError(deps.markets.at('property', lat, lon, asOf)),
    orCoverageError(deps.markets.at('rental', lat, lon, asOf)),
  ]);
  const source =
    rents instanceof PlumblineError
      ? { census: await censusRentsAt(deps, located, asOf, sales, rents) }
      : { ...rents.inputs, rentsDatasetId: rents.dataset?.datasetId ?? null };
  const found = {
    sales: sales instanceof PlumblineError ? null : sales,
    listings: rents instanceof PlumblineError ? null : rents,
  };
  const record = await findRecord(deps, found, located, asOf, statedDetails(request));
  const describe = (other: SubjectRecord, place: OnParcel) => describeBuilding(request, other, place);
  return {
    ...source,
    asOf,
    search,
    building: withGivenFeatures(
      withAlternatives(describeBuilding(request, record.record, record.place), record.alternatives, describe),
      found.listings,
      request.features,
    ),
    warnings: [
      ...request.warnings,
      ...located.warnings,
      ...record.warnings,
      ...(request.units.length === 1 ? sharedParcelWarnings(located, record) : []),
    ],
  };
}

/** Rooms and size of a single unit are compared with records of homes, not with those of buildings. */
function statedDetails({ propertyType, totalUnits, units }: RentalValuationRequest): StatedDetails {
  const [{ bedrooms, bathrooms, sizeSqft: livingAreaSqft }] = units;
  const ofUnit = units.length === 1 ? { bedrooms, bathrooms, livingAreaSqft: livingAreaSqft || null } : {};
  return { propertyType, attributes: { totalUnits, ...ofUnit }, isOfUnit: true };
}

/**
 * The census rents at a place without listings. If the place has sales, or census rents that were published
 * later, it counts as covered and the error names what is missing.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`
 */
async function censusRentsAt(
  deps: OperationDeps,
  place: Located,
  asOf: number,
  sales: ActiveMarket | PlumblineError,
  noListings: PlumblineError,
): Promise<CensusRentData> {
  const census = await findCensusRents(deps.places, deps.rentListings, place, asOf);
  if (!('missing' in census)) return census;
  const hasSales = !(sales instanceof PlumblineError) || sales.code === 'insufficient_data';
  const code = hasSales || census.tooNew !== null ? 'insufficient_data' : noListings.code;
  // If a market has rents here but no model for the day, its own error says so.
  const but = hasSales && noListings.code === 'outside_coverage' ? 'This place has sales but no rents: ' : '';
  throw new PlumblineError(code, `${but}${noListings.message} ${census.missing}`);
}

type Source = DescribedSubject['typeSource'];

/** Types that are rented as a whole, so their record describes their one unit. */
const WHOLE_HOMES: ReadonlySet<PropertyType> = new Set(['houses', 'townhomes', 'condos', 'mobile']);
const LEAST_MULTIFAMILY_UNITS = 5;
/** Source of the number of units, in the words of a warning. */
const COUNT_SOURCES = {
  request: 'as given',
  record: 'as recorded',
  default: 'not given, so the default of the type',
} as const;

/** The request takes precedence over the record. The type decides what an omitted unit count means. */
export function describeBuilding(
  request: RentalValuationRequest,
  record: SubjectRecord,
  place: OnParcel,
): DescribedBuilding {
  const { type, typeSource } = typeOf(request, record);
  const total = totalUnitsOf(request, record, type);
  const isWhole = WHOLE_HOMES.has(type) && total.units === 1 && request.units.length === 1;
  const units = request.units.map((unit) => ({
    ...unit,
    sizeSqft: unit.sizeSqft || (isWhole ? record.attributes.livingAreaSqft : null),
  }));
  const [{ bedrooms, bathrooms, sizeSqft }] = request.units;
  const figures = isWhole
    ? contradictedFigures({ bedrooms, bathrooms, livingAreaSqft: sizeSqft || null }, record.attributes)
    : {};
  const given = {
    condition: request.condition,
    hasCentralAir: asNumber(request.hasCentralAir),
    hasLaundry: asNumber(request.hasLaundry),
  };
  const known = { ...record.attributes, ...withoutNulls(given), totalUnits: total.units };
  const parking = asNumber(request.hasParking);
  const features = { ...record.features };
  if (parking !== null) features[RENT_FEATURES.hasParking] = String(parking);
  return {
    home: {
      ...place,
      type,
      attributes: attributesOf({ ...known, livingAreaSqft: units.length === 1 ? units[0].sizeSqft : null }),
      features,
      ...(Object.keys(figures).length > 0 && { recorded: { type, attributes: figures } }),
    },
    typeSource,
    sources: {
      ...sourcesOf(known, 'record'),
      ...sourcesOf(given, 'request'),
      totalUnits: total.source,
      bedrooms: 'request',
      bathrooms: 'request',
      livingAreaSqft: isWhole && !request.units[0].sizeSqft ? 'record' : 'request',
    },
    parkingSource: parking !== null ? 'request' : RENT_FEATURES.hasParking in features ? 'record' : null,
    units,
    warnings: [
      ...warningsOf(request, { type, typeSource }, total),
      ...(request.units.some(({ sizeSqft }) => sizeSqft === 0) ? [zeroTakenAsUnknown('size')] : []),
    ],
  };
}

function asNumber(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}

function withoutNulls(values: Readonly<Record<string, number | null>>): Record<string, number | null> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function sourcesOf(values: Readonly<Record<string, number | null>>, source: Source): AttributeSources {
  return Object.fromEntries(Object.keys(withoutNulls(values)).map((attribute) => [attribute, source]));
}

function typeOf(
  { propertyType, totalUnits, units }: RentalValuationRequest,
  record: SubjectRecord,
): KnownType {
  if (propertyType) return { type: propertyType, typeSource: 'request' };
  if (record.type) return { type: record.type, typeSource: 'record' };
  if (units.length === 1) return { type: 'condos', typeSource: 'default' };
  const inBuilding = Math.max(totalUnits ?? 0, units.length);
  const type = inBuilding < LEAST_MULTIFAMILY_UNITS ? 'small_multifamily' : 'multifamily';
  return { type, typeSource: 'default' };
}

interface KnownType {
  readonly type: PropertyType;
  readonly typeSource: Source;
}

interface TotalUnits {
  readonly units: number;
  readonly source: Source;
}

function totalUnitsOf(
  request: RentalValuationRequest,
  record: SubjectRecord,
  type: PropertyType,
): TotalUnits {
  if (request.totalUnits !== null) return { units: request.totalUnits, source: 'request' };
  const recorded = recordedUnits(record, type);
  if (recorded !== null) return { units: Math.max(1, Math.round(recorded)), source: 'record' };
  if (WHOLE_HOMES.has(type)) return { units: 1, source: 'default' };
  if (type === 'small_multifamily') return { units: 2, source: 'default' };
  return { units: Math.max(LEAST_MULTIFAMILY_UNITS, request.units.length), source: 'default' };
}

function warningsOf(
  { units }: RentalValuationRequest,
  { type, typeSource }: KnownType,
  total: TotalUnits,
): Warning[] {
  const warnings: Warning[] = [];
  if (typeSource === 'default') {
    warnings.push(typeAssumed(`; the number of units suggests ${type}`));
  }
  if (type === 'multifamily' && total.source === 'default') {
    warnings.push({
      code: 'units_assumed',
      field: 'total_units',
      message: `No total_units was given and no record has it, so a building of ${total.units} units was assumed.`,
    });
  }
  if (units.length > total.units) {
    warnings.push({
      code: 'units_exceed_building',
      field: 'units',
      message: `${units.length} units are to be valued in a building of ${total.units} (total_units: ${COUNT_SOURCES[total.source]}).`,
    });
  }
  return warnings;
}
