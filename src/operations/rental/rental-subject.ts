import { attributesOf, type PropertyType } from '../../domain/property.ts';
import { RENT_FEATURES } from '../../domain/rent.ts';
import type { Warning } from '../../domain/warning.ts';
import type { AttributeSources } from '../../valuation/imputation/impute-subject.ts';
import type { RentalUnit } from '../../valuation/rental/value-units.ts';
import type { Home } from '../../valuation/subject.ts';
import type { RentalValuationRequest } from '../valuation/requests.ts';
import type { SubjectRecord } from '../valuation/subject-record.ts';

type Source = 'request' | 'record' | 'default';

/** A building whose units are valued, as the request and the record describe it. */
export interface DescribedBuilding {
  /** Details of the building. Details of a unit are in `units`. */
  readonly home: Home;
  readonly typeSource: Source;
  readonly sources: AttributeSources;
  /** Source of `has_parking`; null if it is unknown. */
  readonly parkingSource: 'request' | 'record' | null;
  readonly units: readonly RentalUnit[];
  readonly warnings: readonly Warning[];
}

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
  place: { readonly lat: number; readonly lon: number; readonly parcelId: string | null },
): DescribedBuilding {
  const { type, typeSource } = typeOf(request, record);
  const total = totalUnitsOf(request, record, type);
  const isWhole = WHOLE_HOMES.has(type) && total.units === 1 && request.units.length === 1;
  const units = request.units.map((unit) => ({
    ...unit,
    sizeSqft: unit.sizeSqft || (isWhole ? record.attributes.livingAreaSqft : null),
  }));
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
    home: { ...place, type, attributes: attributesOf(known), features },
    typeSource,
    sources: {
      ...sourcesOf(known, 'record'),
      ...sourcesOf(given, 'request'),
      totalUnits: total.source,
      bedrooms: 'request',
      bathrooms: 'request',
      livingAreaSqft: isWhole && !request.units[0].sizeSqft ? 'record' : 'request',
    },
    parkingSource: parkingSource(parking, features),
    units,
    warnings: [
      ...typeWarnings(typeSource, type),
      ...unitWarnings(request, type, total),
      ...sizeWarnings(request.units),
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

function parkingSource(
  given: number | null,
  features: SubjectRecord['features'],
): DescribedBuilding['parkingSource'] {
  if (given !== null) return 'request';
  return features[RENT_FEATURES.hasParking] === undefined ? null : 'record';
}

function typeOf(
  { propertyType, totalUnits, units }: RentalValuationRequest,
  record: SubjectRecord,
): { type: PropertyType; typeSource: Source } {
  if (propertyType) return { type: propertyType, typeSource: 'request' };
  if (record.type) return { type: record.type, typeSource: 'record' };
  if (units.length === 1) return { type: 'condos', typeSource: 'default' };
  const inBuilding = Math.max(totalUnits ?? 0, units.length);
  const type = inBuilding < LEAST_MULTIFAMILY_UNITS ? 'small_multifamily' : 'multifamily';
  return { type, typeSource: 'default' };
}

interface TotalUnits {
  readonly units: number;
  readonly source: Source;
}

/** A record's unit count is valid only for the recorded type. */
function totalUnitsOf(
  request: RentalValuationRequest,
  record: SubjectRecord,
  type: PropertyType,
): TotalUnits {
  if (request.totalUnits !== null) return { units: request.totalUnits, source: 'request' };
  const recorded = record.type === null || record.type === type ? record.attributes.totalUnits : null;
  if (recorded !== null) return { units: Math.max(1, Math.round(recorded)), source: 'record' };
  if (WHOLE_HOMES.has(type)) return { units: 1, source: 'default' };
  if (type === 'small_multifamily') return { units: 2, source: 'default' };
  return { units: Math.max(LEAST_MULTIFAMILY_UNITS, request.units.length), source: 'default' };
}

function typeWarnings(typeSource: Source, type: PropertyType): Warning[] {
  if (typeSource !== 'default') return [];
  return [
    {
      code: 'property_type_assumed',
      field: 'property_type',
      message: `No property_type was given and no record has one; the number of units suggests ${type}.`,
    },
  ];
}

function unitWarnings({ units }: RentalValuationRequest, type: PropertyType, total: TotalUnits): Warning[] {
  const warnings: Warning[] = [];
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

function sizeWarnings(units: readonly RentalUnit[]): Warning[] {
  if (!units.some(({ sizeSqft }) => sizeSqft === 0)) return [];
  return [
    {
      code: 'zero_taken_as_unknown',
      field: 'size',
      message: 'size is 0, so it was treated as unknown.',
    },
  ];
}
