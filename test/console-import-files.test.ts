import assert from 'node:assert/strict';
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
    const load = (id: string, kind: string, after: readonly string[] = []) => {
      // Jobs run in the order in which they were queued.
      console.passMs(1);
      return browser.ask('POST', `imports/${id}/load`, { ...LOAD, kind, after });
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
