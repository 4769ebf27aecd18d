import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf, type Attributes, type PropertyType } from '../../domain/property.ts';
import type { ParcelGroup } from '../../locate/located.ts';
import { chooseParcel, countHomes, isNeighborsHouse } from './choose-parcel.ts';
import { likeliestType, type FoundRecord } from './find-record.ts';
import { NO_RECORD, type SubjectRecord } from './subject-record.ts';
import { oneUnitWarnings, resolveUnit } from './unit-of-building.ts';

const ONE_BED = { propertyType: null, attributes: attributesOf({ bedrooms: 1, bathrooms: 1 }) };

function recordOf(type: PropertyType | null, attributes: Partial<Attributes> = {}): SubjectRecord {
  return { ...NO_RECORD, type, attributes: attributesOf(attributes) };
}

function foundOf(record: SubjectRecord, homeCount: number): FoundRecord {
  const place = { lat: 43, lon: -88, parcelId: homeCount === 1 ? 'P1' : null };
  return { record, place, homeCount, tie: 'distance', alternatives: [], warnings: [] };
}

function candidateOf(tie: ParcelGroup['tie'], ...records: SubjectRecord[]) {
  return { parcelIds: records.map((_, i) => `P${i}`), awayM: 10, tie, records };
}

function choiceOf(candidate: ReturnType<typeof candidateOf> | null) {
  return chooseParcel(candidate ? [candidate] : [], { ...ONE_BED, isOfUnit: true });
}

test('a unit never takes the type of its building, also if several parcels of buildings share its place', () => {
  for (const type of ['multifamily', 'small_multifamily'] as const) {
    for (const homeCount of [1, 8]) {
      const found = foundOf(recordOf(type, { yearBuilt: 1960, stories: 3 }), homeCount);
      const { record, warnings, building } = resolveUnit(ONE_BED, { unit: '10', unitCount: 50 }, found);
      assert.deepEqual(record, recordOf(null, { yearBuilt: 1960 }));
      assert.equal(building?.type, type);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['unit_not_sold_separately'],
      );
    }
  }
});

test('one bedroom and one bath are never those of a building of five or more units', () => {
  const at = { unit: '', unitCount: 0 };
  for (const totalUnits of [null, 5, 40]) {
    for (const homeCount of [1, 3]) {
      const found = foundOf(recordOf('multifamily', { totalUnits }), homeCount);
      assert.equal(resolveUnit(ONE_BED, at, found).record.type, null);
      const whole = resolveUnit({ ...ONE_BED, propertyType: 'multifamily' }, at, found);
      assert.equal(whole.record.type, 'multifamily');
    }
  }
});

test('the average area of a building’s units chooses the homes from which a unit’s area is imputed', () => {
  const averageOf = (attributes: Partial<Attributes>): number | null =>
    resolveUnit(ONE_BED, { unit: '10', unitCount: 50 }, foundOf(recordOf('multifamily', attributes), 1))
      .typicalAreaSqft;
  assert.equal(averageOf({ livingAreaSqft: 40_000, totalUnits: 50 }), 800);
  assert.equal(averageOf({ livingAreaSqft: 40_000 }), null);
  assert.equal(averageOf({ totalUnits: 50 }), null);
});

test('where several parcels are possible, the type is the likeliest one, and none if no type has half', () => {
  const [house, duplex, none] = [recordOf('houses'), recordOf('small_multifamily'), NO_RECORD];
  const typeOf = (...possible: [number, ...SubjectRecord[]][]) =>
    likeliestType({
      chosen: null,
      records: possible.flatMap(([, ...records]) => records),
      possible: possible.map(([probability, ...records]) => ({
        ...candidateOf('distance', ...records),
        probability,
      })),
      isCertain: false,
    });
  assert.equal(typeOf([0.55, duplex], [0.45, house]), 'small_multifamily');
  assert.equal(typeOf([0.4, duplex, none], [0.45, house]), 'houses');
  assert.equal(typeOf([0.5, duplex], [0.5, house]), null);
  assert.equal(typeOf([0.9, none], [0.1, none]), null);
});

test('an address of several units without a parcel is that of a unit, not of a house', () => {
  const none = choiceOf(null);
  assert.equal(countHomes(none, { unit: '902', unitCount: 2 }), 2);
  assert.equal(countHomes(none, { unit: '', unitCount: 5 }), 5);
  // A house with a second dwelling, and a unit of which the index has no other.
  assert.equal(countHomes(none, { unit: '', unitCount: 2 }), 0);
  assert.equal(countHomes(none, { unit: '902', unitCount: 1 }), 0);
});

test('the record of a condominium is a unit’s own only if its address names the unit', () => {
  const condo = recordOf('condos', { livingAreaSqft: 900 });
  const countAt = (tie: ParcelGroup['tie'], unit: string, unitCount: number): number =>
    countHomes(choiceOf(candidateOf(tie, condo)), { unit, unitCount });
  assert.equal(countAt('unit', '1001', 83), 1);
  assert.equal(countAt('distance', '1001', 83), 83);
  assert.equal(countAt('address', '1001', 1), 2);
  assert.equal(countAt('address', '', 83), 83);
  // Coordinates: the index was not searched for units.
  assert.equal(countAt('distance', '1001', 0), 1);
});

test('a house near an address of five or more units is a neighbor’s', () => {
  const [house, duplex] = [recordOf('houses'), recordOf('small_multifamily')];
  assert.equal(isNeighborsHouse(candidateOf('distance', house), 5), true);
  assert.equal(isNeighborsHouse(candidateOf('distance', house), 4), false);
  assert.equal(isNeighborsHouse(candidateOf('address', house), 49), false);
  assert.equal(isNeighborsHouse(candidateOf('distance', duplex), 49), false);
});

test('the rooms of one side of a duplex are a warning, those of the building are not', () => {
  const duplex = recordOf('small_multifamily', { totalUnits: 2, bedrooms: 6, bathrooms: 4 });
  const codesOf = (
    bedrooms: number,
    bathrooms: number,
    propertyType: PropertyType | null = null,
  ): string[] => {
    const request = { propertyType, attributes: attributesOf({ bedrooms, bathrooms }) };
    const { warnings } = resolveUnit(request, { unit: '', unitCount: 0 }, foundOf(duplex, 1));
    return warnings.map(({ code }) => code);
  };
  assert.deepEqual(codesOf(3, 2), ['rooms_of_one_unit']);
  assert.deepEqual(codesOf(5, 1), ['rooms_of_one_unit']);
  assert.deepEqual(codesOf(3, 2, 'small_multifamily'), ['rooms_of_one_unit']);
  assert.deepEqual(codesOf(3, 2, 'condos'), []);
  assert.deepEqual(codesOf(6, 4), []);
  assert.deepEqual(codesOf(5, 2), []);
  const stated = attributesOf({ bedrooms: 2, bathrooms: 1, totalUnits: 8 });
  const [{ field }] = oneUnitWarnings(stated, NO_RECORD, () => 'bedrooms');
  assert.equal(field, 'bedrooms');
  const house = recordOf('houses', { totalUnits: 1, bedrooms: 6, bathrooms: 4 });
  assert.deepEqual(resolveUnit(ONE_BED, { unit: '', unitCount: 0 }, foundOf(house, 1)).warnings, []);
});
