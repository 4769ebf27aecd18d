import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { ACS_TABLES } from '../src/domain/census/acs-tables.ts';
import { buildAreaMap } from '../src/geo/areas/area-map.ts';
import { repairShape } from '../src/geo/areas/area-shape.ts';
import { generateSampleCounty } from '../src/load/sample-county/generate-sample-county.ts';
import { importSamplePlaces } from '../src/load/sample-county/import-sample-county.ts';
import {
  censusAreas,
  householdsIn,
  isIn,
  newestAcsYear,
  SAMPLE_TABLES,
  type SampleArea,
} from '../src/load/sample-county/census.ts';
import { burnProbability, incidentRows } from '../src/load/sample-county/hazards-and-crime.ts';
import {
  COUNTY_FEET,
  fromLatLon,
  isInWater,
  lakeDistanceFt,
  rectangleRing,
  riverDistanceFt,
  riverX,
  toLatLon,
} from '../src/load/sample-county/terrain.ts';
import { samplePlaceFiles } from '../src/load/sample-county/write-sample-county.ts';
import { engines } from './harness/store/engines.ts';
import type { PlaceService } from './place-fixture.ts';
import { AS_OF, county, startOnLayers } from './sample-layers.ts';

const low = toLatLon({ x: COUNTY_FEET.west, y: COUNTY_FEET.south });
const high = toLatLon({ x: COUNTY_FEET.east, y: COUNTY_FEET.north });
const bounds = { west: low.lon, east: high.lon, south: low.lat, north: high.lat };
const place = (lat: number, lon: number) => ({ location: { latitude: lat, longitude: lon } });
const inPlane = (x: number, y: number) => {
  const { lat, lon } = toLatLon({ x, y });
  return place(lat, lon);
};
const OUTSIDE = place(bounds.north + 0.01, bounds.west);

/** Any point in the county, including its corner grid, where points fall on borders. */
const anywhere = fc.record({
  lat: fc.double({ min: bounds.south, max: bounds.north - 1e-6, noNaN: true }),
  lon: fc.double({ min: bounds.west, max: bounds.east - 1e-6, noNaN: true }),
});

function mapOf(areas: readonly SampleArea[]) {
  return buildAreaMap(
    areas.map(({ box, geoid }) => {
      const shape = repairShape([[rectangleRing(box)]]);
      assert.ok(!('fault' in shape), geoid);
      return shape;
    }),
  );
}

for (const vintage of [2010, 2020] as const) {
  const plan = censusAreas(vintage);

  test(`the areas of ${vintage} cover the county exactly once at every level, and nest`, () => {
    const levels = (['county', 'cousub', 'tract', 'block_group'] as const).map((level) => {
      const areas = plan.filter((area) => area.level === level);
      return { areas, map: mapOf(areas) };
    });
    const holdOnce = ({ lat, lon }: { lat: number; lon: number }): void => {
      const geoids = levels.map(({ areas, map }) => {
        const found = map.areasAt(lat, lon);
        assert.equal(found.length, 1, `${areas[0].level} at ${lat}, ${lon}: ${found.length} areas`);
        return areas[found[0]].geoid;
      });
      const [ofCounty, cousub, tract, group] = geoids;
      assert.ok(cousub.startsWith(ofCounty) && tract.startsWith(ofCounty) && group.startsWith(tract));
    };
    fc.assert(fc.property(anywhere, holdOnce), { numRuns: 3000 });
    // Corners and borders, exact to the last digit.
    const corners = plan.flatMap(({ box }) => rectangleRing(box));
    for (const [lon, lat] of corners) if (lat < bounds.north && lon < bounds.east) holdOnce({ lat, lon });
  });

  test(`every home is in the block group of ${vintage} that counts it`, () => {
    const groups = plan.filter(({ level }) => level === 'block_group');
    const map = mapOf(groups);
    for (const { lat, lon, point, address } of county.parcels) {
      const [at] = map.areasAt(lat, lon);
      assert.ok(isIn(groups[at].box, point), address.street);
    }
  });
}

test("every table has the Bureau's lines, and each count is the sum of its sublines", () => {
  const homes = householdsIn(county, 2024).slice(0, 1500);
  for (const [id, lines] of Object.entries(SAMPLE_TABLES)) {
    const table = ACS_TABLES.get(id);
    assert.ok(table, id);
    const labels = Object.entries(table.labels).sort(([a], [b]) => (a < b ? -1 : 1));
    assert.equal(lines.length, labels.length, id);
    if (table.measure !== 'count' || labels.length === 1) continue;
    const values = new Map(labels.map(([, label], at) => [label, Number(lines[at](homes)[0])]));
    for (const [label, value] of values) {
      const under = [...values].filter(([other]) => other.slice(0, other.lastIndexOf('!!')) === label);
      const sum = under.reduce((total, [, count]) => total + count, 0);
      if (under.length > 0) assert.equal(sum, value, `${id} ${label}`);
    }
  }
});

test('owners of expensive homes earn more than owners of cheap ones', () => {
  const owners = householdsIn(county, 2024)
    .filter(({ valueUsd }) => valueUsd !== null)
    .sort((a, b) => (a.valueUsd ?? 0) - (b.valueUsd ?? 0));
  const medianIncome = (homes: typeof owners): number =>
    homes.map(({ incomeUsd }) => incomeUsd).sort((a, b) => a - b)[homes.length >> 1];
  const half = owners.length >> 1;
  assert.ok(medianIncome(owners.slice(half)) > 1.2 * medianIncome(owners.slice(0, half)));
});

test('the same seed and day give the same files, and a later day keeps the past unchanged', () => {
  const textOf = (made: ReturnType<typeof samplePlaceFiles>): string =>
    Object.values(made)
      .flat()
      .map(
        ({ name, chunks }) => name + [...chunks].map((chunk) => Buffer.from(chunk).toString('hex')).join(''),
      )
      .join('\n');
  assert.equal(textOf(samplePlaceFiles(generateSampleCounty(7, AS_OF))), textOf(samplePlaceFiles(county)));
  const later = new Map(
    [...incidentRows(generateSampleCounty(7, AS_OF + 200))].map((row) => [String(row.incident_id), row]),
  );
  const both = [...incidentRows(county)].filter(({ incident_id }) => later.has(String(incident_id)));
  assert.ok(both.length > 2500, String(both.length));
  for (const row of both) assert.deepEqual(later.get(String(row.incident_id)), row);
});

test('every file says that it is generated, and no crime row names a house or a person', () => {
  const files = Object.values(samplePlaceFiles(county)).flat();
  for (const { name } of files) assert.match(name, /^generated-/);
  const rows = [...incidentRows(county)];
  assert.ok(rows.length > 3500 && rows.length < 4500, String(rows.length));
  for (const row of rows) {
    assert.match(String(row.address), /^\d*00 BLOCK [NSEW] /);
    assert.match(String(row.agency), /generated/);
    assert.deepEqual(
      Object.keys(row).filter((column) => /victim|offender/.test(column)),
      [],
    );
  }
});

for (const engine of engines) {
  describe(`${engine.name}: the layers of the sample county`, () => {
    let service: PlaceService;
    before(async () => {
      service = await startOnLayers(engine);
    });
    after(() => service.close());

    test('importing them again changes nothing', async () => {
      const again = await importSamplePlaces(service.imports, county);
      assert.deepEqual(
        again.filter(({ unchanged }) => !unchanged).map(({ kind }) => kind),
        [],
      );
    });

    test('a home is in the made-up county, and its tract and block group have figures', async () => {
      const { lat, lon } = county.parcels[1000];
      const { status, body } = await service.post('/v1/census-data', {
        ...place(lat, lon),
        geographies: ['county', 'cousub', 'tract', 'block_group'],
        census_keys: ['B01003_001E', 'B19013_001E', 'B25077_001E', 'B25003_002E_pct'],
      });
      assert.equal(status, 200);
      assert.equal(body.location_info.county, 'Plumb County (generated)');
      assert.deepEqual([body.census_geoids.state_fips, body.census_geoids.county_fips], ['99', '001']);
      assert.equal(body.acs_data.length, 4);
      assert.deepEqual(body.warnings, []);
      for (const { year, name, geoid, variables } of body.acs_data) {
        assert.equal(year, newestAcsYear(AS_OF));
        assert.ok(name !== null && geoid.startsWith('99001'));
        for (const [key, figure] of Object.entries<{ value: number; margin_of_error: number }>(variables))
          assert.ok(figure.value > 0 && figure.margin_of_error >= 0, `${geoid} ${key} ${figure.value}`);
      }
    });

    test('a place without an address is in the made-up county and state too', async () => {
      const { body } = await service.post('/v1/fire-risk', inPlane(8000, 7000));
      const { county: name, state, state_code, formatted_address } = body.location_info;
      assert.deepEqual(
        [name, state, state_code, formatted_address],
        ['Plumb County (generated)', 'Nowhere (generated)', 'XX', null],
      );
    });

    test('a place and a year give the figures of the areas of that year', async () => {
      const { lat, lon } = county.parcels[1000];
      const ask = (year: number) =>
        service.post('/v1/census-data', {
          ...place(lat, lon),
          years: [year],
          census_keys: ['B01003_001E'],
        });
      for (const [year, vintage] of [
        [2019, 2010],
        [newestAcsYear(AS_OF), 2020],
      ] as const) {
        const groups = censusAreas(vintage).filter(({ level }) => level === 'block_group');
        const [at] = mapOf(groups).areasAt(lat, lon);
        const expected = householdsIn(county, year)
          .filter(({ point }) => isIn(groups[at].box, point))
          .reduce((sum, { persons }) => sum + persons, 0);
        const [entry] = (await ask(year)).body.acs_data;
        assert.deepEqual([entry.geoid, entry.variables.B01003_001E.value], [groups[at].geoid, expected]);
      }
    });

    test('block groups add up to their tract, tracts to the county, and town and country to the county', async () => {
      const plan = censusAreas(2020);
      const values = new Map<string, number>();
      const geoids = plan.map(({ geoid }) => geoid);
      const { body } = await service.post('/v1/census-data/by-geoid', {
        geoids,
        census_keys: ['B01003_001E', 'B25003_001E', 'B25003_003E'],
      });
      for (const { geoid, variables } of body.acs_data)
        for (const [key, { value }] of Object.entries<{ value: number }>(variables))
          values.set(`${geoid} ${key}`, value);
      assert.equal(values.size, 3 * geoids.length);
      const sumOf = (level: string, within: string, key: string): number =>
        plan
          .filter((area) => area.level === level && area.geoid.startsWith(within))
          .reduce((sum, { geoid }) => sum + (values.get(`${geoid} ${key}`) ?? NaN), 0);
      for (const key of ['B01003_001E', 'B25003_001E', 'B25003_003E']) {
        const total = values.get(`99001 ${key}`);
        assert.ok(total !== undefined && total > 1000);
        assert.deepEqual([sumOf('tract', '99001', key), sumOf('cousub', '99001', key)], [total, total]);
        for (const { geoid } of plan.filter(({ level }) => level === 'tract'))
          assert.equal(sumOf('block_group', geoid, key), values.get(`${geoid} ${key}`), geoid);
      }
    });

    test('where nobody lives, counts are zero and medians give the reason for missing', async () => {
      const { body } = await service.post('/v1/census-data', {
        ...inPlane(8000, -7000),
        census_keys: ['B01003_001E', 'B19013_001E', 'B25003_002E_pct'],
      });
      const [{ variables }] = body.acs_data;
      assert.equal(variables.B01003_001E.value, 0);
      assert.deepEqual(
        [variables.B19013_001E.null_reason, variables.B25003_002E_pct.null_reason],
        ['too_few_sample_cases', 'base_is_zero'],
      );
    });

    test('there is more crime downtown than at the edge of town, and outside there is no data rather than no crime', async () => {
      const near = async (x: number, y: number): Promise<number> => {
        const { status, body } = await service.post('/v1/crime-data', {
          ...inPlane(x, y),
          radius_mi: 0.25,
          include_crime_summary: true,
        });
        assert.equal(status, 200);
        assert.equal(body.meta.coverage.agencies.length, 1);
        return body.summary.total;
      };
      const [downtown, edge] = [await near(0, 0), await near(-3400, -2300)];
      assert.ok(downtown > 4 * edge && edge > 0, `${downtown} downtown, ${edge} on the hill`);
      const far = await service.post('/v1/crime-data', place(43, -101.6));
      assert.deepEqual([far.body.crime_instances, far.body.meta.coverage.agencies], [[], []]);
    });

    test('the wooded hill burns, streets and water do not, and outside the map the risk is unknown', async () => {
      const riskAt = async (at: object) => (await service.post('/v1/fire-risk', at)).body.fire_risk;
      const hill = await riskAt(inPlane(-3600, -2500));
      assert.ok(hill.risk_level > 3, `level ${hill.risk_level}`);
      for (const [x, y] of [
        [0, 0],
        [2600, 5500],
      ] as const) {
        const { has_fire_risk, risk_value, risk_category } = await riskAt(inPlane(x, y));
        assert.deepEqual([has_fire_risk, risk_value, risk_category], [true, 0, 'none']);
      }
      assert.equal((await riskAt(OUTSIDE)).has_fire_risk, false);
      // Half the diagonal of a cell is 65 ft, and the probability is that of the cell's center.
      const { lat, lon } = toLatLon({ x: 6500, y: -3000 });
      const value = (await riskAt(place(lat, lon))).risk_value;
      const around = [-65, 0, 65].flatMap((dx) =>
        [-65, 0, 65].map((dy) => burnProbability({ x: 6500 + dx, y: -3000 + dy })),
      );
      assert.ok(value >= Math.min(...around) * 0.999 && value <= Math.max(...around) * 1.001);
    });

    test('flood zones follow the water: floodway, AE with the lake at its height, shaded, unshaded, none', async () => {
      const zoneAt = async (at: object) => {
        const { fld_zone, zone_subty, static_bfe, user_label } = (await service.post('/v1/flood-zone', at))
          .body.fema_flood_zone;
        return [fld_zone, zone_subty, static_bfe, user_label];
      };
      const bank = besideRiver(-3000, 30);
      assert.deepEqual(await zoneAt(inPlane(bank.x, bank.y)), ['AE', 'FLOODWAY', null, 'High Risk']);
      assert.deepEqual(await zoneAt(inPlane(2600, 3050)), ['AE', null, 3912, 'High Risk']);
      const shaded = besideRiver(-3000, 320);
      assert.deepEqual((await zoneAt(inPlane(shaded.x, shaded.y)))[3], 'Moderate Risk');
      const minimal = ['X', 'AREA OF MINIMAL FLOOD HAZARD', null, 'Low Risk'];
      assert.deepEqual(await zoneAt(inPlane(-6000, 6000)), minimal);
      assert.deepEqual(await zoneAt(OUTSIDE), [null, null, null, null]);
    });

    test('no place on the water has low flood risk, and none far from it has high risk', async () => {
      for (const point of fc.sample(anywhere, 100)) {
        const plane = fromLatLon(point.lat, point.lon);
        const { sfha } = (await service.post('/v1/flood-zone', place(point.lat, point.lon))).body
          .fema_flood_zone;
        if (isInWater(plane)) assert.equal(sfha, true, JSON.stringify(plane));
        if (Math.min(riverDistanceFt(plane), lakeDistanceFt(plane)) > 400) assert.equal(sfha, false);
      }
    });
  });
}

/** The point this many feet east of the river's eastern bank. */
function besideRiver(y: number, feet: number): { x: number; y: number } {
  let x = riverX(y);
  while (riverDistanceFt({ x, y }) < feet) x++;
  return { x, y };
}
