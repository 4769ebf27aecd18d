import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Incident } from '../../domain/crime/incident.ts';
import { PlumblineError } from '../../errors.ts';
import { decodeIncidentColumns } from '../../geo/incidents/incident-columns.ts';
import { getBlob } from '../../store/blobs.ts';
import { currentDataset } from '../../store/datasets.ts';
import { readIncidents } from '../../store/incidents.ts';
import type { Store } from '../../store/store.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { importAddresses } from '../import-parcels.ts';
import type { CrimeOptions, ImportOptions } from '../import-options.ts';
import { skipWholeFile } from '../../../test/harness/cases.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import { importCrime, joinRows } from './import-crime.ts';

import { incidentReader, type IncidentRow } from './read-incident.ts';

const MARKET = { marketId: 'xx-test' };
const CRIME: CrimeOptions = { timeZone: 'America/Chicago', agency: 'Test PD', keepPersonFields: false };
const HEADER = 'incident_id,occurred_at,offense_code,offense_name,address,latitude,longitude';

async function stored(store: Store): Promise<Incident[]> {
  const current = await currentDataset(store, MARKET.marketId, 'crime');
  const all: Incident[] = [];
  if (!current) return all;
  for await (const page of readIncidents(store, current.datasetId)) all.push(...page);
  assert.ok(current.snapshotSha256);
  const columns = decodeIncidentColumns(await getBlob(store, current.snapshotSha256));
  assert.deepEqual(
    [...columns.id],
    all.map(({ id }) => id),
    'row i of the columns is incident i of the table',
  );
  return all;
}

const byReference = (incidents: readonly Incident[]): Record<string, Incident> =>
  Object.fromEntries(incidents.map((incident) => [incident.referenceId ?? '', incident]));

for (const engine of engines) {
  test(`${engine.name}: rows of one incident become one record of its most severe offense, whatever their order`, async () => {
    const rows = [
      'A1,2025-01-02 10:00,23F,,12 N Main St,43.0512,-88.0012',
      'A1,2025-01-02 09:30,120;13B,,12 N Main St,43.0512,-88.0012',
      'A1,2025-01-02 10:00,23F,,12 N Main St,43.0512,-88.0012',
      'A2,2025-01-03 10:00,,forcible fondling;KIDNAPING,W STATE ST / N 6TH ST,43.0512,-88.0012',
      'A3,,,Skateboarding,12XX BLOCK OF PINE ST,43.0512,-88.0012',
      ',2025-01-01 10:00,240,,,43.0512,-88.0012',
      ',2025-01-01 10:00,240,,,43.0512,-88.0012',
    ];
    const contents: string[] = [];
    for (const order of [rows, [...rows].reverse()]) {
      const { store, deps, file, close } = await openImportFixture(engine);
      const path = file('a.csv', `${HEADER}\n${order.join('\n')}\n`);
      const report = await importCrime(deps, { ...MARKET, files: [path], crime: CRIME });
      assert.deepEqual([report.rowsRead, report.rowsTotal, report.rowsRepeated], [7, 4, 3]);
      const incidents = await stored(store);
      const { A1, A2, A3, '': unnamed } = byReference(incidents);
      assert.deepEqual(
        [A1.offenseCode, A1.occurred?.text, A1.address, A1.lat, A1.lon],
        ['120', '2025-01-02T09:30:00-06:00', '0 BLOCK N MAIN ST', 43.051, -88.001],
      );
      assert.deepEqual([A2.offenseCode, A2.address, A2.lat], ['100', 'W STATE ST / N 6TH ST', 43.0512]);
      assert.deepEqual([A3.offenseCode, A3.offenseText, A3.occurred], [null, 'Skateboarding', null]);
      assert.deepEqual([unnamed.offenseCode, unnamed.address], ['240', null]);
      assert.deepEqual(
        incidents.map(({ referenceId }) => referenceId),
        ['A2', 'A1', null, 'A3'],
        'newest first',
      );
      contents.push(JSON.stringify(incidents));
      const again = await importCrime(deps, { ...MARKET, files: [path], crime: CRIME });
      assert.deepEqual([again.unchanged, again.datasetId], [true, report.datasetId]);
      await close();
    }
    assert.equal(contents[0], contents[1]);
  });

  test(`${engine.name}: a later import replaces by incident and keeps the others; --replace starts over`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const load = (name: string, text: string, more: Partial<ImportOptions> = {}) =>
      importCrime(deps, { ...MARKET, files: [file(name, `${HEADER}\n${text}\n`)], crime: CRIME, ...more });
    await load('a.csv', 'A1,2025-01-02,120,,,43,-88\nA2,2025-01-02,120,,,43,-88');
    const merged = await load('b.csv', 'A2,2025-01-02,09A,,,43,-88\nA3,2025-01-02,120,,,43,-88');
    assert.deepEqual([merged.rowsLoaded, merged.rowsKept, merged.rowsTotal], [2, 1, 3]);
    const first = byReference(await stored(store));
    assert.deepEqual([first.A1.offenseCode, first.A2.offenseCode], ['120', '09A']);
    await load('c.csv', 'A2,2025-01-02,120,,,43,-88', { crime: { ...CRIME, agency: 'Other PD' } });
    assert.equal((await stored(store)).length, 4, "another agency's A2 is another incident");
    await load('d.csv', 'A1,2025-01-02,120,,,43,-88', { replace: true });
    const only = await stored(store);
    assert.deepEqual(
      only.map(({ id }) => id),
      [first.A1.id],
      'the same incident has the same id in every import',
    );
    await close();
  });

  test(`${engine.name}: an incident without coordinates is placed in its block by the address index, or skipped and counted`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    const rows =
      'A1,2025-01-02,120,,1234 N Main St #4,,\nA2,2025-01-02,120,,9 Nowhere Rd,0,0\nA3,2025-01-02,120,,,43,-88';
    const load = () =>
      importCrime(deps, { ...MARKET, files: [file('a.csv', `${HEADER}\n${rows}\n`)], crime: CRIME });
    const unplaced = await load();
    assert.deepEqual([unplaced.rowsTotal, unplaced.skipped], [1, { total: 2, byReason: { not_located: 2 } }]);
    await importAddresses(deps, {
      ...MARKET,
      files: [file('addresses.csv', 'address,latitude,longitude\n1234 N MAIN ST,43.01234,-88.01276\n')],
    });
    const placed = await load();
    assert.deepEqual([placed.rowsTotal, placed.skipped.total], [2, 1]);
    const { A1 } = byReference(await stored(store));
    assert.deepEqual([A1.lat, A1.lon, A1.address], [43.012, -88.013, '1200 BLOCK N MAIN ST']);
    const listed = readFileSync(placed.refusedRowsPath ?? '', 'utf8');
    assert.match(listed, /not_located,incident_id,A2/);
    assert.doesNotMatch(listed, /Nowhere/, 'the report names no house either');
    await close();
  });

  test(`${engine.name}: invalid rows are rejected by reason, and missing options are requested`, async () => {
    const { deps, file, close } = await openImportFixture(engine);
    const load = (text: string, crime: Partial<CrimeOptions> = {}, header = HEADER) =>
      importCrime(deps, {
        ...MARKET,
        files: [file('a.csv', `${header}\n${text}\n`)],
        crime: { ...CRIME, ...crime },
        maxRejects: 0.9,
      });
    const valid = 'A0,2025-01-02,120,,,43,-88';
    const report = await load(
      [
        valid,
        'A1,yesterday,120,,,43,-88',
        'A2,2026-02-03,120,,,43,-88',
        'A3,1850-01-01,120,,,43,-88',
        'A4,2025-01-02,,,,43,-88',
        'A5,2025-01-02,120,,,93,-88',
        'A6,2025-01-02,120,,,x,-88',
        'A7,2025-01-02,120,,4711\u0001 Oak St,,',
      ].join('\n'),
    );
    assert.deepEqual(report.rejected.byReason, {
      not_a_time: 1,
      date_in_future: 1,
      date_before_1900: 1,
      missing: 1,
      outside_the_earth: 1,
      not_a_number: 1,
      control_character: 1,
    });
    assert.doesNotMatch(readFileSync(report.refusedRowsPath ?? '', 'utf8'), /4711/);
    const zoned = `${HEADER},time_zone`;
    assert.equal(
      (await load(`${valid},America/Chicago\n${valid},Mars/Base`, {}, zoned)).rejected.byReason
        .unknown_time_zone,
      1,
    );
    const fails = (promise: Promise<unknown>, message: RegExp) =>
      assert.rejects(promise, (error) => error instanceof PlumblineError && message.test(error.message));
    await fails(load(valid, { timeZone: null }), /--time-zone/);
    await fails(load(valid, { timeZone: 'Milwaukee' }), /IANA name/);
    await fails(load(valid, { agency: null }), /--agency/);
    await fails(load('A0,43,-88', {}, 'incident_id,latitude,longitude'), /occurred_at/);
    const offset = await load('A0,2025-01-02T10:00:00Z,120,,,43,-88', { timeZone: null });
    assert.equal(offset.rowsTotal, 1, 'a time with its offset needs no zone');
    await close();
  });
}

test('rows of an incident join to the same whatever their order', () => {
  const read = incidentReader(CRIME, 30_000);
  const rows = fc.record({
    occurred_at: fc.constantFrom('', '2025-01-02 10:00', '2025-01-02 09:00', '2025-01-01'),
    offense_code: fc.constantFrom('120', '13A;240', '23C', '90Z', '999'),
    address: fc.constantFrom('1 N MAIN ST', '2 N MAIN ST', ''),
    latitude: fc.constantFrom('', '43.1', '43.2'),
    longitude: fc.constant('-88'),
  });
  const rowOf = (cells: Readonly<Record<string, string>>): IncidentRow =>
    read((column) => cells[column] ?? '');
  fc.assert(
    fc.property(
      fc.array(rows, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 0, max: 1000 }),
      (cells, turn) => {
        const forward = cells.map(rowOf).reduce(joinRows);
        const turned = cells.map((_, i) =>
          rowOf(cells[(i * (turn % 2 ? 1 : cells.length - 1) + turn) % cells.length]),
        );
        assert.deepEqual(turned.reduce(joinRows), forward);
        const [first, ...others] = cells.map(rowOf);
        if (others.length > 1)
          assert.deepEqual(joinRows(first, others.reduce(joinRows)), forward, 'associative');
      },
    ),
  );
});

const SHARED = join(import.meta.dirname, '../../../../shared/data/crime');
const skip = existsSync(SHARED) ? false : 'needs shared/data/crime';
const MAPPINGS = join(import.meta.dirname, '../../../docs/operations/mappings');

test('rows in the columns of Milwaukee and of New York give incidents, and a footer is none', async () => {
  const { store, deps, file, close } = await openImportFixture(engines[0]);
  const milwaukee = file(
    'milwaukee.csv',
    `INCIDENT_N,CDATE,CTIME,DISTRICT,OFFENSE1,OFFENSE2,OFFENSE3,OFFENSE4,OFFENSE5,LOCATION,latitude,longitude,geo
143640096,12/31/2014,08:06 AM,4,MOTOR VEHICLE THEFT,,,,,6122 W BIRCH AV,,,
143630084,12/29/2014,02:08 PM,7,DESTRUCTION/DAMAGE/VANDALISM OF PROPERTY,SIMPLE ASSAULT,,,,6521 W KEEFE AVENUE PK,43.08227,-87.994179,exact
143630084,12/29/2014,02:08 PM,7,SIMPLE ASSAULT,,,,,6521 W KEEFE AVENUE PK,43.08227,-87.994179,exact
143610116,12/27/2014,06:17 PM,4,AGGRAVATED ASSAULT,,,,,6427 N 73RD ST,43.134895,-88.0026,exact
143610116,12/27/2014,06:13 PM,,HOMICIDE,,,,,6427 N 73RD ST,43.134895,-88.0026,exact
,,,,,,,,,,,,
Total Records: 42489,,,,,,,,,,,,
`,
  );
  const report = await importCrime(deps, { ...MARKET, files: [milwaukee], format: 'milwaukee' });
  assert.deepEqual(
    [report.rowsRead, report.rowsRepeated, report.rowsTotal, report.skipped.byReason],
    [7, 2, 2, { not_located: 1, not_an_incident: 2 }],
  );
  const { '143610116': killing, '143630084': fight } = byReference(await stored(store));
  assert.deepEqual([killing.offenseCode, killing.occurred?.text], ['09A', '2014-12-27T18:13:00-06:00']);
  assert.deepEqual([fight.offenseCode, fight.address], ['13B', '6500 BLOCK W KEEFE AVENUE PK']);

  const thefts = file(
    'thefts.csv',
    `uid,date_single,date_start,date_end,longitude,latitude,location_type,location_category,census_block
12386084,2014-01-01 01:15,2013-12-31 10:00,2014-01-01 16:30,-73.866212,40.740061,street,street,360810443021005
`,
  );
  const mapping = join(MAPPINGS, 'nyc-vehicle-thefts.json');
  await importCrime(deps, { ...MARKET, files: [thefts], mapping, replace: true });
  const [theft] = await stored(store);
  assert.deepEqual([theft.offenseCode, theft.address, theft.referenceId], ['240', null, '12386084']);
  await close();
});

async function importPublished(name: string, options: Partial<ImportOptions>) {
  const { store, deps, close } = await openImportFixture(engines[0], '2026-01-31');
  const report = await importCrime(deps, { ...MARKET, files: [join(SHARED, name)], ...options });
  const incidents = await stored(store);
  await close();
  return { report, incidents };
}

test(
  'the published files of Seattle and of homicides give the incidents that they hold',
  { skip },
  async () => {
    const seattle = await importPublished('seattle_spd_robberies.csv.gz', { format: 'seattle' });
    assert.deepEqual(
      [seattle.report.rowsRead, seattle.report.rowsTotal, seattle.report.skipped.byReason],
      [10_727, 10_354, { not_located: 373 }],
    );
    assert.ok(seattle.incidents.every(({ offenseCode }) => offenseCode === '120'));

    const homicides = await importPublished('homicides15.csv.gz', {
      mapping: join(MAPPINGS, 'homicides15.json'),
    });
    assert.equal(homicides.report.rowsTotal, 1922);
    assert.equal(new Set(homicides.incidents.map(({ agency }) => agency)).size, 9);
  },
);

test(
  'the published files of Milwaukee and New York give the incidents that they hold',
  { skip: skipWholeFile(SHARED) },
  async () => {
    const milwaukee = await importPublished('milwaukee_2014.csv.gz', { format: 'milwaukee' });
    assert.deepEqual(
      [milwaukee.report.rowsRead, milwaukee.report.rowsRepeated, milwaukee.report.rejected.total],
      [42_491, 632, 0],
    );
    // 42,491 rows less 632 repeated numbers less three lines of a footer; those without coordinates are counted, not lost.
    const { not_located: unplaced, not_an_incident: footer } = milwaukee.report.skipped.byReason;
    assert.deepEqual([footer, unplaced + milwaukee.report.rowsTotal], [3, 41_856]);
    assert.equal(milwaukee.report.rowsTotal, 30_341);
    assert.ok(milwaukee.incidents.every(({ offenseCode }) => offenseCode !== null));
    const { '143610116': killing, '143630084': fight } = byReference(milwaukee.incidents);
    assert.deepEqual([killing.offenseCode, killing.occurred?.text], ['09A', '2014-12-27T18:13:00-06:00']);
    assert.deepEqual([fight.offenseCode, fight.address], ['13B', '6500 BLOCK W KEEFE AVENUE PK']);
    // One address of these files names no block: "237-35"-like numbers leave the street alone.
    for (const { address } of milwaukee.incidents) {
      const number = /^(\d+) BLOCK/.exec(address ?? '');
      if (number) assert.equal(Number(number[1]) % 100, 0, address ?? '');
      assert.doesNotMatch(address ?? '', /#|\b\d{4,}(?<!00)\b/);
    }
    const thefts = await importPublished('nyc_vehicle_thefts.csv.gz', {
      mapping: join(MAPPINGS, 'nyc-vehicle-thefts.json'),
    });
    assert.equal(thefts.report.rowsTotal, 35_746);
    assert.ok(
      thefts.incidents.every(({ offenseCode, address }) => offenseCode === '240' && address === null),
    );
  },
);
