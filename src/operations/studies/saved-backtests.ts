import { inPortions } from '../../domain/portions.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { parseJsonText } from '../../store/json-text.ts';
import { findMarketBacktest, saveMarketBacktest } from '../../store/market-backtests.ts';
import type { Store } from '../../store/store.ts';
import type { BacktestReport } from './backtest/report.ts';
import { salesCsv } from './backtest/tested-sales.ts';
import type { Backtest } from './backtest.ts';

/** A backtest that is kept with its market. */
export interface SavedBacktest {
  readonly report: BacktestReport;
  /** Blob of every tested sale with its value, as CSV. */
  readonly salesSha256: string;
  readonly begunAt: number;
  readonly savedAt: number;
}

/** Lines of CSV in one piece of bytes. */
const LINES_AT_ONCE = 10_000;

/** Keeps a backtest with its market, in the place of the earlier one of its kind. */
export async function saveBacktest(
  store: Store,
  { report, tested }: Backtest,
  begunAt: number,
): Promise<void> {
  const { market: marketId, kind } = report;
  const row = { marketId, kind, report: JSON.stringify(report), begunAt };
  const lines = inPortions(salesCsv(tested), LINES_AT_ONCE);
  await saveMarketBacktest(
    store,
    row,
    Array.from(lines, (some) => Buffer.from(some.join(''))),
  );
}

/** The saved backtest of a market and kind; null if there is none. */
export async function findSavedBacktest(
  store: Store,
  marketId: string,
  kind: ValuationKind,
): Promise<SavedBacktest | null> {
  const found = await findMarketBacktest(store, marketId, kind);
  return found && { ...found, report: parseJsonText<BacktestReport>(found.report) };
}
