import { formatDay, MS_PER_DAY, parseDay, type Day } from '../../../domain/day.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { actingIn } from '../../../accounts/sessions.ts';
import { PlumblineError } from '../../../errors.ts';
import { findEndedJob, listMarketWork } from '../../../jobs/model-jobs.ts';
import { requestTraining } from '../../../jobs/schedule-training.ts';
import { listCoverage } from '../../../operations/market/coverage.ts';
import type { OperationDeps } from '../../../operations/deps.ts';
import {
  DATASET_OF,
  MARKET_KINDS,
  readCatalog,
  type MarketEntry,
} from '../../../operations/market-data/market-catalog.ts';
import {
  deleteMarket,
  readMarketContents,
  type MarketContents,
} from '../../../operations/market/delete-market.ts';
import { listHoldoutSales, studyModel } from '../../../operations/market/study-model.ts';
import { earliestTraining } from '../../../operations/training/earliest-training.ts';
import { activateModel, rollBack } from '../../../operations/training/roll-back.ts';
import { listMarkets, listVersions } from '../../../store/datasets.ts';
import { listModels } from '../../../store/models.ts';
import type { Store } from '../../../store/store.ts';
import { pathParameter } from '../../request-context.ts';
import { singleError } from '../../request/validation-error.ts';
import { type ConsoleRoute, get, post } from '../console-route.ts';
import {
  endedMembers,
  historyMembers,
  holdoutSaleMembers,
  marketMembers,
  studyMembers,
  versionMembers,
} from './market-members.ts';
import {
  ChangedModelsBody,
  ConsoleMarketBody,
  ConsoleMarketsBody,
  DeleteMarketBody,
  HoldoutSalesBody,
  HoldoutSalesQuery,
  MarketContentsBody,
  ModelStudyBody,
  RequestedTrainingBody,
  RollBackBody,
  TrainingRequestBody,
} from './market-schemas.ts';

/** Versions of a market's data that are listed: the active ones, and a month of nightly imports of three kinds. */
const VERSIONS_LISTED = 100;

/** How long the end of a training or backtest is shown. */
export const ENDED_SHOWN_MS = MS_PER_DAY;

/** Deleting the rows of a large market takes minutes. */
const DELETE_MS = 600_000;
/** Serving processes read the list of markets once a second. */
const SETTLE_MS = 2000;
/** Rows of a transaction: requests wait for it. */
const ROWS_AT_ONCE = 500;

/** As many dots as a plot can show apart. */
const HOLDOUT_SALES_LISTED = 2000;

/** All markets by id, including those without active data. */
async function readMarkets(operations: OperationDeps) {
  const { store } = operations;
  const [coverage, known, work] = await Promise.all([
    listCoverage(operations),
    listMarkets(store),
    listMarketWork(store),
  ]);
  const covered = new Map(coverage.map((market) => [market.entry.marketId, market]));
  const ids = new Set([...covered.keys(), ...[...known, ...work].map(({ marketId }) => marketId)]);
  return [...ids].sort().map((id) => {
    const market = covered.get(id) ?? null;
    const ownWork = work.filter(({ marketId }) => marketId === id);
    return marketMembers(id, market, ownWork);
  });
}

function noMarket(): PlumblineError {
  return new PlumblineError('not_found', 'There is no market with this id.');
}

/** A training of too early a date, or a backtest from one, would be queued and fail. */
export function checkNotTooEarly(member: string, day: Day, earliest: Day | null): void {
  if (earliest === null || day >= earliest) return;
  const message = `Choose ${formatDay(earliest)} or later. Before that, too few sales or rents were on record to train a model.`;
  throw singleError(['body', member], 'too_early', message, formatDay(day));
}

/** A market with active data. Throws `not_found`. */
export async function entryOf(store: Store, id: string): Promise<MarketEntry> {
  const entry = (await readCatalog(store)).entries.find(({ marketId }) => marketId === id);
  if (entry) return entry;
  throw noMarket();
}

/** Markets belong to the installation: every signed-in user may see them, and its operators change them. */
function contentsMembers({ datasets, models, blobBytes, valuations }: MarketContents) {
  return { datasets, models, blobBytes, valuations };
}

export const MARKET_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/markets', 'listConsoleMarkets', 'signed_in', {
    response: ConsoleMarketsBody,
    handle: async ({ deps }) => {
      return { markets: await readMarkets(deps.operations) };
    },
  }),
  get('/console/api/markets/{id}', 'readConsoleMarket', 'signed_in', {
    response: ConsoleMarketBody,
    handle: async ({ deps, request, store }) => {
      const id = pathParameter(request, 'id');
      const market = (await readMarkets(deps.operations)).find(({ id: known }) => known === id);
      if (!market) throw noMarket();
      const since = deps.clock().getTime() - ENDED_SHOWN_MS;
      const ended = await findEndedJob(store, { task: 'train', marketId: id }, since);
      return {
        ...market,
        endedTraining: ended && endedMembers(ended),
        versions: (await listVersions(store, id, VERSIONS_LISTED)).map(versionMembers),
        // Not from the catalog, which may be a second old: the page shows a change of a model at once.
        history: historyMembers(await listModels(store, { marketId: id })),
      };
    },
  }),
  post('/console/api/markets/{id}/train', 'requestTraining', 'operator', {
    input: TrainingRequestBody,
    response: RequestedTrainingBody,
    handle: async ({ deps, request, session, store, read }) => {
      const { date } = read();
      const id = pathParameter(request, 'id');
      const entry = await entryOf(store, id);
      if (MARKET_KINDS.every((kind) => entry[DATASET_OF[kind]] === null)) {
        throw new PlumblineError(
          'conflict',
          `Market ${id} has no sales or rents to train on. Import some first.`,
        );
      }
      const asOf = date ? parseDay(date) : null;
      if (asOf !== null) checkNotTooEarly('date', asOf, await earliestTraining(store, id));
      const queue = { store, clock: deps.clock, newId: deps.operations.newId };
      return { id: await requestTraining(queue, id, actingIn(session), asOf) };
    },
  }),
  post('/console/api/markets/{id}/roll-back', 'rollBackModels', 'operator', {
    input: RollBackBody,
    response: ChangedModelsBody,
    handle: async ({ request, session, store, read }) => {
      const wanted = { marketId: pathParameter(request, 'id'), kind: null, reason: read().reason };
      const rolledBack = await rollBack(store, wanted, actingIn(session));
      return { models: rolledBack.map(({ model: { modelId, state } }) => ({ id: modelId, state })) };
    },
  }),
  get('/console/api/markets/{id}/contents', 'readMarketContents', 'operator', {
    response: MarketContentsBody,
    handle: async ({ request, store }) =>
      contentsMembers(await readMarketContents(store, pathParameter(request, 'id'))),
  }),
  post('/console/api/markets/{id}/delete', 'deleteMarket', 'operator', {
    input: DeleteMarketBody,
    response: MarketContentsBody,
    responseTimeoutMs: DELETE_MS,
    handle: async ({ request, session, store, read }) => {
      const id = pathParameter(request, 'id');
      if (read().confirm !== id) {
        throw new PlumblineError('bad_request', `Type the name of the market, ${id}, to delete it.`);
      }
      const contents = await readMarketContents(store, id);
      await deleteMarket(store, contents, actingIn(session), () => sleep(SETTLE_MS), ROWS_AT_ONCE);
      return contentsMembers(contents);
    },
  }),
  post('/console/api/models/{id}/activate', 'activateModel', 'operator', {
    response: ChangedModelsBody,
    handle: async ({ request, session, store }) => {
      const { modelId, state } = await activateModel(store, pathParameter(request, 'id'), actingIn(session));
      return { models: [{ id: modelId, state }] };
    },
  }),
  get('/console/api/models/{id}/study', 'readModelStudy', 'signed_in', {
    response: ModelStudyBody,
    handle: async ({ deps, request }) =>
      studyMembers(await studyModel(deps.operations, pathParameter(request, 'id'))),
  }),
  get('/console/api/models/{id}/holdout-sales', 'listHoldoutSales', 'signed_in', {
    input: HoldoutSalesQuery,
    response: HoldoutSalesBody,
    handle: async ({ deps, request, read }) => {
      const { area = null, tier = null, limit: most = HOLDOUT_SALES_LISTED } = read();
      const modelId = pathParameter(request, 'id');
      const { total, sales } = await listHoldoutSales(deps.operations, { modelId, area, tier, most });
      return { total, sales: sales.map(holdoutSaleMembers) };
    },
  }),
];
