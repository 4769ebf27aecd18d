import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACS_TABLES } from '../domain/census/acs-tables.ts';
import { knownCell } from '../domain/census/cell.ts';
import type { CensusTable } from '../domain/census/census-table.ts';
import { parseDay } from '../domain/day.ts';
import { floodRecordOf, studiedRecordOf, withEffectiveDay } from '../domain/flood-zone.ts';
import { HOUSING_FIGURES, LOCATION_FACTS } from '../domain/location-facts.ts';
import { isProtectedColumn } from '../domain/protected-columns.ts';
import { distanceMi } from '../geo/distance.ts';
import { currentDatasets } from '../store/datasets.ts';
import { publishAreas, publishCensusTables } from '../../test/harness/places/census-places.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { readLocationFacts } from './location-facts.ts';
import { openPlaces } from './open-places.ts';

const GEOID = '53033000100';
const AT = { lat: 40.5, lon: -99.5 };

function table(tableId: string, year: number, values: readonly number[]): CensusTable {
  const cells = new Map(values.map((value, i) => [`${String(i + 1).padStart(3, '0')}E`, knownCell(value)]));
  return { geoid: GEOID, year, tableId, level: 'tract', name: GEOID, cells };
}

const NO_DETAILS = {
  dfirmId: null,
  versionId: null,
  areaId: null,
  studyType: null,
  zoneSubtype: null,
  staticBfe: null,
  verticalDatum: null,
  lengthUnit: null,
  sourceCitation: null,
};

test('facts of a location describe homes and land, never people', () => {
  for (const name of LOCATION_FACTS) assert.equal(isProtectedColumn(name), false, name);
  const ofPeople = /tenure|population|household|income|mortgage|burden|occupants|moved|vehicles/i;
  for (const { tableId } of HOUSING_FIGURES) {
    const { title, universe } = ACS_TABLES.get(tableId) ?? assert.fail(tableId);
    assert.match(tableId, /^B25/, 'a table about housing');
    assert.doesNotMatch(title, ofPeople);
    assert.match(universe, /housing units/i);
  }
});

for (const engine of engines) {
  test(`${engine.name}: a fact is unknown before it was published, and then the newest one counts`, async () => {
    const store = await engine.open();
    const box = { west: -100, east: -99, south: 40, north: 41 };
    const tracts = [2010, 2020].map((vintage) => {
      return { ...box, record: { geoid: GEOID, vintage, name: null, level: 'tract' } };
    });
    await publishAreas(store, 'm', 'census-areas', tracts);
    await publishCensusTables(store, 'm', [
      table('B25064', 2018, [900]),
      table('B25002', 2018, [200, 190, 10]),
      table('B25064', 2021, [1100]),
    ]);
    const zone = floodRecordOf({ ...NO_DETAILS, zone: 'AE' });
    const panel = studiedRecordOf(null, 'panel');
    await publishAreas(store, 'm', 'flood', [
      { ...box, record: withEffectiveDay(panel, parseDay('2012-09-26')) },
      { ...box, record: zone, east: -99.4 },
    ]);
    const places = openPlaces(store, () => currentDatasets(store));
    const factsOn = async (text: string, lon = AT.lon) => {
      const [facts] = await readLocationFacts(places, [{ ...AT, lon, day: parseDay(text) ?? 0 }]);
      return facts;
    };
    const inZone = { flood_zone_sfha: '1' };
    assert.deepEqual(await factsOn('2012-09-25'), {});
    assert.deepEqual(await factsOn('2019-12-19'), inZone);
    const of2018 = { tract_vacant_share: '5', tract_median_rent: '900' };
    assert.deepEqual(await factsOn('2019-12-20'), { ...inZone, ...of2018 });
    assert.deepEqual(await factsOn('2022-12-19'), { ...inZone, ...of2018 });
    // The newest year of each figure, also where a newer year lacks another one.
    const newest = { ...of2018, tract_median_rent: '1100' };
    assert.deepEqual(await factsOn('2022-12-20'), { ...inZone, ...newest });
    assert.deepEqual(await factsOn('2022-12-20', -99.2), { flood_zone_sfha: '0', ...newest });
    assert.deepEqual(await factsOn('2022-12-20', -98), {}, 'outside the maps');
    await store.close();
  });
}

for (const engine of engines) {
  test(`${engine.name}: distances are those to the wanted classes of imported layers, and unknown without a layer or outside it`, async () => {
    const store = await engine.open();
    const wide = { west: -100, east: -99, south: 40, north: 41 };
    const street = { record: { class: 'local' }, ...wide };
    const highway = { record: { class: 'highway' }, west: -99.52, east: -99.51, south: 40, north: 41 };
    await publishAreas(store, 'm', 'roads', [street, highway]);
    await publishAreas(store, 'm', 'water', [{ record: { class: 'stream' }, ...wide }]);
    await publishAreas(store, 'm', 'parks', [{ record: { class: 'golf' }, ...wide }]);
    const places = openPlaces(store, () => currentDatasets(store));
    const [near, far, outside] = await readLocationFacts(
      places,
      [AT.lon, -99.2, -98].map((lon) => ({ lat: AT.lat, lon, day: 0 })),
    );
    const miles = String(Number(distanceMi(AT.lat, AT.lon, AT.lat, -99.51).toFixed(2)));
    assert.deepEqual(near, { major_road_mi: miles, park_mi: '0' });
    assert.deepEqual(far, { major_road_mi: '2', park_mi: '0' }, 'no longer distance than 2 miles');
    assert.deepEqual(outside, {});
    await store.close();
  });
}
