import { homesOf } from '../../jobs/portfolio-homes.ts';
import { arrayOf, integer, responseObject, string } from '../../schemas/members.ts';
import { listRunsOfAccount } from '../../store/portfolios.ts';
import { XLSX_TYPE } from '../../tables/write-xlsx.ts';
import { writeHomesXlsx } from '../endpoints/portfolio-members.ts';
import { ownPortfolioId } from '../endpoints/portfolios.ts';
import { STREAM_MS } from '../send-text.ts';
import { type ConsoleRoute, get, getFile } from './console-route.ts';
import { sendFile } from './send-file.ts';

/** Runs listed: more than the list of jobs shows at once. */
const RUNS_LISTED = 500;

export const RunsBody = responseObject('PortfolioRunsOfAccount', {
  runs: arrayOf(
    responseObject('PortfolioRunOfAccount', {
      job_id: string(),
      run: integer(),
      name: string('Of the portfolio.'),
    }),
    'Newest first.',
  ),
});

export const PORTFOLIO_ROUTES: readonly ConsoleRoute[] = [
  /** Which jobs are runs of portfolios. */
  get('/console/api/portfolio-runs', 'listConsolePortfolioRuns', 'portfolios', {
    response: RunsBody,
    handle: async ({ store, session }) => {
      const runs = await listRunsOfAccount(store, session.accountId, RUNS_LISTED);
      return { runs: runs.map(({ jobId, runNo: run, name }) => ({ jobId, run, name })) };
    },
  }),
  /** The homes of a portfolio as a workbook. Programs read the CSV file of the API. */
  getFile('/console/api/portfolios/{portfolio_id}/values.xlsx', 'downloadPortfolioXlsx', 'portfolios', {
    responseType: XLSX_TYPE,
    responseTimeoutMs: STREAM_MS,
    handle: async (http) => {
      const portfolioId = await ownPortfolioId(http.deps, http.request);
      const pieces = writeHomesXlsx(() => homesOf(http, portfolioId));
      return sendFile(http, { name: `plumbline-portfolio-${portfolioId}.xlsx`, type: XLSX_TYPE, pieces });
    },
  }),
];
