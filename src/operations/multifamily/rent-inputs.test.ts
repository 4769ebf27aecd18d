import type { MarketEntry } from '../market-data/market-catalog.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { buildRentColumns } from '../../valuation/columns/build-columns.ts';
import { indexParcelSales } from '../../valuation/columns/sale-columns.ts';
import { NO_ASSUMPTIONS } from '../../valuation/multifamily/assumptions.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import { rentInputsAt } from './gather-multifamily-inputs.ts';
import type { ModelRecord } from '../../store/tables/datasets.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';

const AS_OF = 20_000;
const PLACE = { lat: 41, lon: -93 };
const columns = buildRentColumns([]);

function model(kind: ValuationKind, trainedOn: number): ModelRecord {
  const modelId = `${kind}-${trainedOn}`;
  const bytes = {
    sha256: modelId,
    snapshotSha256: 'old',
    datasetIds: [],
    accuracy: [],
    features: null,
    createdAt: trainedOn,
    state: 'active',
    stateReason: null,
  } as const;
  return { modelId, marketId: 'town', kind, trainedOn, ...bytes };
}

/**
 * Markets with the models of one market. Its newest rents are always active, or fail with the given error.
 */
function depsOf(models: readonly ModelRecord[], rejection: PlumblineError | null = null) {
  const nothing = {
    sales: null,
    rents: null,
    parcels: null,
    addresses: null,
    index: null,
    layers: [],
    inactiveModels: [],
  };
  const entry: MarketEntry = { marketId: 'town', ...nothing, models };
  const at = (): Promise<ActiveMarket> => {
    const newest = models.findLast(({ kind, trainedOn }) => kind === 'rental' && trainedOn <= AS_OF);
    if (rejection !== null || !newest) return Promise.reject(rejection ?? new Error('no rents'));
    const parcelSales = indexParcelSales(columns);
    return Promise.resolve({
      marketId: 'town',
      model: newest,
      dataset: null,
      columns,
      parcelSales,
      inputs: { modelId: newest.modelId, snapshotSha256: 'new' },
      parcels: null,
    });
  };
  return {
    markets: { list: () => Promise.resolve([entry]), at },
    assumptionsOf: () => NO_ASSUMPTIONS,
  };
}

test('rents of a building come from the model that its multipliers were trained with, not from a newer one', async () => {
  const taught = [model('rental', AS_OF - 60), model('multifamily', AS_OF - 60)];
  const deps = depsOf([...taught, model('rental', AS_OF - 5), model('multifamily', AS_OF + 1)]);
  assert.deepEqual(await rentInputsAt(deps, 'town', PLACE, AS_OF), {
    rental: { modelId: `rental-${AS_OF - 60}`, snapshotSha256: 'new' },
    buildingsModelId: `multifamily-${AS_OF - 60}`,
    assumptions: NO_ASSUMPTIONS,
  });
});

test('the reason for a missing rent approach depends only on data known on the as-of date', async () => {
  const reasonOf = async (...given: Parameters<typeof depsOf>): Promise<string> => {
    const inputs = await rentInputsAt(depsOf(...given), 'town', PLACE, AS_OF);
    assert.ok('reason' in inputs);
    return inputs.reason;
  };
  const later = [model('rental', AS_OF + 1), model('multifamily', AS_OF + 1)];
  assert.equal(await reasonOf([]), await reasonOf(later));
  const known = [model('rental', AS_OF), model('multifamily', AS_OF)];
  const before = new PlumblineError('outside_coverage', 'Markets with rents: town.');
  const after = new PlumblineError('insufficient_data', 'Ask for a later date.');
  assert.equal(await reasonOf(known, before), await reasonOf(known, after));
});

test('an error that is not about coverage is thrown, not given as a reason', async () => {
  const failure = new PlumblineError('unavailable', 'The database is down.');
  const deps = depsOf([model('rental', AS_OF), model('multifamily', AS_OF)], failure);
  await assert.rejects(rentInputsAt(deps, 'town', PLACE, AS_OF), failure);
});
