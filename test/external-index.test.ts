import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { parseDay, type Day } from '../src/domain/day.ts';
import { importIndex } from '../src/load/index/import-index.ts';
import { staleWarnings } from '../src/operations/valuation/value-members.ts';
import { computeProperty } from '../src/operations/property/compute-property.ts';
import type { DescribedSubject } from '../src/operations/valuation-types.ts';
import { attributesOf } from '../src/domain/property.ts';
import type { MarketInputs } from '../src/operations/market-data/market-catalog.ts';
import { openMarkets } from '../src/operations/market-data/markets.ts';
import { salesInputs } from '../src/operations/property/gather-property-inputs.ts';
import { readSharedColumns, shareColumns } from '../src/operations/threads/job-threads.ts';
import { externalFiguresKnown } from '../src/valuation/price-index/external-index.ts';
import { listModels } from '../src/store/models.ts';
import { openImportFixture } from './harness/load/import-files.ts';
import { engines } from './harness/store/engines.ts';
import { TEST_MARKET } from './harness/valuation/market.ts';
import { addTestMarket, TRAINED_ON } from './tiny-market.ts';

const day = (text: string): Day => parseDay(text) ?? 0;
/** The newest quarter was published on 2015-11-27. */
const INDEX = ['2014,4,,100', '2015,1,,101', '2015,3,,103'];

const SEARCH = { radiusMi: 3, lookbackMonths: null, numComps: 3 };
const SUBJECT: DescribedSubject = {
  home: {
    lat: TEST_MARKET.lat,
    lon: TEST_MARKET.lon,
    parcelId: null,
    type: 'houses',
    attributes: attributesOf({ bedrooms: 3, bathrooms: 2, livingAreaSqft: 1500 }),
    features: {},
  },
  typeSource: 'request',
  sources: {},
  warnings: [],
};

for (const engine of engines) {
  test(`${engine.name}: a market's sales carry its price indexes, and a valuation keeps those that it used`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine, '2016-06-01');
    const load = async (figures: readonly string[], now: string) => {
      const rows = figures.map((figure) => `traditional,purchase-only,quarterly,MSA,Town,1,${figure}`);
      const header = 'hpi_type,hpi_flavor,frequency,level,place_name,place_id,yr,period,index_nsa,index_sa';
      const files = [file('hpi.csv', [header, ...rows].join('\n'))];
      const clock = () => new Date(`${now}T12:00:00Z`);
      await importIndex({ ...deps, clock }, { marketId: 'town', files });
    };
    const place = [TEST_MARKET.lat, TEST_MARKET.lon] as const;
    const at = () => openMarkets(store, deps.clock).at('property', ...place, day('2016-06-01'));
    const valued = async (used: ReturnType<typeof salesInputs>, asOf: string) => {
      const markets = openMarkets(store, deps.clock);
      const inputs = { ...used, asOf: day(asOf), search: SEARCH, subject: SUBJECT, warnings: [] };
      const computed = await computeProperty({ markets }, inputs, 'v');
      return { bytes: hash('sha256', JSON.stringify(computed)), usd: computed.valuation.pointValue };
    };
    const replayed = (inputs: MarketInputs) => openMarkets(store, deps.clock).ofInputs(inputs);

    await addTestMarket(store);
    const without = salesInputs(await at());
    assert.equal('indexSha256' in without, false);
    await load(INDEX, '2016-02-01');
    const market = await at();
    const inputs = salesInputs(market);
    assert.deepEqual(market.columns.indexes?.series, [{ name: 'fhfa-purchase-only-1', periodMonths: 3 }]);
    const before = [await valued(without, '2016-06-01'), await valued(inputs, '2016-06-01')];
    assert.notEqual(before[0].usd, before[1].usd, 'published figures move values');
    const stale = staleWarnings(await openMarkets(store, deps.clock).ofInputs(inputs), day('2016-06-01'));
    assert.match(stale[0].message, /trend and season and fhfa-purchase-only-1 up to 2015-08\./);

    await load([...INDEX.slice(0, 2), '2015,3,,109', '2016,1,,110'], '2016-06-01');
    const revised = salesInputs(await at());
    assert.notEqual(revised.indexSha256, inputs.indexSha256);
    const after = [await valued(without, '2016-06-01'), await valued(inputs, '2016-06-01')];
    assert.deepEqual(after, before, 'replays');
    assert.notEqual((await valued(revised, '2016-06-01')).usd, before[1].usd);
    assert.deepEqual(
      await valued(revised, '2016-05-27'),
      await valued(inputs, '2016-05-27'),
      'a figure that is not yet published has no effect',
    );
    assert.notEqual((await valued(revised, '2016-05-28')).usd, (await valued(inputs, '2016-05-28')).usd);
    const figuresOf = async (used: MarketInputs, knownBy: string) => {
      const { indexes } = (await replayed(used)).columns;
      const [known] = indexes ? externalFiguresKnown(indexes, day(knownBy)) : [];
      return [...(known?.figures.values() ?? [])].map((logValue) => Math.round(Math.exp(logValue)));
    };
    assert.deepEqual(await figuresOf(without, '2016-06-01'), []);
    assert.deepEqual(await figuresOf(inputs, '2016-06-01'), [100, 101, 103]);
    assert.deepEqual(await figuresOf(revised, '2016-06-01'), [100, 101, 109, 110]);
    // As of days before the revision and before publication, later imports change nothing.
    for (const [knownBy, figures] of [
      ['2016-04-30', [100, 101, 103]],
      ['2015-11-26', [100, 101]],
    ] as const) {
      assert.deepEqual(await figuresOf(inputs, knownBy), figures, knownBy);
      assert.deepEqual(await figuresOf(revised, knownBy), figures, knownBy);
    }

    const snapshotOf = async (used: MarketInputs, asOf: Day) =>
      (await replayed(used)).snapshots.hashAsOf(asOf);
    assert.equal(await snapshotOf(without, day('2014-12-01')), await snapshotOf(revised, day('2014-12-01')));
    assert.notEqual(await snapshotOf(without, TRAINED_ON), await snapshotOf(inputs, TRAINED_ON));
    assert.equal(await snapshotOf(inputs, day('2016-04-30')), await snapshotOf(revised, day('2016-04-30')));
    assert.notEqual(
      await snapshotOf(inputs, day('2016-06-01')),
      await snapshotOf(revised, day('2016-06-01')),
    );

    await addTestMarket(store, TRAINED_ON + 30);
    const [model] = (await listModels(store, { marketId: 'town' })).slice(-1);
    assert.equal(model.datasetIds.length, 2, 'a model names the sales and the index that it was trained on');

    const shared = readSharedColumns(shareColumns(market.columns));
    assert.deepEqual(shared.indexes?.logValue, market.columns.indexes?.logValue);
    await close();
  });
}
