import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '../src/clock.ts';
import { FLOOD_FACT } from '../src/domain/location-facts.ts';
import { floodRecordOf, studiedRecordOf } from '../src/domain/flood-zone.ts';
import { attributesOf } from '../src/domain/property.ts';
import { withLocationFacts } from '../src/operations/market-data/location-columns.ts';
import { openMarkets } from '../src/operations/market-data/markets.ts';
import { computeProperty } from '../src/operations/property/compute-property.ts';
import { salesInputs } from '../src/operations/property/gather-property-inputs.ts';
import { train } from '../src/operations/training/train.ts';
import type { DescribedSubject } from '../src/operations/valuation-types.ts';
import { openPlaces } from '../src/places/open-places.ts';
import { putBlob } from '../src/store/blobs.ts';
import { beginDataset, publishDataset } from '../src/store/publish-dataset.ts';
import type { Store } from '../src/store/store.ts';
import { extendColumns } from '../src/valuation/columns/build-columns.ts';
import { featuresOfSale, withFeatures, type SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { encodeColumns } from '../src/valuation/columns/snapshots.ts';
import { quickJobs } from './cached-jobs.ts';
import { publishAreas } from './harness/places/census-places.ts';
import { engines } from './harness/store/engines.ts';
import { SOURCE } from './harness/store/rows.ts';
import { TEST_MARKET, testColumns } from './harness/valuation/market.ts';

/** Narrow stripes of flood zone, which coordinates describe poorly; homes in them are worth a third less. */
const STRIPE = 0.0025;
const isFlooded = (lon: number) => Math.floor((lon - TEST_MARKET.lon) / STRIPE) % 2 === 0;
const TRAINED_ON = TEST_MARKET.from + TEST_MARKET.days;

/** Sales of the market, the second part after the training. */
function salesOf(n: number, seed: number, daysLater: number): SaleColumns {
  const columns = withFeatures(testColumns(n, seed), []);
  const later = (days: Int32Array) => days.map((day) => day + daysLater);
  return {
    ...columns,
    soldOn: later(columns.soldOn),
    availableOn: later(columns.availableOn),
    priceUsd: columns.priceUsd.map((usd, row) => (isFlooded(columns.lon[row]) ? usd / 1.5 : usd)),
  };
}

async function publishSales(store: Store, columns: SaleColumns): Promise<void> {
  const datasetId = await beginDataset(store, { marketId: 'town', kind: 'sales', source: SOURCE });
  const snapshotSha256 = await putBlob(store, encodeColumns(columns));
  await publishDataset(store, datasetId, { rows: 0, contentHash: snapshotSha256, snapshotSha256 });
}

function stripes(isInverse: boolean) {
  const record = floodRecordOf({
    dfirmId: null,
    versionId: null,
    areaId: null,
    studyType: null,
    zone: 'AE',
    zoneSubtype: null,
    staticBfe: null,
    verticalDatum: null,
    lengthUnit: null,
    sourceCitation: null,
  });
  const [south, north] = [TEST_MARKET.lat - 1, TEST_MARKET.lat + 1];
  const studied = { record: studiedRecordOf(null, 'all'), south, north, west: -89, east: -87 };
  const zones = Array.from({ length: 20 }, (_, i) => {
    const west = TEST_MARKET.lon + (2 * i + Number(isInverse)) * STRIPE;
    return { record, south, north, west, east: west + STRIPE };
  });
  return [studied, ...zones];
}

function subjectAt(lon: number): DescribedSubject {
  const attributes = attributesOf({ bedrooms: 3, bathrooms: 2, livingAreaSqft: 1500, yearBuilt: 1960 });
  const place = { lat: TEST_MARKET.lat + 0.03, lon, parcelId: null };
  // A fact of the record may be of an earlier day.
  const features = { [FLOOD_FACT]: '0' };
  return {
    home: { ...place, type: 'houses', attributes, features },
    typeSource: 'request',
    sources: {},
    warnings: [],
  };
}

for (const engine of engines) {
  test(`${engine.name}: a flood zone that improves values is used for the home and for newer sales, and replays keep its map`, async () => {
    const store = await engine.open();
    const sales = salesOf(1000, 1, 0);
    await publishSales(store, sales);
    await publishAreas(store, 'town', 'flood', stripes(false));
    const deps = { store, clock: systemClock, newId: () => 'id', runJobs: quickJobs(0.1) };
    const request = { marketId: 'town', trainedOn: TRAINED_ON, kind: 'property' } as const;
    const { models } = await train(deps, request, () => {});
    const tests = models[0].features?.tests.map(({ name, isChosen }) => [name, isChosen]);
    assert.deepEqual(tests, [[FLOOD_FACT, true]]);
    await publishSales(store, extendColumns(sales, salesOf(60, 2, TEST_MARKET.days)));

    const open = () => {
      const markets = openMarkets(store, systemClock);
      return { markets, places: openPlaces(store, markets.datasets) };
    };
    const asOf = TRAINED_ON + 800;
    const { lat, lon } = TEST_MARKET;
    const marketNow = () => open().markets.at('property', lat, lon, asOf);
    const inputsAt = async (place: number) => {
      const market = await marketNow();
      const subject = await withLocationFacts(open().places, market, subjectAt(place), asOf);
      const search = { radiusMi: 3, lookbackMonths: null, numComps: 3 };
      return { ...salesInputs(market), asOf, search, subject, warnings: [] };
    };
    const value = async (inputs: Awaited<ReturnType<typeof inputsAt>>) => {
      const computed = await computeProperty(open(), inputs, 'v');
      return { bytes: hash('sha256', JSON.stringify(computed)), usd: computed.valuation.pointValue };
    };

    const { columns } = await marketNow();
    assert.equal(columns.n, 1060);
    for (let row = 0; row < columns.n; row++) {
      const expected = { [FLOOD_FACT]: isFlooded(columns.lon[row]) ? '1' : '0' };
      assert.deepEqual(featuresOfSale(columns, row), expected);
    }
    const flooded = await inputsAt(lon + 8.5 * STRIPE);
    const dry = await inputsAt(lon + 9.5 * STRIPE);
    assert.deepEqual(
      [flooded, dry].map(({ subject }) => subject.home.features[FLOOD_FACT]),
      ['1', '0'],
    );
    const before = await value(flooded);
    assert.ok(before.usd < 0.85 * (await value(dry)).usd);

    await publishAreas(store, 'town', 'flood', stripes(true));
    assert.deepEqual(await value(flooded), before, 'a replay');
    const redrawn = await inputsAt(lon + 8.5 * STRIPE);
    assert.equal(redrawn.subject.home.features[FLOOD_FACT], '0');
    assert.notDeepEqual(redrawn.layerIds, flooded.layerIds);
    await store.close();
  });
}
