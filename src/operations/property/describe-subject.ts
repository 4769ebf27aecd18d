import {
  ATTRIBUTES,
  attributesOf,
  type Attribute,
  type Attributes,
  type PropertyType,
} from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { AttributeSources } from '../../valuation/imputation/impute-subject.ts';
import type { Home } from '../../valuation/subject.ts';
import type { PropertyValuationRequest } from '../valuation/requests.ts';
import type { SubjectRecord } from '../valuation/subject-record.ts';

/** The subject as the request and the record describe it. Details that neither has are imputed later. */
export interface DescribedSubject {
  readonly home: Home;
  readonly typeSource: 'request' | 'record' | 'default';
  readonly sources: AttributeSources;
  readonly warnings: readonly Warning[];
}

/** The request takes precedence over the record. The type decides what an omitted unit count means. */
export function describeSubject(
  request: Pick<PropertyValuationRequest, 'propertyType' | 'attributes'>,
  record: SubjectRecord,
  place: { readonly lat: number; readonly lon: number; readonly parcelId: string | null },
): DescribedSubject {
  const type = request.propertyType ?? record.type ?? 'houses';
  const typeSource = request.propertyType ? 'request' : record.type ? 'record' : 'default';
  const given = withoutEmptyAreas(request.attributes);
  const attributes: Partial<Record<Attribute, number | null>> = {};
  const sources: { [A in Attribute]?: 'request' | 'record' } = {};
  for (const attribute of ATTRIBUTES) {
    const recorded = attribute === 'totalUnits' ? recordedUnits(record, type) : record.attributes[attribute];
    attributes[attribute] = given[attribute] ?? recorded;
    if (given[attribute] !== null) sources[attribute] = 'request';
    else if (recorded !== null) sources[attribute] = 'record';
  }
  const known = attributesOf(attributes);
  return {
    home: { ...place, type, attributes: known, features: record.features },
    typeSource,
    sources,
    warnings: [...warningsOf(typeSource, type, known), ...emptyAreaWarnings(request.attributes)],
  };
}

/** The API allows an area of 0. No home has one, so 0 can only mean that the caller does not know it. */
const AREAS = { livingAreaSqft: 'living_area', lotSizeSqft: 'lot_size' } as const;

function withoutEmptyAreas(attributes: Attributes): Attributes {
  return {
    ...attributes,
    livingAreaSqft: attributes.livingAreaSqft || null,
    lotSizeSqft: attributes.lotSizeSqft || null,
  };
}

function emptyAreaWarnings(attributes: Attributes): Warning[] {
  return (['livingAreaSqft', 'lotSizeSqft'] as const)
    .filter((attribute) => attributes[attribute] === 0)
    .map((attribute) => ({
      code: 'zero_taken_as_unknown',
      field: AREAS[attribute],
      message: `${AREAS[attribute]} is 0, so it was treated as unknown.`,
    }));
}

/**
 * A record's unit count is valid only for the recorded type. A request with another type means another
 * building.
 */
function recordedUnits(record: SubjectRecord, type: PropertyType): number | null {
  return record.type === null || record.type === type ? record.attributes.totalUnits : null;
}

function warningsOf(
  typeSource: DescribedSubject['typeSource'],
  type: PropertyType,
  attributes: Attributes,
): Warning[] {
  const warnings: Warning[] = [];
  if (typeSource === 'default') {
    warnings.push({
      code: 'property_type_assumed',
      field: 'property_type',
      message: 'No property_type was given and no record has one, so the subject was valued as a house.',
    });
  }
  if (type === 'multifamily' && attributes.totalUnits === null) {
    warnings.push({
      code: 'units_unknown',
      field: 'total_units',
      message:
        'No record has the number of units of this building, so it was imputed from nearby buildings. ' +
        'You can give the number to POST /v1/avm/multifamily.',
    });
  }
  return warnings;
}
