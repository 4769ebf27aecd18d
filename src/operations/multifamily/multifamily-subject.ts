import type { Warning } from '../../domain/warning.ts';
import { SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';
import { describeSubject, type DescribedSubject } from '../property/describe-subject.ts';
import type { MultifamilyValuationRequest } from './multifamily-valuation.ts';
import type { SubjectRecord } from '../valuation/subject-record.ts';

/** The building as request and record describe it. Its number of units alone decides its type (contract §1). */
export function describeMultifamily(
  request: MultifamilyValuationRequest,
  record: SubjectRecord,
  place: Parameters<typeof describeSubject>[2],
): DescribedSubject {
  const propertyType = request.totalUnits <= SMALL_UNITS ? 'small_multifamily' : 'multifamily';
  const { attributes, warnings } = withoutEmptyRooms(request);
  const subject = describeSubject({ propertyType, attributes }, record, place);
  return {
    ...subject,
    warnings: [...mismatchWarnings(request, propertyType), ...warnings, ...subject.warnings],
  };
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
