import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  compareFloodAreas,
  floodHazardOf,
  floodRecordOf,
  readFloodRecord,
  type FloodArea,
} from './flood-zone.ts';

const BLANK: FloodArea = {
  dfirmId: null,
  versionId: null,
  areaId: null,
  studyType: null,
  zone: 'X',
  zoneSubtype: null,
  staticBfe: null,
  verticalDatum: null,
  lengthUnit: null,
  sourceCitation: null,
};

test('each zone has the documented label, chance and flag', () => {
  const expected: readonly [readonly string[], string, string | null, boolean][] = [
    [['A', 'AE', 'AH', 'AO', 'AR', 'A99', 'A1', 'A30', 'AR/AE', 'ae'], 'High Risk', '1%', true],
    [['V', 'VE', 'V1', 'V30'], 'Very High Risk', '1%', true],
    [
      ['B', 'X500', '0.2 PCT ANNUAL CHANCE FLOOD HAZARD', 'X PROTECTED BY LEVEE'],
      'Moderate Risk',
      '0.2%',
      false,
    ],
    [['C', 'X', 'X (UNSHADED)', 'AREA OF MINIMAL FLOOD HAZARD'], 'Low Risk', null, false],
    [['D', 'OPEN WATER', 'AREA NOT INCLUDED', 'ANI'], 'Undetermined Risk', null, false],
  ];
  for (const [zones, label, annualRisk, isSfha] of expected) {
    for (const zone of zones) {
      const hazard = floodHazardOf(zone, null);
      assert.deepEqual(
        [hazard?.label, hazard?.annualRisk, hazard?.isSfha],
        [label, annualRisk, isSfha],
        zone,
      );
    }
  }
  for (const zone of ['', 'Z', 'AREA', 'VERY', 'XX', 'A123'])
    assert.equal(floodHazardOf(zone, null), null, zone);
});

test('zone X is shaded for every published subtype except minimal hazard or none', () => {
  const shaded = [
    '0.2 PCT ANNUAL CHANCE FLOOD HAZARD',
    '0.2 PCT ANNUAL CHANCE FLOOD HAZARD CONTAINED IN CHANNEL',
    '1 PCT DEPTH LESS THAN 1 FOOT',
    '1 PCT DRAINAGE AREA LESS THAN 1 SQUARE MILE',
    '1 PCT FUTURE CONDITIONS',
    'AREA WITH REDUCED FLOOD RISK DUE TO LEVEE',
    'AREA WITH REDUCED FLOOD HAZARD DUE TO ACCREDITED LEVEE SYSTEM',
  ];
  for (const subtype of shaded) assert.equal(floodHazardOf('X', subtype)?.label, 'Moderate Risk', subtype);
  for (const subtype of [null, '', ' ', 'AREA OF MINIMAL FLOOD HAZARD', 'Area of Minimal Flood Hazard']) {
    assert.equal(floodHazardOf('X', subtype)?.label, 'Low Risk', String(subtype));
  }
});

test('of overlapping areas, the highest hazard is used in any order', () => {
  const falling: readonly Partial<FloodArea>[] = [
    { zone: 'VE', staticBfe: 12 },
    { zone: 'VE', staticBfe: 11 },
    { zone: 'AE', zoneSubtype: 'FLOODWAY' },
    { zone: 'AE', staticBfe: 581.4 },
    { zone: 'A', areaId: '1' },
    { zone: 'A', areaId: '2' },
    { zone: 'X', zoneSubtype: '0.2 PCT ANNUAL CHANCE FLOOD HAZARD' },
    { zone: 'D' },
    { zone: 'X', zoneSubtype: 'AREA OF MINIMAL FLOOD HAZARD' },
    { zone: 'OPEN WATER' },
    { zone: 'AREA NOT INCLUDED' },
  ];
  const areas = falling.map((members) => ({ ...BLANK, ...members }));
  fc.assert(
    fc.property(fc.shuffledSubarray(areas, { minLength: areas.length }), (shuffled) => {
      assert.deepEqual(shuffled.toSorted(compareFloodAreas), areas);
    }),
  );
});

test('an area round-trips through its record; a studied place is distinguished from it', () => {
  const text = fc.option(fc.string());
  const members = {
    dfirmId: text,
    versionId: text,
    areaId: text,
    studyType: text,
    zone: fc.string(),
    zoneSubtype: text,
    staticBfe: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    verticalDatum: text,
    lengthUnit: text,
    sourceCitation: text,
  };
  const area: fc.Arbitrary<FloodArea> = fc.record(members, { noNullPrototype: true });
  fc.assert(fc.property(area, (given) => assert.deepEqual(readFloodRecord(floodRecordOf(given)), given)));
  assert.equal(readFloodRecord({ kind: 'studied', area_id: '55079C_1' }), null);
});
