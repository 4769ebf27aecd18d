import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHousekeeping } from '../src/jobs/housekeeping.ts';
import { createLog } from '../src/log.ts';
import { createMetrics } from '../src/metrics.ts';
import { TEST_CONFIG } from './app-config.ts';
import { onConsole, openBrowser } from './console-fixture.ts';
import { runImport, signedIn, uploadImport as upload } from './harness/console-import.ts';
import { countyFile } from './harness/load/county-file.ts';
import { linesInto } from './api-fixture.ts';
import type { Json } from './json.ts';

const LOG = createLog('silent', linesInto([]));
const STAGING = join(TEST_CONFIG.dataDir, 'staging');

const stagedFiles = (id: string): string[] => readdirSync(STAGING).filter((folder) => folder.startsWith(id));

onConsole(
  'a county file full of faults is inspected, corrected by the offered mappings, and loaded: all of it or nothing',
  async (console) => {
    const browser = await signedIn(console);
    const id = await upload(console, browser, countyFile(60));
    const { body: first } = await browser.ask('POST', `imports/${id}/inspect`, { kind: 'sales' });
    assert.match(first.format, /windows-1252, separated by semicolons, 15 columns/);
    const columnOf = (name: string) => first.columns.find((column: { name: string }) => column.name === name);
    assert.deepEqual(columnOf('SITUS_ADDR').read_as, ['address']);
    assert.deepEqual(columnOf('SITUS_ADDR').samples[0], '100 Peña St');
    assert.deepEqual([columnOf('Roof').is_candidate, columnOf('Roof').no_feature_reason], [true, null]);
    assert.equal(columnOf('Remarks').no_feature_reason, 'mostly empty');
    const blocking = first.findings.filter((finding: { is_blocking: boolean }) => finding.is_blocking);
    const checks = blocking.map(({ check }: { check: string }) => check).sort();
    assert.deepEqual(checks, ['rounded_ids', 'swapped_coordinates']);
    assert.deepEqual(stagedFiles(id), [], 'the staged file is deleted');

    // Everything is loaded or nothing.
    const load = { kind: 'sales', market_id: 'wi-brown', leaves_out: false, trains: true };
    await browser.ask('POST', `imports/${id}/load`, load);
    const refused = await runImport(console, browser, id);
    assert.equal(refused.status, 'failed');
    assert.match(refused.failure, /Nothing was loaded/);
    assert.doesNotMatch(refused.failure, /staging/, 'messages do not show folders of the server');
    assert.deepEqual((await browser.ask('GET', 'markets')).body.markets, []);

    // The offered mapping, and the rows that it cannot correct left out.
    const rounded = blocking.find(({ check }: { check: string }) => check === 'rounded_ids');
    const fix = JSON.parse(rounded.fixes[0].mapping);
    const mapping = JSON.stringify({ ...JSON.parse(first.mapping), ...fix });
    const reading = { kind: 'sales', mapping, leave_out: ['swapped_coordinates'], features: ['Remarks'] };
    const { body: second } = await browser.ask('POST', `imports/${id}/inspect`, reading);
    assert.deepEqual(
      second.findings.filter((finding: { is_blocking: boolean }) => finding.is_blocking),
      [],
    );
    assert.deepEqual(
      second.rejections.map(({ reason, count, is_skipped }: Record<string, unknown>) => [
        reason,
        count,
        is_skipped,
      ]),
      [
        ['swapped_coordinates', 3, true],
        ['not_a_number', 2, false],
      ],
    );
    const list = await browser.ask('GET', `imports/${id}/rejected.csv`);
    assert.match(list.text, /county\.csv,5,rejected,not_a_number,sale_price,see deed/);

    // Of two requests at a time, one queues the import.
    const body = { ...load, ...reading };
    const both = await Promise.all([1, 2].map(() => browser.ask('POST', `imports/${id}/load`, body)));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const again = both.find(({ status }) => status === 200) ?? both[0];
    assert.equal(again.body.status, 'queued', again.text);
    assert.equal((await browser.ask('POST', `imports/${id}/load`, load)).body.code, 'conflict');
    const loaded = await runImport(console, browser, id);
    assert.equal(loaded.status, 'complete', JSON.stringify(loaded));
    assert.deepEqual([loaded.report.rows_read, loaded.report.rows_loaded], [60, 55]);
    assert.deepEqual(loaded.report.rejected, { not_a_number: 2 });
    assert.deepEqual(
      [loaded.report.features, loaded.report.unread_columns],
      [['Remarks'], ['TAXKEY', 'Roof']],
    );
    assert.equal(loaded.has_rejected_rows, true);
    assert.equal(loaded.training.failure, null);
    assert.deepEqual(
      loaded.training.models.map(({ kind, is_active }: Record<string, unknown>) => [kind, is_active]),
      [['property', true]],
    );
    assert.match(
      loaded.training.models[0].accuracy,
      /^Its accuracy is unknown: it has no holdout sales\. Active\.$/,
    );
    assert.ok(loaded.home.latitude > 44 && loaded.home.longitude < -87);

    const { db } = console.store;
    assert.deepEqual(await db.selectFrom('upload_pieces').select('uploadId').execute(), []);
    assert.deepEqual(stagedFiles(id), []);
    const entries = await db
      .selectFrom('audit_log')
      .select(['action', 'actorName', 'subject'])
      .where('action', 'in', ['import.submitted', 'dataset.published', 'model.activated'])
      .orderBy('action')
      .execute();
    assert.deepEqual(
      entries.map(({ action, actorName }) => [action, actorName]),
      [
        ['dataset.published', 'ada'],
        ['import.submitted', 'ada'],
        ['import.submitted', 'ada'],
        ['model.activated', 'ada'],
      ],
    );
  },
);

onConsole('a file that cannot be read is rejected with its own name and the cause', async (console) => {
  const browser = await signedIn(console);
  const unreadable: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.from('address,beds\n'), /county\.csv has a header and no rows|no column/],
    [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]), /county\.csv/],
    [Buffer.from('a,a\n1,2\n'), /county\.csv/],
  ];
  for (const [bytes, message] of unreadable) {
    const id = await upload(console, browser, bytes);
    const { body } = await browser.ask('POST', `imports/${id}/inspect`, { kind: 'sales' });
    const text = String(body.problem ?? body.detail);
    assert.match(text, message);
    assert.doesNotMatch(text, /staging/);
  }
  const id = await upload(console, browser, countyFile(5));
  const wrong = await browser.ask('POST', `imports/${id}/inspect`, {
    kind: 'sales',
    mapping: '{"beds": "X"}',
  });
  assert.match(wrong.body.detail, /"beds" is not a column of sales/);
  const market = { kind: 'sales', market_id: 'Green Bay', leaves_out: false, trains: false };
  assert.match((await browser.ask('POST', `imports/${id}/load`, market)).body.detail, /market id/);
});

onConsole('imports are for administrators of the installation, and limited in size', async (console) => {
  const browser = await signedIn(console);
  const body = { name: 'large.csv', byte_count: 201 * 1024 * 1024, purpose: 'import' };
  assert.match((await browser.ask('POST', 'uploads', body)).body.detail, /larger than 200 MB/);
  const id = await upload(console, browser, countyFile(5));
  assert.equal((await browser.ask('POST', `uploads/${id}/read`)).body.code, 'conflict');
  await console.addUser('member', 'member');
  await console.addAccount('acme');
  await console.addUser('other', 'administrator', 'acme');
  for (const name of ['member', 'other']) {
    const another = openBrowser(console);
    await another.signIn(name);
    const small = { ...body, byte_count: 10 };
    assert.equal((await another.ask('POST', 'uploads', small)).body.code, 'role_forbidden');
    const inspected = await another.ask('POST', `imports/${id}/inspect`, { kind: 'sales' });
    assert.equal(inspected.body.code, 'role_forbidden');
  }
});

onConsole('housekeeping deletes the staged copies that a killed process left', async (console) => {
  const browser = await signedIn(console);
  const [kept, forgotten] = [
    await upload(console, browser, countyFile(5)),
    await upload(console, browser, countyFile(5)),
  ];
  for (const id of [kept, forgotten]) mkdirSync(join(STAGING, `${id}-killed`), { recursive: true });
  await browser.ask('POST', `uploads/${forgotten}/forget`);
  const { store, people } = console;
  const { dataDir } = TEST_CONFIG;
  const trainSchedule = { trainEvery: null, trainAfterSales: null };
  const { clock } = people;
  const housekeeping = createHousekeeping({
    store,
    clock,
    log: LOG,
    metrics: createMetrics(),
    dataDir,
    newId: () => 'unused',
    plans: new Map(),
    wake: () => {},
    trainSchedule,
  });
  await housekeeping.idle();
  assert.deepEqual([stagedFiles(kept).length, stagedFiles(forgotten).length], [1, 0]);
});

/** Sales of one street: columns that no name explains, two repeated rows, one row without coordinates, one far away. */
function namelessFile(sales = 30): Buffer {
  const rows = Array.from({ length: sales }, (_, i) => {
    const type = i % 3 === 0 ? 'Condo' : 'Single Family';
    return `${1 + (i % 12)}/${1 + (i % 28)}/2024,${200 + i}000,${100 + 2 * i} Oak St,${type},${(44.5 + i / 1000).toFixed(4)},-88.0123,3,2,1500`;
  });
  const unplaced = '3/4/2024,250000,9 Elm St,Condo,,,3,2,1500';
  const far = '3/4/2024,250000,9 Pine St,Condo,34.0522,-118.2437,3,2,1500';
  const header = 'Sold,Sale Price,Where,Type,Pt A,Pt B,beds,baths,sqft';
  return Buffer.from([header, ...rows, rows[0], rows[1], unplaced, far].join('\n'));
}

onConsole(
  'an inspection says how many rows will be loaded, repeat others or have no place, and leaves out distant rows',
  async (console) => {
    const browser = await signedIn(console);
    const id = await upload(console, browser, namelessFile());
    const inspect = async (more: Record<string, unknown> = {}) =>
      (await browser.ask('POST', `imports/${id}/inspect`, { kind: 'sales', ...more })).body;
    const counts = ({ row_count, usable_rows, repeated_rows, unplaced_rows }: Record<string, unknown>) => [
      row_count,
      usable_rows,
      repeated_rows,
      unplaced_rows,
    ];
    const first = await inspect();
    assert.equal(first.problem, null);
    const { property_type: type, address, sale_date: date, latitude } = JSON.parse(first.mapping);
    assert.deepEqual([type, address, date, latitude], ['Type', 'Where', 'Sold', 'Pt A']);
    assert.deepEqual(counts(first), [34, 31, 2, 1]);
    const reasons = first.rejections.map(({ reason, count }: Record<string, unknown>) => [reason, count]);
    assert.deepEqual(reasons, [['not_located', 1]]);
    assert.match((await browser.ask('GET', `imports/${id}/rejected.csv`)).text, /34,rejected,not_located/);
    const distant = first.findings.find(({ check }: { check: string }) => check === 'far_coordinates');
    assert.deepEqual([distant.count, distant.leaving_out], [1, 'Leave these rows out']);

    // The import counts the same.
    const reading = { mapping: first.mapping, leave_out: ['far_coordinates'] };
    assert.deepEqual(counts(await inspect(reading)), [34, 30, 2, 1]);
    const load = { kind: 'sales', market_id: 'wi-brown', leaves_out: false, trains: false, ...reading };
    await browser.ask('POST', `imports/${id}/load`, load);
    const { report, failure } = await runImport(console, browser, id);
    assert.equal(failure, null);
    assert.deepEqual([report.rows_loaded, report.rejected], [30, { not_located: 1 }]);
    assert.deepEqual(report.skipped, { far_coordinates: 1 });

    // An address of the market places the row without coordinates.
    const addresses = Buffer.from(
      'address,latitude,longitude\n9 Elm St,44.51,-88.01\n9 Elm St,44.51,-88.01\n',
    );
    const points = await upload(console, browser, addresses, 'points.csv');
    const inspected = await browser.ask('POST', `imports/${points}/inspect`, { kind: 'addresses' });
    assert.deepEqual(counts(inspected.body), [2, 1, 1, 0]);
    await browser.ask('POST', `imports/${points}/load`, {
      ...load,
      kind: 'addresses',
      mapping: '{}',
      leave_out: [],
    });
    assert.equal((await runImport(console, browser, points)).failure, null);
    const again = await upload(console, browser, namelessFile());
    const placed = await browser.ask('POST', `imports/${again}/inspect`, {
      kind: 'sales',
      market_id: 'wi-brown',
    });
    assert.deepEqual(counts(placed.body), [34, 32, 2, 1]);
    assert.deepEqual(placed.body.rejections, []);

    // A shorter file updates and adds rows, or replaces all.
    const [header, , ...rows] = namelessFile().toString().split('\n');
    const counted: number[] = [];
    for (const replaces of [false, true]) {
      const shorter = await upload(console, browser, Buffer.from([header, ...rows.slice(0, 9)].join('\n')));
      await browser.ask('POST', `imports/${shorter}/load`, { ...load, replaces });
      const ended = await runImport(console, browser, shorter);
      assert.equal(ended.failure, null);
      counted.push(ended.report.rows_total);
    }
    assert.deepEqual(counted, [30, 9]);
  },
);

onConsole(
  'the history of a market lists who loaded which file with which result, failed trainings are audited, and a market is deleted by its name',
  async (console) => {
    const browser = await signedIn(console);
    const id = await upload(console, browser, namelessFile(5), 'homes.csv');
    const { mapping } = (await browser.ask('POST', `imports/${id}/inspect`, { kind: 'sales' })).body;
    const accept = ['ambiguous_dates'];
    const load = { kind: 'sales', market_id: 'wi-brown', leaves_out: true, mapping, accept };
    await browser.ask('POST', `imports/${id}/load`, {
      ...load,
      trains: true,
      leave_out: ['far_coordinates'],
    });
    const loaded = await runImport(console, browser, id);
    assert.equal(loaded.failure, null);
    assert.match(loaded.training.failure, /sales/, 'there are too few to train on');
    console.passMs(1000);
    const again = await upload(console, browser, namelessFile(5), 'again.csv');
    await browser.ask('POST', `imports/${again}/load`, { ...load, trains: false });
    assert.equal((await runImport(console, browser, again)).status, 'failed');
    console.passMs(1000);
    await browser.ask('POST', 'markets/wi-brown/train', {});

    const history = async (query = '') => (await browser.ask('GET', `markets/wi-brown/history${query}`)).body;
    const { jobs, next_cursor: end } = await history();
    assert.deepEqual(
      jobs.map(({ task, status, requested_by, file, as_of }: Record<string, unknown>) => [
        task,
        status,
        requested_by,
        file,
        as_of,
      ]),
      [
        ['train', 'queued', 'ada', null, jobs[0].created_at.slice(0, 10)],
        ['import', 'failed', 'ada', 'again.csv', null],
        ['import', 'complete', 'ada', 'homes.csv', null],
      ],
    );
    assert.equal(end, null);
    const [, failed, first] = jobs;
    assert.match(failed.failure, /more than 150 miles/);
    assert.doesNotMatch(failed.failure, / --|far_coordinates|reports/, 'nothing of the command line');
    assert.deepEqual(first.loaded, {
      rows_read: 9,
      rows_loaded: 5,
      rows_repeated: 2,
      left_out: { not_located: 1, far_coordinates: 1 },
    });
    assert.equal(first.training_failure, loaded.training.failure);
    const list = await browser.ask('GET', `markets/wi-brown/history/${first.id}/rejected.csv`);
    assert.match(list.text, /homes\.csv,9,rejected,not_located/);
    assert.equal((await browser.ask('GET', `markets/other/history/${first.id}/rejected.csv`)).status, 404);
    const page = await history('?limit=2');
    assert.equal(page.jobs.length, 2);
    const rest = await history(`?limit=2&cursor=${page.next_cursor}`);
    assert.deepEqual(
      rest.jobs.map(({ id: jobId }: { id: string }) => jobId),
      [first.id],
    );
    assert.deepEqual((await browser.ask('GET', 'markets/other/history')).body.jobs, []);

    // The reason of the failed training is in the audit log.
    const audited = (await browser.ask('GET', 'audit?find=training_failed')).body.entries;
    assert.deepEqual(
      audited.map(({ actor, subject, detail }: Record<string, Json>) => [actor.name, subject, detail.reason]),
      [['ada', 'wi-brown', loaded.training.failure]],
    );

    const contents = (await browser.ask('GET', 'markets/wi-brown/contents')).body;
    assert.deepEqual([contents.datasets, contents.models], [[{ kind: 'sales', versions: 1, rows: 5 }], 0]);
    const remove = (confirm: string) => browser.ask('POST', 'markets/wi-brown/delete', { confirm });
    assert.equal((await remove('wi-Brown')).status, 400);
    assert.equal((await remove('wi-brown')).status, 200);
    assert.deepEqual((await browser.ask('GET', 'markets')).body.markets.length, 1, 'a training is queued');
    assert.equal((await remove('wi-brown')).status, 404);
    const [deleted] = (await browser.ask('GET', 'audit?find=market.deleted')).body.entries;
    assert.deepEqual([deleted.actor.name, deleted.subject], ['ada', 'wi-brown']);
  },
);
