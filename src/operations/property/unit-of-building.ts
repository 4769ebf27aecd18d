import { PROPERTY_TYPE_LABELS, type PropertyType } from '../../domain/property-types.ts';
import { attributesOf, type Attributes } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { Located } from '../../locate/located.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import { SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';
import type { PropertyValuationRequest } from '../valuation-types.ts';
import type { FoundRecord } from './find-record.ts';
import { isBuilding, type SubjectRecord } from './subject-record.ts';

/** A unit without a record of its own is valued as this type. */
export const UNIT_TYPE: PropertyType = 'condos';

/** The record to value with, and whether it is that of a unit, a home or a building. */
export interface ResolvedRecord extends Pick<FoundRecord, 'record' | 'place' | 'warnings'> {
  /** The subject is a unit of this building, which is not sold by the unit; null if it is not. */
  readonly building: SubjectRecord | null;
  /** The type if neither the request nor a record has one. */
  readonly defaultType: PropertyType;
  /** Average area of the units of the building; null if it is unknown or the subject is no unit of one. */
  readonly typicalAreaSqft: number | null;
}

/**
 * Tells a unit from its building. A unit of a rental building takes only the year of construction from the
 * building's record: rooms, area, lot and earlier sales are those of the whole building. The average area of its units
 * chooses the homes from which its own area is imputed.
 */
export function resolveUnit(
  request: Pick<PropertyValuationRequest, 'propertyType' | 'attributes'>,
  located: Pick<Located, 'unit' | 'unitCount'>,
  found: FoundRecord,
): ResolvedRecord {
  const { record, place, homeCount } = found;
  const { unit } = located;
  const whole = { record, place, building: null, defaultType: 'houses', typicalAreaSqft: null } as const;
  const isMeantWhole = isMultifamily(request.propertyType);
  if (isBuilding(record) && !isMeantWhole && (unit !== '' || hasRoomsOfOneUnit(request, record))) {
    const { yearBuilt, livingAreaSqft, totalUnits } = record.attributes;
    return {
      record: { type: null, attributes: attributesOf({ yearBuilt }), features: {} },
      place: { ...place, parcelId: null },
      warnings: [...found.warnings, unitOfRentalBuilding(unit, record)],
      building: record,
      defaultType: UNIT_TYPE,
      typicalAreaSqft: livingAreaSqft && totalUnits ? livingAreaSqft / totalUnits : null,
    };
  }
  if (homeCount > 1) {
    const warnings = [...found.warnings, ...sharedParcelWarnings(located, found)];
    return { ...whole, warnings, defaultType: UNIT_TYPE };
  }
  const isOfHouse = record.type === 'houses' && found.tie !== 'unit';
  const isIgnored = unit !== '' && (isMeantWhole || isOfHouse);
  const isWholeBuilding = isBuilding(record) && (isMeantWhole || request.propertyType === null);
  const warnings = [
    ...found.warnings,
    ...(isIgnored ? [unitIgnored(unit)] : []),
    ...(isWholeBuilding ? oneUnitWarnings(request.attributes, record, fieldNameOf) : []),
  ];
  return { ...whole, warnings };
}

function isMultifamily(type: PropertyType | null): boolean {
  return type === 'small_multifamily' || type === 'multifamily';
}

/**
 * A building of five or more units has at least one bath per unit. With fewer than half as many bedrooms and
 * baths as units, the request describes one of its units.
 */
function hasRoomsOfOneUnit(
  { attributes: { bedrooms, bathrooms } }: Pick<PropertyValuationRequest, 'attributes'>,
  { type, attributes: { totalUnits } }: SubjectRecord,
): boolean {
  const units = totalUnits ?? (type === 'multifamily' ? SMALL_UNITS + 1 : 0);
  if (units <= SMALL_UNITS || !bathrooms || bedrooms === null) return false;
  return Math.max(bedrooms, bathrooms) < units / 2;
}

function unitOfRentalBuilding(unit: string, { attributes: { totalUnits } }: SubjectRecord): Warning {
  const building = totalUnits === null ? 'a building' : `a building of ${totalUnits} units`;
  const subject = unit === '' ? 'The rooms given are those of one unit' : `Unit ${unit} is in`;
  return {
    code: 'unit_not_sold_separately',
    field: 'address',
    message:
      (unit === '' ? `${subject}, and the record is of ${building}` : `${subject} ${building}`) +
      ', whose units are not sold separately. It was valued as if it could be sold like ' +
      `a ${PROPERTY_TYPE_LABELS[UNIT_TYPE].toLowerCase()}, without the details of the building. For the ` +
      'building, use POST /v1/avm/multifamily; for its rent, POST /v1/avm/rental.',
  };
}

/**
 * Warns if the rooms given for a building fit one of its units: at most half as many as it has units, or in each
 * unit as many as the record has in all.
 *
 * @param nameOf the wire name of an attribute in this kind of valuation
 */
export function oneUnitWarnings(
  { bedrooms, bathrooms, totalUnits }: Attributes,
  { attributes: recorded }: SubjectRecord,
  nameOf: (attribute: string) => string,
): Warning[] {
  const units = totalUnits ?? recorded.totalUnits ?? 1;
  if (units < 2 || !bathrooms || !bedrooms) return [];
  const isFew = Math.min(bedrooms, bathrooms) <= units / 2;
  const isShare =
    recorded.bedrooms !== null &&
    recorded.bathrooms !== null &&
    bedrooms * units <= recorded.bedrooms &&
    bathrooms * units <= recorded.bathrooms;
  if (!isFew && !isShare) return [];
  const message =
    `The rooms given fit one unit rather than a building of ${units} units. The whole building was valued; give ` +
    'the rooms of all its units.';
  return [{ code: 'rooms_of_one_unit', field: nameOf('bedrooms'), message }];
}

/** Warnings of a place that several parcels share, such as the units of a condominium. */
export function sharedParcelWarnings(
  { unit, unitCount }: Pick<Located, 'unit' | 'unitCount'>,
  { homeCount }: Pick<FoundRecord, 'homeCount'>,
): Warning[] {
  if (homeCount <= 1) return [];
  const common = 'Only what their records agree on was used; the rest was imputed.';
  const count = Math.max(homeCount, unitCount);
  if (unit !== '') {
    const message = `No record is known to be that of unit ${unit} among the ${count} units here. ${common}`;
    return [{ code: 'unit_record_unknown', field: 'address', message }];
  }
  const message = `${count} units share this location, and the request names none. ${common} Add the unit to the address.`;
  return [{ code: 'unit_missing', field: 'address', message }];
}

/** The request is for the building although its address names a unit. */
export function unitIgnored(unit: string): Warning {
  const message = `The address names unit ${unit}, but the whole property was valued.`;
  return { code: 'unit_ignored', field: 'address', message };
}
