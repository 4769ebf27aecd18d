import { Type } from 'typebox';
import { actingIn } from '../../../accounts/sessions.ts';
import { formatDay, parseDay } from '../../../domain/day.ts';
import { EQUITY_MEASURES } from '../../../domain/equity.ts';
import { instant } from '../../../domain/instant.ts';
import { VALUATION_KINDS, type ValuationKind } from '../../../domain/valuation-kind.ts';
import { PlumblineError } from '../../../errors.ts';
import { findEndedJob, lastTrainingSeconds } from '../../../jobs/model-jobs.ts';
import { requestBacktest, suggestBacktestDays } from '../../../jobs/request-backtest.ts';
import { earliestTraining } from '../../../operations/training/earliest-training.ts';
import { findSavedBacktest, type SavedBacktest } from '../../../operations/studies/saved-backtests.ts';
import type { StratumJson } from '../../../operations/studies/strata.ts';
import { equityMembers } from '../../../operations/valuation/value-members.ts';
import type { ResponseOf } from '../../../schemas/member-names.ts';
import { arrayOf, integer, nullable, responseObject, string } from '../../../schemas/members.ts';
import { EquityBody } from '../../../schemas/service.ts';
import { getBlob } from '../../../store/blobs.ts';
import type { Dataset } from '../../../store/datasets.ts';
import type { Store } from '../../../store/store.ts';
import { equityFigure, type EquityStudy } from '../../../valuation/ratio-study/equity.ts';
import { pathParameter } from '../../request-context.ts';
import { type ConsoleRoute, get, getFile, post } from '../console-route.ts';
import { sendCsv } from '../send-file.ts';
import { endedMembers } from './market-members.ts';
import { Ci95, EndedJob, Group, RequestedTrainingBody } from './market-schemas.ts';
import { checkNotTooEarly, ENDED_SHOWN_MS, entryOf } from './markets.ts';

const Method = responseObject('BacktestMethod', {
  name: string(),
  n: integer(),
  mdape: nullable.number(),
  mdape_ci95: Ci95,
  ppe10: nullable.number(),
  median_ratio: nullable.number(),
  coverage_90: nullable.number(),
});

export const MarketBacktestBody = responseObject('MarketBacktest', {
  saved: nullable.object(
    responseObject('SavedBacktest', {
      saved_at: string(),
      seconds: integer('How long it took.'),
      protocol: string(),
      from: string(),
      to: string(),
      tested: integer(),
      flagged: integer('Tested sales that the market’s own checks flag. The years leave them out.'),
      trainings: integer(),
      methods: arrayOf(Method, 'On all tested sales: the model first, then its baselines.'),
      years: arrayOf(
        Group,
        'By year, then by year and type: `all`, `all houses`, `2024`, `2024 houses`. Without flagged sales.',
      ),
      equity: arrayOf(EquityBody, 'Of each row of `years`; empty for rents.'),
    }),
  ),
  ended: nullable.object(EndedJob, 'The newest queued backtest that ended today.'),
});

const FIRST_DAY = 'The first day of sale to value.';
const LAST_DAY = 'The last one.';

export const OfferedBacktestBody = responseObject('OfferedBacktest', {
  from: string(FIRST_DAY),
  to: string(LAST_DAY),
  training_seconds: nullable.integer('How long the newest queued training took.'),
});

export const BacktestRequestBody = Type.Object({
  from: string(FIRST_DAY, { format: 'date' }),
  to: string(LAST_DAY, { format: 'date' }),
});

const BACKTEST = '/console/api/markets/{id}/backtests/{kind}';

export const BACKTEST_ROUTES: readonly ConsoleRoute[] = [
  get(BACKTEST, 'readMarketBacktest', 'signed_in', {
    response: MarketBacktestBody,
    handle: async ({ deps, request, store }) => {
      const [id, kind] = [pathParameter(request, 'id'), kindOf(pathParameter(request, 'kind'))];
      const since = deps.clock().getTime() - ENDED_SHOWN_MS;
      const [saved, ended] = await Promise.all([
        findSavedBacktest(store, id, kind),
        findEndedJob(store, { task: 'backtest', marketId: id, kind }, since),
      ]);
      return { saved: saved && savedMembers(saved), ended: ended && endedMembers(ended) };
    },
  }),
  getFile(`${BACKTEST}/sales.csv`, 'downloadBacktestSales', 'signed_in', {
    responseType: 'text/csv',
    handle: async ({ request, reply, store }) => {
      const [id, kind] = [pathParameter(request, 'id'), kindOf(pathParameter(request, 'kind'))];
      const saved = await findSavedBacktest(store, id, kind);
      if (saved === null)
        throw new PlumblineError('not_found', 'The market has no saved backtest of this kind.');
      const csv = Buffer.from(await getBlob(store, saved.salesSha256)).toString();
      return sendCsv(reply, `${id}-${kind}-backtest.csv`, csv);
    },
  }),
  get(`${BACKTEST}/offered`, 'readOfferedBacktest', 'operator', {
    response: OfferedBacktestBody,
    handle: async ({ request, store }) => {
      const [id, kind] = [pathParameter(request, 'id'), kindOf(pathParameter(request, 'kind'))];
      const days = await suggestBacktestDays(store, await rowsToValue(store, id, kind));
      if (days === null) throw nothingToValue(id, kind);
      const trainingSeconds = await lastTrainingSeconds(store, id);
      return { from: formatDay(days.from), to: formatDay(days.to), trainingSeconds };
    },
  }),
  post(BACKTEST, 'requestBacktest', 'operator', {
    input: BacktestRequestBody,
    response: RequestedTrainingBody,
    handle: async ({ deps, request, session, store, read }) => {
      const { from, to } = read();
      const [id, kind] = [pathParameter(request, 'id'), kindOf(pathParameter(request, 'kind'))];
      await rowsToValue(store, id, kind);
      const earliest = await earliestTraining(store, id, [kind === 'rental' ? 'rental' : 'property']);
      // The first model is trained on what was known the day before.
      checkNotTooEarly('from', parseDay(from) ?? 0, earliest === null ? null : earliest + 1);
      const queue = { store, clock: deps.clock, newId: deps.operations.newId };
      return { id: await requestBacktest(queue, id, { kind, from, to }, actingIn(session)) };
    },
  }),
];

/** The sales or listings that a backtest values. Throws `not_found` for an unknown market, `conflict` for one without any. */
async function rowsToValue(store: Store, id: string, kind: ValuationKind): Promise<Dataset> {
  const { rents, sales } = await entryOf(store, id);
  const rows = kind === 'rental' ? rents : sales;
  if (rows === null) throw nothingToValue(id, kind);
  return rows;
}

function nothingToValue(id: string, kind: ValuationKind): PlumblineError {
  const what = kind === 'rental' ? 'rents' : 'sales';
  return new PlumblineError('conflict', `Market ${id} has no ${what} to value. Import some first.`);
}

function kindOf(text: string): ValuationKind {
  const kind = VALUATION_KINDS.find((each) => each === text);
  if (kind === undefined) throw new PlumblineError('not_found', 'There is no such kind of valuations.');
  return kind;
}

type Saved = NonNullable<ResponseOf<typeof MarketBacktestBody>['saved']>;

function savedMembers({ report, begunAt, savedAt }: SavedBacktest): Saved {
  const { kind, protocol, unflagged, overall, baselines } = report;
  const methods = [['plumbline', { overall }] as const, ...Object.entries(baselines)];
  const years = [
    ['all', unflagged.overall] as const,
    ...Object.entries(unflagged.by_type).map(([type, stratum]) => [`all ${type}`, stratum] as const),
    ...Object.entries({ ...unflagged.by_year, ...unflagged.by_year_and_type }),
  ];
  return {
    savedAt: instant(savedAt),
    seconds: Math.round((savedAt - begunAt) / 1000),
    // Backtests that were saved before November 2026 have the step as it was given.
    protocol: protocol.description.replace('retrained every 1mo', 'retrained every month'),
    from: protocol.from,
    to: protocol.to,
    tested: protocol.tested,
    flagged: protocol.flagged,
    trainings: protocol.trainings,
    methods: methods.map(([name, { overall: of }]) => {
      const { n, mdape, ppe10, median_ratio: medianRatio, coverage_90 } = of;
      return { name, n, mdape, mdapeCi95: of.ci95.mdape, ppe10, medianRatio, coverage_90 };
    }),
    years: years.flatMap(([key, stratum]) => yearMembers(key, stratum) ?? []),
    equity: kind === 'rental' ? [] : years.map(([key, stratum]) => equityMembers(equityOf(key, stratum))),
  };
}

/** Null without a value. */
function yearMembers(key: string, stratum: StratumJson): Saved['years'][number] | null {
  const { n, is_small: isSmall, cod, prd, prb, vei, ci95 } = stratum;
  const estimate = (name: keyof StratumJson['ci95']) => {
    const figure = stratum[name];
    return figure === null ? null : { figure, ci95: ci95[name] };
  };
  const [medianRatio, mdape, ppe10] = [estimate('median_ratio'), estimate('mdape'), estimate('ppe10')];
  if (!medianRatio || !mdape || !ppe10) return null;
  return {
    key,
    n,
    isSmall,
    medianRatio,
    mdape,
    ppe10,
    cod,
    prd,
    prb,
    vei,
    coverage_80: estimate('coverage_80'),
    coverage_90: estimate('coverage_90'),
    coverage_95: estimate('coverage_95'),
  };
}

/** Each type of a year has the ranges of the type. */
function equityOf(key: string, stratum: StratumJson): EquityStudy {
  const [, type = 'all'] = key.split(' ');
  const measures = EQUITY_MEASURES.map((measure) =>
    equityFigure(measure, type, stratum[measure], stratum.ci95[measure]),
  );
  return { stratum: key, n: stratum.n, isSmall: stratum.is_small, measures };
}
