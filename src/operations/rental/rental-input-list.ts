import { ATTRIBUTES } from '../../domain/property.ts';
import { RENTAL_FIELDS, RENTAL_UNIT_FIELDS } from '../../domain/property-attributes.ts';
import { RENT_FEATURES } from '../../domain/rent.ts';
import { rentalFieldNameOf } from '../../schemas/field-names.ts';
import type { ValuedUnit } from '../../valuation/rental/value-units.ts';
import type { ImputedSubject } from '../../valuation/subject.ts';
import { attributeValue } from '../valuation/value-members.ts';
import type { DescribedBuilding, RentalInput } from '../valued-kinds.ts';

/** Given per unit in `units`, so not listed with the building's inputs, except for an imputed size. */
const OF_UNITS: ReadonlySet<string> = new Set(RENTAL_UNIT_FIELDS.map(({ key }) => key));
/** Listed even if unknown, because a caller may enter them. The others are listed only if known. */
const ENTERED_FOR_BUILDINGS: ReadonlySet<string> = new Set(RENTAL_FIELDS.map(({ key }) => key));

/**
 * The inputs of the rents: first those of the building, then the imputed sizes. If a detail of the building
 * was imputed separately for each unit, the most frequent value is listed.
 */
export function rentalInputsOf(building: DescribedBuilding, units: readonly ValuedUnit[]): RentalInput[] {
  const subjects = units.map(({ valued }) => valued.subject);
  const attributes = subjects[0].inputs.flatMap(({ attribute, source }, at): RentalInput[] => {
    if (OF_UNITS.has(attribute)) return [];
    if (source === 'default' && !ENTERED_FOR_BUILDINGS.has(attribute)) return [];
    const { value, support } = mostCommon(
      subjects.map((subject) => subject.inputs[at]),
      (input) => input.value,
    );
    return [inputLine(rentalFieldNameOf(attribute), attributeValue(attribute, value), source, support)];
  });
  return [typeOf(building), ...attributes, parkingOf(building, subjects), ...sizesOf(subjects)];
}

/** What is known about the building if no listing was used to impute the rest. */
export function inputsAsGiven(building: DescribedBuilding): RentalInput[] {
  const { home, sources } = building;
  const attributes = ATTRIBUTES.flatMap((field): RentalInput[] => {
    const known = home.attributes[field];
    if (OF_UNITS.has(field) || (known === null && !ENTERED_FOR_BUILDINGS.has(field))) return [];
    const source = known === null ? 'default' : (sources[field] ?? 'default');
    return [inputLine(rentalFieldNameOf(field), attributeValue(field, known), source)];
  });
  return [typeOf(building), ...attributes, parkingOf(building, [])];
}

/** `unitIndex` is null for details of the building. */
function inputLine(
  field: string,
  value: RentalInput['value'],
  source: RentalInput['source'],
  support: number | null = null,
  unitIndex: readonly number[] | null = null,
): RentalInput {
  return { field, value, source, support, unitIndex };
}

function typeOf({ home, typeSource }: DescribedBuilding): RentalInput {
  return inputLine('property_type', home.type, typeSource);
}

function parkingOf(
  { home, parkingSource }: DescribedBuilding,
  subjects: readonly ImputedSubject[],
): RentalInput {
  const field = 'has_parking';
  if (parkingSource !== null) {
    return inputLine(field, home.features[RENT_FEATURES.hasParking] === '1', parkingSource);
  }
  const imputed = subjects.flatMap(({ imputedFeatures }) =>
    imputedFeatures.filter(({ name }) => name === RENT_FEATURES.hasParking),
  );
  if (imputed.length === 0) return inputLine(field, null, 'default');
  const { value, support } = mostCommon(imputed, (feature) => feature.value);
  return inputLine(field, value === null ? null : value === '1', 'comparables', support);
}

/** The first input with the most frequent value. */
function mostCommon<Item>(items: readonly Item[], valueOf: (item: Item) => unknown): Item {
  const groups = Map.groupBy(items, valueOf);
  return [...groups.values()].reduce((best, group) => (group.length > best.length ? group : best))[0];
}

/** For each group of identical units whose size was imputed. Identical units share one subject. */
function sizesOf(subjects: readonly ImputedSubject[]): RentalInput[] {
  return [...new Set(subjects)].flatMap((subject) =>
    subject.inputs
      .filter(({ attribute, source }) => attribute === 'livingAreaSqft' && source !== 'request')
      .map(({ attribute, value, source, support }) => {
        const unitIndex = subjects.flatMap((other, index) => (other === subject ? [index] : []));
        return inputLine(rentalFieldNameOf(attribute), value, source, support, unitIndex);
      }),
  );
}
