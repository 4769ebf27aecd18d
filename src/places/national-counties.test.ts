import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTable } from '../tables/open-table.ts';
import { openNationalCounties } from './national-counties.ts';

const counties = openNationalCounties();
const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const absent = existsSync(data) ? false : `the real records are not at ${data}`;

test('every kind of county has a GEOID and a name, and places abroad have none', () => {
  const places: readonly (readonly [lat: number, lon: number, geoid: string | null, name: string | null])[] =
    [
      [43.06, -87.95, '55079', 'Milwaukee County'],
      [38.9, -77.03, '11001', 'District of Columbia'],
      [29.95, -90.07, '22071', 'Orleans Parish'],
      [61.2, -149.9, '02020', 'Anchorage Municipality'],
      [51.88, -176.65, '02016', 'Aleutians West Census Area'],
      [52.9, 173.0, '02016', 'Aleutians West Census Area'],
      [37.54, -77.43, '51760', 'Richmond city'],
      [21.3, -157.8, '15003', 'Honolulu County'],
      [18.4, -66.06, '72127', 'San Juan Municipio'],
      [51.5, -0.1, null, null],
      [43.5, -87, null, null],
    ];
  for (const [lat, lon, geoid, name] of places) {
    assert.equal(counties.at(lat, lon), geoid);
    assert.equal(geoid && counties.nameOf(geoid), name);
  }
  assert.equal(counties.nameOf('51610'), 'Falls Church city');
});

test('homes on the shore have the nearest county', { skip: absent }, async () => {
  const found = new Map<string, number>();
  const { columns, batches } = await openTable(`${data}king/kc_house_data.csv.gz`, () => {});
  const [lat, lon] = [columns.indexOf('lat'), columns.indexOf('long')];
  for await (const rows of batches) {
    for (const { cells } of rows) {
      const geoid = counties.at(Number(cells[lat]), Number(cells[lon])) ?? 'none';
      found.set(geoid, (found.get(geoid) ?? 0) + 1);
    }
  }
  // Three sales are across the border: they are in no tract of King County either.
  assert.deepEqual([...found].sort(), [
    ['53033', 21_610],
    ['53053', 3],
  ]);
});
