import { homesOf } from '../../jobs/portfolios.ts';
import { XLSX_TYPE } from '../../tables/write-xlsx.ts';
import { writeHomesXlsx } from '../endpoints/portfolio-members.ts';
import { ownPortfolioId } from '../endpoints/portfolios.ts';
import { STREAM_MS } from '../send-text.ts';
import { type ConsoleRoute, getFile } from './console-route.ts';
import { sendFile } from './send-file.ts';

/** The homes of a portfolio as a workbook. Programs read the CSV file of the API. */
export const PORTFOLIO_FILE_ROUTES: readonly ConsoleRoute[] = [
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
