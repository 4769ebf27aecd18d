-- The newest saved backtest of each market and kind (`plumbline backtest --save`).
create table market_backtests (
  market_id {{text}} not null references markets (market_id),
  kind {{text}} not null,
  -- JSON: what `plumbline backtest --json` prints.
  report {{text}} not null,
  -- Blob of every tested sale with its value, as CSV.
  sales_sha256 {{text}} not null,
  begun_at bigint not null,
  saved_at bigint not null,
  primary key (market_id, kind)
);
