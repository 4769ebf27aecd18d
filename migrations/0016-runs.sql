-- What people who look at a market want to know: what is being done to it now, and what became of each import.

-- An import, a training or a backtest at a command line: there for as long as it lasts. A row that is no longer beaten is of
-- one that was ended from outside.
create table runs (
  -- UUIDv7: sorts by the time it began.
  run_id {{text}} not null primary key,
  task {{text}} not null,
  -- Not a reference: an import makes its market only once its files were read.
  market_id {{text}} not null,
  -- What is imported, trained or tested; null for all that there is.
  kind {{text}},
  begun_at bigint not null,
  beat_at bigint not null,
  -- What is being done, and how far it is; all null before the first step.
  step {{text}},
  done double precision,
  -- null where the end is unknown.
  total double precision
);

-- How many rows of the files were read, taken over and refused, and why: JSON. Null of what was loaded before it was kept.
alter table datasets add column report {{text}};
