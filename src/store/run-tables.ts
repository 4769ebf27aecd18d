/** The table of imports, trainings and backtests under way, as `Database` has it. */

export type RunTask = 'import' | 'train' | 'backtest';

export interface RunTable {
  run_id: string;
  task: RunTask;
  market_id: string;
  kind: string | null;
  begun_at: number;
  beat_at: number;
  step: string | null;
  done: number | null;
  total: number | null;
}
