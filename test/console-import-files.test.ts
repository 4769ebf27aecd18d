import assert from 'node:assert/strict';
import { importAndTrain } from '../src/cli/import-upload.ts';
import { TEST_CONFIG } from './app-config.ts';
import { onConsole } from './console-fixture.ts';
import { runImport, signedIn, uploadImport } from './harness/console-import.ts';

const LOAD = { market_id: 'wi-brown', leaves_out: false, trains: false };
const GOOD_ADDRESSES = 'address,latitude,longitude\n9 Elm St,44.51,-88.01\n';
const BAD_ADDRESSES = 'address,latitude,longitude\n9 Elm St,somewhere,-88.01\n';
const SALES =
  'address,sale_date,sale_price,property_type,bedrooms,bathrooms,living_area\n9 Elm St,2024-03-04,250000,condo,3,2,1500\n';

onConsole(
  'sales that addresses of another file place are not loaded if that file fails, and are loaded after it was corrected',
  async (console) => {
    const browser = await signedIn(console);
    const upload = (text: string, name: string) => uploadImport(console, browser, Buffer.from(text), name);
    const load = (id: string, kind: string, placers: readonly string[] = []) => {
      // Jobs run in the order in which they were queued.
      console.passMs(1);
      return browser.ask('POST', `imports/${id}/load`, { ...LOAD, kind, placed_by: placers });
    };
    const [bad, good, sales] = [
      await upload(BAD_ADDRESSES, 'bad.csv'),
      await upload(GOOD_ADDRESSES, 'good.csv'),
      await upload(SALES, 'sales.csv'),
    ];
    assert.equal((await load(sales, 'sales', [bad])).body.code, 'conflict', 'bad.csv was not submitted');
    assert.equal((await load(bad, 'addresses')).status, 200);
    assert.equal((await load(sales, 'sales', [bad])).status, 200);
    const stopped = await runImport(console, browser, sales);
    assert.deepEqual(
      [stopped.status, stopped.failure],
      ['failed', 'This file waits for bad.csv, which places its rows and was not loaded.'],
    );
    assert.equal((await runImport(console, browser, bad)).status, 'failed');
    const { markets } = (await browser.ask('GET', 'markets')).body;
    assert.deepEqual(
      markets.flatMap(({ loaded }: { loaded: readonly unknown[] }) => loaded),
      [],
    );

    await load(good, 'addresses');
    assert.equal((await load(sales, 'sales', [good])).status, 200);
    const loaded = await runImport(console, browser, sales);
    assert.deepEqual([loaded.failure, loaded.report?.rows_loaded], [null, 1]);
  },
);

/** Sales that are enough for a training. */
const PLACED_SALES = [
  'address,sale_date,sale_price,property_type,bedrooms,bathrooms,living_area,latitude,longitude',
  ...Array.from({ length: 40 }, (_, i) => {
    return `${i} Elm St,2025-0${1 + (i % 9)}-04,${250 + i}000,condo,3,2,${1500 + 9 * i},44.5${10 + i},-88.0${10 + (i % 7)}`;
  }),
].join('\n');

onConsole(
  'a file that only follows another is loaded after it, also if that one fails, by one process of several',
  async (console) => {
    const browser = await signedIn(console);
    const [bad, sales] = [
      await uploadImport(console, browser, Buffer.from(BAD_ADDRESSES), 'bad.csv'),
      await uploadImport(console, browser, Buffer.from(PLACED_SALES), 'sales.csv'),
    ];
    await browser.ask('POST', `imports/${bad}/load`, { ...LOAD, kind: 'addresses' });
    console.passMs(1);
    await browser.ask('POST', `imports/${sales}/load`, { ...LOAD, kind: 'sales', after: [bad] });
    const options = await console.store.db.selectFrom('job_requests').select('request').execute();
    const waiting = options.filter(({ request }) => request.includes('"--after"'));
    assert.deepEqual([waiting.length, waiting[0].request.includes(sales)], [1, true]);
    const loaded = await runImport(console, browser, sales);
    assert.deepEqual([loaded.failure, loaded.report?.rows_loaded], [null, 40]);
    // It is read for a page that follows a training, not in each poll of a file that is loaded.
    assert.equal(loaded.home, null);
    assert.equal((await browser.ask('GET', `imports/${bad}`)).body.status, 'failed');
  },
);

onConsole(
  'an import whose process is stopped while the market is trained is finished by another one',
  async (console) => {
    const browser = await signedIn(console);
    const sales = await uploadImport(console, browser, Buffer.from(PLACED_SALES), 'sales.csv');
    await browser.ask('POST', `imports/${sales}/load`, { ...LOAD, kind: 'sales', trains: true });
    const config = { dataDir: TEST_CONFIG.dataDir, threads: 1 };
    const current = console.store.db.selectFrom('current_datasets').select('datasetId');
    const stopped = importAndTrain(console.store, config, sales, (step) => {
      if (!/^(Reading|Writing)/.test(step)) throw new Error('stopped');
    });
    await assert.rejects(stopped, /stopped/);
    assert.equal((await current.execute()).length, 1);
    const loaded = await runImport(console, browser, sales);
    assert.deepEqual([loaded.status, loaded.failure], ['complete', null]);
    assert.deepEqual(loaded.training?.failure, null);
    const left = await console.store.db.selectFrom('upload_pieces').select('uploadId').execute();
    assert.deepEqual(left, []);
  },
);
