import { RENT_LISTINGS_KEPT, readRentListings } from '../src/operations/market-data/holdout-and-rents.ts';
import { findCensusRents } from '../src/operations/rental/census-rents.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { importRents, importSales } from '../src/load/import-records.ts';
import { normal, streamOf } from '../src/load/sample-county/random-draws.ts';
import { RENT_NOISE_SD, trueMonthlyRentUsd, unitsOf } from '../src/load/sample-county/sales-and-rents.ts';
import { rentRows, writeSampleHomes } from '../src/load/sample-county/write-sample-county.ts';
import { cached } from '../src/promise-cache.ts';
import type { PlaceDeps } from '../src/places/deps.ts';
import { openPlaces } from '../src/places/open-places.ts';
import { currentDatasets, type Dataset } from '../src/store/datasets.ts';
import { engines } from './harness/store/engines.ts';
import { percentileUsd } from '../src/valuation/calibration/distribution.ts';
import {
  EMPTY_SAMPLE,
  valueUnitsByCensus,
  type CensusRentData,
} from '../src/valuation/rental/census-rent.ts';
import { startPlaceService, type PlaceService } from './place-fixture.ts';
import { AS_OF, county, startOnLayers } from './sample-layers.ts';

const UNITS = 200;
const units = drawUnits();

/** Random units of random rented buildings, each with a possible asking rent on the date. */
function drawUnits() {
  const random = streamOf(county.seed, 'units of the census test');
  const rented = county.parcels.flatMap((parcel) => {
    const { isRented, units } = unitsOf(county.seed, parcel);
    return isRented ? [{ parcel, units }] : [];
  });
  const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)];
  return Array.from({ length: UNITS }, () => {
    const { parcel, units } = anyOf(rented);
    const unit = anyOf(units);
    const rentUsd = trueMonthlyRentUsd(parcel, unit, AS_OF) * Math.exp(RENT_NOISE_SD * normal(random));
    return { lat: parcel.lat, lon: parcel.lon, bedrooms: unit.bedrooms, rentUsd };
  });
}

/** A market with sales only, spread over the whole county. */
async function importSomeSales({ imports }: PlaceService): Promise<void> {
  const some = { ...county, sales: county.sales.filter((_, i) => i % 10 === 0), parcels: [], rents: [] };
  const { sales } = await writeSampleHomes(some, imports.dataDir);
  await importSales(imports, { marketId: 'sales-only', files: [sales] });
}

interface Coverage {
  readonly coverage90: number;
  readonly bias: number;
  readonly medianWidth: number;
  /** All figures as one readable line. */
  readonly told: string;
}

async function measure(places: PlaceDeps, check: (found: CensusRentData) => void): Promise<Coverage> {
  const readListings = cached(RENT_LISTINGS_KEPT, (sha: string) => readRentListings(places.store, sha));
  let covered = 0;
  const errors: number[] = [];
  const widths: number[] = [];
  for (const { lat, lon, bedrooms, rentUsd } of units) {
    const found = await findCensusRents(places, readListings, { lat, lon }, AS_OF);
    if ('missing' in found) assert.fail(found.missing);
    check(found);
    const [{ pointUsd, distribution }] = valueUnitsByCensus(found, [{ bedrooms }], AS_OF).units;
    const [low, high] = [percentileUsd(distribution, 5), percentileUsd(distribution, 95)];
    covered += Number(low <= rentUsd && rentUsd <= high);
    errors.push(Math.log(pointUsd / rentUsd));
    widths.push((high - low) / pointUsd);
  }
  const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];
  const [coverage90, bias, medianWidth] = [covered / UNITS, median(errors), median(widths)];
  const told =
    `coverage of 90 %: ${(100 * coverage90).toFixed(1)} % of ${UNITS}; median error ` +
    `${median(errors.map(Math.abs)).toFixed(3)}, bias ${bias.toFixed(3)}, median width ${medianWidth.toFixed(2)}`;
  return { coverage90, bias, medianWidth, told };
}

for (const engine of engines) {
  describe(`${engine.name}: rents of the sample county from its census`, () => {
    let service: PlaceService;
    let places: PlaceDeps;
    let datasets: readonly Dataset[] = [];
    before(async () => {
      service = await startOnLayers(engine);
      await importSomeSales(service);
      const { store } = service.imports;
      datasets = await currentDatasets(store);
      places = openPlaces(store, async () => datasets);
    });
    after(() => service.close());

    const importListings = async (share: number): Promise<void> => {
      const rows = [...rentRows(county)].filter((_, i) => i % Math.round(1 / share) === 0);
      const columns = Object.keys(rows[0]);
      const lines = rows.map((row) => columns.map((column) => row[column]).join(','));
      const file = service.file(`rents-${share}.csv`, [columns.join(','), ...lines].join('\n'));
      await importRents(service.imports, { marketId: 'listings', files: [file] });
      datasets = await currentDatasets(service.imports.store);
    };

    const [{ lat, lon }] = units;
    const body = {
      location: { latitude: lat, longitude: lon },
      property_fields: {
        units: [2, 0, 3, 2.5].map((bedrooms) => ({ bedrooms, bathrooms: 1 })),
        total_units: 4,
      },
    };

    test('a market without rents has insufficient data and suggests census rents', async () => {
      const without = await startPlaceService(await engine.open());
      await importSomeSales(without);
      const { status, body: problem } = await without.post('/v1/avm/rental', body);
      assert.deepEqual([status, problem.code], [404, 'insufficient_data']);
      assert.match(problem.detail, /no rents.*B25031/);
      await without.close();
    });

    test('with a loaded census it values from census rents, says so, and replays after more data arrives', async () => {
      const { status, body: answer } = await service.post('/v1/avm/rental', body);
      assert.equal(status, 200);
      const { valuation, comparables } = answer;
      assert.deepEqual(
        [valuation.model.id, valuation.model.version, valuation.accuracy, valuation.annual_rent],
        ['census-2024', '2026-01-29', null, 12 * valuation.estimated_rent],
      );
      assert.match(valuation.model.sha256, /^[0-9a-f]{64}$/);
      assert.match(valuation.model.data_snapshot, /^[0-9a-f]{64}$/);
      assert.deepEqual(valuation.estimators, [{ name: 'census', value: valuation.point_value, weight: 1 }]);
      assert.deepEqual([comparables.count, comparables.items], [0, []]);
      const warning = valuation.warnings.find(({ code }: { code: string }) => code === 'census_rents');
      assert.match(warning.message, /census median gross rents by bedrooms \(2020–2024, .* 99001/);
      const rents = valuation.units.map((unit: { estimated_rent: number }) => unit.estimated_rent);
      assert.ok(rents[1] < rents[0] && rents[0] === rents[3] && rents[0] < rents[2], String(rents));
      assert.equal(valuation.estimated_rent, rents[0] + rents[1] + rents[2] + rents[3]);
      assert.match(valuation.total_method, /ρ = 0.90/);
      const fields = valuation.inputs.map(({ field }: { field: string }) => field);
      assert.ok(fields.includes('total_units') && fields.includes('has_parking'), String(fields));

      await importListings(0.05);
      const path = `/v1/valuations/${valuation.valuation_id}`;
      assert.deepEqual((await service.get(path)).body, answer);
      const { body: replay } = await service.post(`${path}/replay`, {});
      assert.equal(replay.agrees, true);
      const { body: later } = await service.post('/v1/avm/rental', body);
      assert.notEqual(later.valuation.model.data_snapshot, valuation.model.data_snapshot);
      assert.equal(later.valuation.model.sha256, valuation.model.sha256);
      assert.ok(later.valuation.fsd < valuation.fsd);
    });

    test('a date before the census was published has insufficient data, and the error names the later release', async () => {
      const { status, body: problem } = await service.post('/v1/avm/rental', {
        ...body,
        search_params: { date: '2020-12-01' },
      });
      assert.deepEqual([status, problem.code], [404, 'insufficient_data']);
      assert.match(problem.detail, /2019 .*not published before 2020-12-20/);
      const next = await service.post('/v1/avm/rental', { ...body, search_params: { date: '2021-02-01' } });
      assert.deepEqual([next.status, next.body.valuation.model.id], [200, 'census-2019']);
    });

    // Measured on the first engine only: both engines read the same rows, so the results are the same.
    if (engine === engines[0]) {
      test('the interval is wide without listings and gets narrower with them', async (context) => {
        const noListings = openPlaces(places.store, async () =>
          datasets.filter(({ kind }) => kind !== 'rents'),
        );
        const without = await measure(noListings, ({ year, offsets }) => {
          assert.equal(year, 2024);
          assert.deepEqual(offsets, { nation: EMPTY_SAMPLE, state: EMPTY_SAMPLE, market: EMPTY_SAMPLE });
        });
        context.diagnostic(`no listing: ${without.told}`);
        // The made-up town varies less than real towns, so its coverage must be at least that of a real town.
        assert.ok(without.coverage90 >= 0.85, without.told);

        await importListings(0.05);
        const few = await measure(places, ({ offsets }) => assert.ok(offsets.market.buildings > 1));
        context.diagnostic(`one listing in twenty: ${few.told}`);
        assert.ok(few.coverage90 >= 0.85, few.told);

        await importListings(1);
        const all = await measure(places, ({ offsets }) => assert.ok(offsets.market.buildings > 30));
        context.diagnostic(`all listings: ${all.told}`);
        assert.ok(all.coverage90 >= 0.85 && all.coverage90 <= 0.99, all.told);
        assert.ok(few.medianWidth < without.medianWidth && all.medianWidth < without.medianWidth);
        assert.ok(all.medianWidth < 1.05 * few.medianWidth);
        assert.ok(Math.abs(all.bias) < Math.abs(without.bias) && Math.abs(all.bias) < 0.05, all.told);
      });
    }
  });
}
