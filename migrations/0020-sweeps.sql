-- Sweeps: the values of all parcels of a market on a date, as jobs of the task `sweep`. Kept until their market is deleted.
create table sweeps (
  -- Short, because every value has it.
  sweep_no {{id}},
  job_id {{text}} not null unique references jobs (job_id),
  market_id {{text}} not null references markets (market_id),
  -- Days since 1970, in UTC.
  as_of integer not null,
  model_id {{text}} not null,
  -- JSON: the model and the data, the same for every worker.
  inputs {{text}} not null,
  parcels_dataset_id bigint not null,
  parcel_count integer not null
);
create index sweeps_by_market on sweeps (market_id, as_of);

-- The value of each parcel, or why it has none. The primary key rejects a second value of a parcel in a sweep. No
-- foreign key: one check per row would only repeat that of the job, whose row is locked when values are written.
create table parcel_values (
  sweep_no bigint not null,
  parcel_id {{text}} not null,
  value_usd double precision,
  -- The 90% interval.
  low_usd double precision,
  high_usd double precision,
  fsd double precision,
  -- Null for a value.
  error_code {{text}},
  primary key (sweep_no, parcel_id)
);
-- The history of a parcel.
create index parcel_values_by_parcel on parcel_values (parcel_id, sweep_no);
