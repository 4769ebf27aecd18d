import type { Attributes } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import { SALE_LIMITS } from '../../valuation/flags/sale-limits.ts';
import { SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';
import { describeSubject, type DescribedSubject } from '../property/describe-subject.ts';
import type { MultifamilyValuationRequest } from '../valuation/requests.ts';
import { NO_RECORD, type SubjectRecord } from '../valuation/subject-record.ts';

/** Describes the building from the request and the record. The number of units alone decides its type. */
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

/**
 * If the record has this many times more or fewer units, it describes another building, so its area is not
 * used.
 */
const OTHER_BUILDING_FACTOR = 2;

/**
 * A home that was rented or sold as one dwelling is not a building of five units: dividing its area would
 * give units of a few square feet. A building of two to four units may be the same house, divided since.
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

/**
 * The API sets no limit on stories. No building has more than this number. Without a limit, the differences
 * would grow to infinity.
 */
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
 * A building of five or more units has bathrooms, so 0 bathrooms means that nobody counted them; most
 * assessors record 0 for such buildings. If bathrooms are 0, then 0 bedrooms were not counted either. If
 * bathrooms are known, 0 bedrooms mean that all units are studios.
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
    message: `${field} is 0 for a building of five or more units, so it was treated as unknown.`,
  };
}
