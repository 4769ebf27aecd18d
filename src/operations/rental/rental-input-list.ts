import { ATTRIBUTES } from '../../domain/property.ts';
import { RENTAL_FIELDS, RENTAL_UNIT_FIELDS } from '../../domain/property-attributes.ts';
import { RENT_FEATURES } from '../../domain/rent.ts';
import type { ValuedUnit } from '../../valuation/rental/value-units.ts';
import type { ImputedSubject } from '../../valuation/subject.ts';
import { rentalFieldNameOf } from '../../schemas/field-names.ts';
import type { RentalInput } from '../valuation/responses.ts';
import { attributeValue } from '../valuation/value-figures.ts';
import type { DescribedBuilding } from './rental-subject.ts';

/** Given per unit in `units`, so not listed with the building's inputs, except for an imputed size. */
const OF_UNITS: ReadonlySet<string> = new Set(RENTAL_UNIT_FIELDS.map(({ key }) => key));
/** Listed even if unknown, because a caller may enter them. The others are listed only if known. */
const ASKED_OF_BUILDINGS: ReadonlySet<string> = new Set(RENTAL_FIELDS.map(({ key }) => key));

/**
 * The inputs of the rents: first those of the building, then the imputed sizes. If a detail of the building
 * was imputed separately for each unit, the most frequent value is listed.
 */
export function rentalInputsOf(building: DescribedBuilding, units: readonly ValuedUnit[]): RentalInput[] {
  const subjects = units.map(({ valued }) => valued.subject);
  return [
    {
      field: 'property_type',
      value: building.home.type,
      source: building.typeSource,
      support: null,
      unitIndex: null,
    },
    ...attributesOfBuilding(subjects),
    parkingOf(building, subjects),
    ...sizesOf(subjects),
  ];
}

/** What is known about the building if no listing was used to impute the rest. */
export function inputsAsGiven(building: DescribedBuilding): RentalInput[] {
  const { home, typeSource, sources } = building;
  const attributes = ATTRIBUTES.flatMap((field): RentalInput[] => {
    const known = home.attributes[field];
    if (OF_UNITS.has(field) || (known === null && !ASKED_OF_BUILDINGS.has(field))) return [];
    const source = known === null ? 'default' : (sources[field] ?? 'default');
    return [
      {
        field: rentalFieldNameOf(field),
        value: attributeValue(field, known),
        source,
        support: null,
        unitIndex: null,
      },
    ];
  });
  return [
    { field: 'property_type', value: home.type, source: typeSource, support: null, unitIndex: null },
    ...attributes,
    parkingOf(building, []),
  ];
}

function attributesOfBuilding(subjects: readonly ImputedSubject[]): RentalInput[] {
  const { inputs } = subjects[0];
  return inputs.flatMap(({ attribute, source }, at): RentalInput[] => {
    if (OF_UNITS.has(attribute)) return [];
    if (source === 'default' && !ASKED_OF_BUILDINGS.has(attribute)) return [];
    const { value, support } = mostCommon(
      subjects.map((subject) => subject.inputs[at]),
      (input) => input.value,
    );
    return [
      {
        field: rentalFieldNameOf(attribute),
        value: attributeValue(attribute, value),
        source,
        support,
        unitIndex: null,
      },
    ];
  });
}

function parkingOf(building: DescribedBuilding, subjects: readonly ImputedSubject[]): RentalInput {
  const field = 'has_parking';
  const known = building.home.features[RENT_FEATURES.hasParking];
  if (building.parkingSource !== null) {
    return { field, value: known === '1', source: building.parkingSource, support: null, unitIndex: null };
  }
  const filled = subjects.flatMap(({ imputedFeatures }) =>
    imputedFeatures.filter(({ name }) => name === RENT_FEATURES.hasParking),
  );
  if (filled.length === 0) return { field, value: null, source: 'default', support: null, unitIndex: null };
  const { value, support } = mostCommon(filled, (feature) => feature.value);
  return {
    field,
    value: value === null ? null : value === '1',
    source: 'comparables',
    support,
    unitIndex: null,
  };
}

/** The first input with the most frequent value. */
function mostCommon<Item>(items: readonly Item[], valueOf: (item: Item) => unknown): Item {
  const counts = new Map<unknown, number>();
  for (const item of items) counts.set(valueOf(item), (counts.get(valueOf(item)) ?? 0) + 1);
  return items.reduce((best, item) =>
    (counts.get(valueOf(item)) ?? 0) > (counts.get(valueOf(best)) ?? 0) ? item : best,
  );
}

/** For each group of identical units whose size was imputed. Identical units share one subject. */
function sizesOf(subjects: readonly ImputedSubject[]): RentalInput[] {
  return [...new Set(subjects)].flatMap((subject) =>
    subject.inputs
      .filter(({ attribute, source }) => attribute === 'livingAreaSqft' && source !== 'request')
      .map(({ attribute, value, source, support }) => ({
        field: rentalFieldNameOf(attribute),
        value,
        source,
        support,
        unitIndex: subjects.flatMap((other, index) => (other === subject ? [index] : [])),
      })),
  );
}
