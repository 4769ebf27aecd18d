-- Who may ask, and what was answered.

create table accounts (
  account_id {{text}} not null primary key,
  name {{text}} not null,
  plan {{text}} not null,
  created_at bigint not null
);
-- The account of a self-hosted installation.
insert into accounts (account_id, name, plan, created_at) values ('self', 'This installation', 'unlimited', 0);

create table api_keys (
  key_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  name {{text}} not null,
  environment {{text}} not null,
  scopes {{text}} not null,
  secret_sha256 {{text}} not null,
  last_characters {{text}} not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);
create index api_keys_by_account on api_keys (account_id, key_id);

create table valuations (
  valuation_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  key_id {{text}},
  kind {{text}} not null,
  created_at bigint not null,
  request {{text}} not null,
  inputs {{text}} not null,
  response {{text}} not null,
  credits integer not null
);
create index valuations_by_account on valuations (account_id, valuation_id);
