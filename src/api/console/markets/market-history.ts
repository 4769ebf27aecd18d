import { Type } from 'typebox';
import { actingIn } from '../../../accounts/sessions.ts';
import { instant } from '../../../domain/instant.ts';
import { VALUATION_KINDS } from '../../../domain/valuation-kind.ts';
import { PlumblineError } from '../../../errors.ts';
import { runOfTask } from '../../../jobs/model-jobs.ts';
import { cancelMarketJob, listMarketHistory, readRejectedRows } from '../../../jobs/market-history.ts';
import { nextCursor, pageMembers } from '../../../schemas/batch.ts';
import {
  arrayOf,
  boolean,
  counts,
  integer,
  nullable,
  oneOf,
  responseObject,
  string,
} from '../../../schemas/members.ts';
import { pathParameter } from '../../request-context.ts';
import { type ConsoleRoute, get, getFile, post } from '../console-route.ts';
import { sendCsv } from '../send-file.ts';

const HISTORY_LIMIT = { default: 20, max: 100 } as const;
const HISTORY = '/console/api/markets/{id}/history';

const HistoryQuery = Type.Object(pageMembers('jobs', HISTORY_LIMIT));

export const MarketHistoryBody = responseObject('MarketHistory', {
  jobs: arrayOf(
    responseObject('MarketJob', {
      id: string(),
      task: oneOf(['import', 'train', 'backtest']),
      status: oneOf(['queued', 'running', 'complete', 'failed', 'cancelled']),
      requested_by: nullable.string('Null if a schedule or the command line queued it.'),
      created_at: string(),
      finished_at: nullable.string(),
      kind: nullable.string('What is imported, trained or tested; null for all kinds.'),
      as_of: nullable.string('The date that a training is as of; null for other tasks.'),
      file: nullable.string('The name of the imported file.'),
      progress: nullable.string('The last step of a running job.'),
      failure: nullable.string('Why it failed.'),
      loaded: nullable.object(
        responseObject('LoadedRows', {
          rows_read: integer(),
          rows_loaded: integer(),
          rows_repeated: integer('Rows that repeat another row of the file.'),
          left_out: counts('Rows left out, by reason.'),
        }),
        'Of an import that read a file.',
      ),
      has_rejected_rows: boolean('Whether there is a list of the rows that were left out.'),
      training_failure: nullable.string('Why the market was not trained after the import.'),
      models: arrayOf(
        responseObject('HistoryModel', { kind: oneOf(VALUATION_KINDS), note: string() }),
        'The trained models.',
      ),
    }),
    'Newest first.',
  ),
  next_cursor: nextCursor,
});

const CancelledJobBody = responseObject('CancelledMarketJob', { id: string() });

/** The imports, trainings and backtests of a market that were queued. */
export const MARKET_HISTORY_ROUTES: readonly ConsoleRoute[] = [
  get(HISTORY, 'listMarketHistory', 'operator', {
    input: HistoryQuery,
    response: MarketHistoryBody,
    handle: async ({ request, store, read }) => {
      const { limit, cursor = null } = read();
      const marketId = pathParameter(request, 'id');
      const { items, nextCursor: next } = await listMarketHistory(store, {
        marketId,
        limit: limit ?? HISTORY_LIMIT.default,
        cursor,
      });
      return {
        jobs: items.map(({ jobId, task, createdAt, finishedAt, report, rejectedRows, ...entry }) => ({
          id: jobId,
          task: runOfTask(task),
          status: entry.status,
          requestedBy: entry.requestedBy,
          createdAt: instant(createdAt),
          finishedAt: finishedAt === null ? null : instant(finishedAt),
          kind: entry.kind,
          asOf: entry.asOf,
          file: entry.file,
          progress: entry.progress,
          failure: entry.failure,
          loaded: report && {
            rowsRead: report.rows_read,
            rowsLoaded: report.rows_loaded,
            rowsRepeated: report.rows_repeated,
            leftOut: { ...report.rejected.by_reason, ...report.skipped.by_reason },
          },
          hasRejectedRows: rejectedRows !== null,
          trainingFailure: entry.trainingFailure,
          models: entry.models,
        })),
        nextCursor: next,
      };
    },
  }),
  post(`${HISTORY}/{job_id}/cancel`, 'cancelMarketJob', 'operator', {
    response: CancelledJobBody,
    handle: async ({ request, session, store }) => {
      const [marketId, id] = [pathParameter(request, 'id'), pathParameter(request, 'job_id')];
      await cancelMarketJob(store, marketId, id, actingIn(session));
      return { id };
    },
  }),
  getFile(`${HISTORY}/{job_id}/rejected.csv`, 'downloadRejectedRowsOfJob', 'operator', {
    responseType: 'text/csv',
    handle: async ({ request, reply, store }) => {
      const [marketId, jobId] = [pathParameter(request, 'id'), pathParameter(request, 'job_id')];
      const rows = await readRejectedRows(store, marketId, jobId);
      if (rows === null) throw new PlumblineError('not_found', 'No row of this import was left out.');
      return sendCsv(reply, `${marketId}-rejected.csv`, rows);
    },
  }),
];
