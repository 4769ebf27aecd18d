import type { Attributes } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import { SALE_LIMITS } from '../../valuation/flags/sale-limits.ts';
import { SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';
import { describeSubject, type DescribedSubject } from '../property/describe-subject.ts';
import type { MultifamilyValuationRequest } from '../valuation/requests.ts';
import { NO_RECORD, type SubjectRecord } from '../valuation/subject-record.ts';

/** The building as request and record describe it. Its number of units alone decides its type (contract §1). */
export function describeMultifamily(
  request: MultifamilyValuationRequest,
  record: SubjectRecord,
  place: Parameters<typeof describeSubject>[2],
): DescribedSubject {
  const propertyType = request.totalUnits <= SMALL_UNITS ? 'small_multifamily' : 'multifamily';
  const { attributes, warnings } = withoutEmptyRooms(request);
  const isOther = isOfAnotherBuilding(request, record);
  const subject = describeSubject(
    { propertyType, attributes: withStoriesThatExist(attributes) },
    isOther ? NO_RECORD : record,
    place,
  );
  return {
    ...subject,
    warnings: [
      ...mismatchWarnings(request, propertyType),
      ...(isOther ? [otherBuilding(request, record)] : []),
      ...warnings,
      ...subject.warnings,
    ],
  };
}

/** A record of so many times as many units, or as few, tells of another building: its area is not this one's. */
const OTHER_BUILDING_FACTOR = 2;

/**
 * A home let or sold as one is no building of five units: its area over so many would make units of a few square feet.
 * Of two to four units it may be the same house, divided since.
 */
function isOfAnotherBuilding(
  { totalUnits }: MultifamilyValuationRequest,
  { type, attributes }: SubjectRecord,
): boolean {
  const isBuilding = type === null || type === 'small_multifamily' || type === 'multifamily';
  if (!isBuilding) return totalUnits > SMALL_UNITS;
  const recorded = attributes.totalUnits ?? totalUnits;
  return Math.max(recorded / totalUnits, totalUnits / recorded) >= OTHER_BUILDING_FACTOR;
}

function otherBuilding({ totalUnits }: MultifamilyValuationRequest, record: SubjectRecord): Warning {
  const { totalUnits: recorded } = record.attributes;
  const described = recorded === null ? record.type : `${record.type ?? 'a building'} of ${recorded} units`;
  return {
    code: 'record_of_another_building',
    field: 'total_units',
    message: `The record here is of ${described}, which cannot be a building of ${totalUnits} units, so the record was not used.`,
  };
}

/** The specification sets stories no limit. No building has more than these; beyond, differences would grow to infinity. */
function withStoriesThatExist(attributes: Attributes): Attributes {
  const { stories } = attributes;
  return stories === null
    ? attributes
    : { ...attributes, stories: Math.min(stories, SALE_LIMITS.mostStories.multifamily) };
}

function mismatchWarnings(request: MultifamilyValuationRequest, derived: string): Warning[] {
  if (request.propertyType === null || request.propertyType === derived) return [];
  return [
    {
      code: 'property_type_mismatch',
      field: 'property_type',
      message: `property_type is ${request.propertyType}, but ${request.totalUnits} units make it ${derived}: valued as ${derived}.`,
    },
  ];
}

/**
 * A building of five units and more has a bathroom: 0 can only mean that nobody counted, as in most assessors' records
 * of such buildings. Bedrooms of 0 beside it were not counted either; with bathrooms they say that all are studios.
 */
function withoutEmptyRooms({
  attributes,
  totalUnits,
}: MultifamilyValuationRequest): Pick<MultifamilyValuationRequest, 'attributes' | 'warnings'> {
  if (totalUnits <= SMALL_UNITS || attributes.bathrooms !== 0) return { attributes, warnings: [] };
  const noBedrooms = attributes.bedrooms === 0;
  return {
    attributes: { ...attributes, bathrooms: null, bedrooms: noBedrooms ? null : attributes.bedrooms },
    warnings: [zeroUnknown('bathrooms'), ...(noBedrooms ? [zeroUnknown('bedrooms')] : [])],
  };
}

function zeroUnknown(field: string): Warning {
  return {
    code: 'zero_taken_as_unknown',
    field,
    message: `${field} is 0 for a building of five units or more, which was taken to mean that they are not known.`,
  };
}
