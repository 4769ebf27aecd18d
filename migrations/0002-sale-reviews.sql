-- What operators decided about single sales: to use one that is flagged, or not to use one. Rows are never changed. The
-- newest row of a record counts, from its day on. Imports leave them alone, because record ids survive imports.
create table sale_reviews (
  -- UUIDv7: sorts by creation time.
  review_id {{text}} not null primary key,
  market_id {{text}} not null references markets (market_id),
  record_id {{text}} not null,
  -- 1 = use it, 0 = do not use it.
  is_used integer not null,
  -- First as-of date on which the decision counts.
  from_day integer not null,
  reason {{text}} not null,
  actor_name {{text}} not null,
  created_at bigint not null
);
create index sale_reviews_by_market on sale_reviews (market_id, review_id);

-- Files that are imported are uploaded in the same way as files whose rows are valued.
alter table uploads add column purpose {{text}} not null default 'batch';
