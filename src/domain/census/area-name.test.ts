import assert from 'node:assert/strict';
import { test } from 'node:test';
import { censusAreaName } from './area-name.ts';
import { countyFullName } from './area-name.ts';

test('no parish, borough, city or island is called a county, and no county is called twice', () => {
  const names: Readonly<Record<string, readonly [short: string, full: string]>> = {
    '53033': ['King', 'King County'],
    '55079': ['Milwaukee County', 'Milwaukee County'],
    '22071': ['Orleans', 'Orleans Parish'],
    '02110': ['Juneau', 'Juneau City and Borough'],
    '02150': ['Kodiak Island', 'Kodiak Island Borough'],
    '02999': ['Chugach', 'Chugach'],
    '51760': ['Richmond', 'Richmond city'],
    '51159': ['Richmond', 'Richmond County'],
    '51036': ['Charles City', 'Charles City County'],
    '24510': ['Baltimore', 'Baltimore city'],
    '24005': ['Baltimore', 'Baltimore County'],
    '29510': ['St. Louis', 'St. Louis city'],
    '32510': ['Carson City', 'Carson City'],
    '11001': ['District of Columbia', 'District of Columbia'],
    '72127': ['San Juan', 'San Juan Municipio'],
    '78020': ['St. John', 'St. John Island'],
    '60040': ['Swains Island', 'Swains Island'],
    '09003': ['Hartford', 'Hartford County'],
    '09110': ['Capitol', 'Capitol Planning Region'],
  };
  for (const [geoid, [short, full]] of Object.entries(names)) {
    assert.equal(countyFullName(geoid, short), full);
    assert.equal(countyFullName(geoid, full), full);
  }
});

test('tracts and block groups are named by their codes', () => {
  assert.equal(censusAreaName('tract', '53033010702', null), 'Census Tract 107.02');
  assert.equal(censusAreaName('tract', '53033000200', '2'), 'Census Tract 2');
  assert.equal(censusAreaName('block_group', '530330107023', null), 'Block Group 3');
  assert.equal(censusAreaName('cousub', '5303392928', null), null);
});
