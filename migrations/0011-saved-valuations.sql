-- Valuations that someone saved under a name, with tags and a note. A row is replaced when it is saved again.
create table saved_valuations (
  valuation_id {{text}} not null primary key references valuations (valuation_id),
  account_id {{text}} not null references accounts (account_id),
  kind {{text}} not null,
  name {{text}} not null,
  -- JSON: a list of texts.
  tags {{text}} not null,
  note {{text}} not null,
  -- Of the response, for lists: responses are large.
  address {{text}},
  as_of_date {{text}} not null,
  value_usd double precision not null,
  saved_at bigint not null,
  saved_by {{text}} not null,
  -- Name, note, address and tags as searches match them.
  words {{text}} not null
);
create index saved_valuations_by_account on saved_valuations (account_id, valuation_id);
