import { formatDay } from '../../domain/day.ts';
import { combineLoans, type RowLoan } from '../../domain/home-loans.ts';
import { instant, instantOrNull } from '../../domain/instant.ts';
import { ltvPctOf, placeOfEntry, type LatestValue } from '../../domain/portfolio.ts';
import { createHomeIndex } from '../../domain/repeated-homes.ts';
import type { Warning } from '../../domain/warning.ts';
import { openAlertsOf, type Portfolio } from '../../jobs/portfolios.ts';
import type { PropertyValuationRequest } from '../../operations/valuation-types.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { PortfolioBody, PortfolioHomesBody } from '../../schemas/portfolios.ts';
import { parseJsonText } from '../../store/json-text.ts';
import type { PortfolioHome, RunWithJob } from '../../store/portfolios.ts';
import { writeItemsCsv, writeItemsXlsx, type DescribedColumn } from '../../tables/described-columns.ts';

function runMembers(run: RunWithJob): ResponseOf<typeof PortfolioBody>['runs'][number] {
  const { runNo, jobId, cause, asOf, total, completed, failed, creditsUsed, alertCount } = run;
  return {
    run: runNo,
    jobId,
    cause,
    asOfDate: formatDay(asOf),
    status: run.status,
    properties: total,
    valued: completed,
    failed,
    creditsUsed,
    createdAt: instant(run.createdAt),
    finishedAt: instantOrNull(run.finishedAt),
    comparedAt: instantOrNull(run.comparedAt),
    alerts: alertCount,
  };
}

export function portfolioMembers(
  { row, rules, runs, totals }: Portfolio,
  warnings: readonly Warning[] = [],
): ResponseOf<typeof PortfolioBody> {
  const { portfolioId, name, homeCount, alertCount, problem, createdAt, createdBy } = row;
  const { revalueEvery, changePct, isOutsideRange: outsideRange, ltvPct, soldWithinMi } = rules;
  return {
    portfolioId,
    name,
    revalueEvery,
    alerts: { changePct, outsideRange, ltvPct, soldWithinMi },
    properties: homeCount,
    totals: {
      valued: totals.valued,
      estimatedValue: totals.valueUsd,
      ...(totals.repeats > 0 && { repeats: totals.repeats }),
      loanBalance: totals.balanceUsd,
      loanBalanceValued: totals.balanceValuedUsd,
      ltvPct: totals.ltvPct,
    },
    alertCount,
    openAlerts: openAlertsOf(row),
    problem,
    createdAt: instant(createdAt),
    createdBy,
    runs: runs.map(runMembers),
    warnings,
  };
}

export function homeMembers({
  homeNo,
  propertyId,
  balanceUsd,
  latest,
}: PortfolioHome): ResponseOf<typeof PortfolioHomesBody>['properties'][number] {
  const value = latest === null ? null : parseJsonText<LatestValue>(latest);
  return {
    entry: homeNo + 1,
    propertyId,
    formattedAddress: value?.address ?? null,
    latitude: value?.lat ?? null,
    longitude: value?.lon ?? null,
    valuationId: value?.valuationId ?? null,
    estimatedValue: value?.valueUsd ?? null,
    estimatedValueLow: value?.lowUsd ?? null,
    estimatedValueHigh: value?.highUsd ?? null,
    fsd: value?.fsd ?? null,
    loanBalance: balanceUsd,
    ltvPct: ltvPctOf(balanceUsd, value?.valueUsd ?? null),
    errorCode: value?.errorCode ?? null,
    error: value?.error ?? null,
  };
}

/** In the file, each entry also has the loans of all entries of its home. */
type HomeMembers = ReturnType<typeof homeMembers> & { readonly combinedLtvPct: number | null };

/** Of the CSV file. */
const COLUMNS: readonly DescribedColumn<HomeMembers>[] = [
  { name: 'property_id', type: 'text', of: (home) => home.propertyId },
  { name: 'formatted_address', type: 'text', of: (home) => home.formattedAddress },
  { name: 'valuation_id', type: 'text', of: (home) => home.valuationId },
  { name: 'estimated_value', type: 'number', format: 'usd', of: (home) => home.estimatedValue },
  { name: 'estimated_value_low', type: 'number', format: 'usd', of: (home) => home.estimatedValueLow },
  { name: 'estimated_value_high', type: 'number', format: 'usd', of: (home) => home.estimatedValueHigh },
  { name: 'fsd', type: 'number', format: 'percent', of: (home) => home.fsd },
  { name: 'loan_balance', type: 'number', format: 'usd', of: (home) => home.loanBalance },
  { name: 'ltv_pct', type: 'number', of: (home) => home.ltvPct },
  { name: 'combined_ltv_pct', type: 'number', of: (home) => home.combinedLtvPct },
  { name: 'error_code', type: 'text', of: (home) => home.errorCode },
  { name: 'error', type: 'text', of: (home) => home.error },
];

/** Reads the homes of a portfolio from the first, a page at a time. */
type ReadHomes = () => AsyncIterable<readonly PortfolioHome[]>;

/** The homes are read twice: a later entry can add a loan to the home of an earlier one. */
async function* memberPages(readHomes: ReadHomes): AsyncGenerator<readonly HomeMembers[]> {
  const loans = combineLoans(await readEntryLoans(readHomes()));
  for await (const page of readHomes()) {
    yield page.map((home) => {
      const { balanceUsd = null, valueUsd = null } = loans.get(home.homeNo) ?? {};
      return { ...homeMembers(home), combinedLtvPct: ltvPctOf(balanceUsd, valueUsd) };
    });
  }
}

async function readEntryLoans(pages: ReturnType<ReadHomes>): Promise<RowLoan[]> {
  const entries: RowLoan[] = [];
  const homes = createHomeIndex<number>();
  for await (const page of pages) {
    for (const { homeNo, request, balanceUsd: balance, latest } of page) {
      const found = latest === null ? null : parseJsonText<LatestValue>(latest);
      if (found === null || found.valueUsd === null) continue;
      const { location } = parseJsonText<PropertyValuationRequest>(request);
      const first = homes.findOrAdd(placeOfEntry(location.address, found), () => homeNo);
      entries.push({ row: homeNo, repeatsRow: first, value: found.valueUsd, balance });
    }
  }
  return entries;
}

/** The homes of a portfolio as CSV, in pieces. */
export function writeHomesCsv(readHomes: ReadHomes): AsyncGenerator<string> {
  return writeItemsCsv(COLUMNS, memberPages(readHomes));
}

/** The same as an .xlsx workbook. */
export function writeHomesXlsx(readHomes: ReadHomes): AsyncGenerator<Uint8Array> {
  return writeItemsXlsx(COLUMNS, memberPages(readHomes));
}
