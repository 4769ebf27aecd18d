-- Links that show the report of one valuation to anyone who has them.
create table report_shares (
  -- UUIDv7: sorts by creation time.
  share_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  valuation_id {{text}} not null references valuations (valuation_id),
  -- SHA-256 of the secret in the link, in hex. The secret itself is not stored.
  secret_sha256 {{text}} not null,
  version {{text}} not null,
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint,
  -- How often the link was opened, and when last.
  opened integer not null,
  last_opened_at bigint
);
create unique index report_shares_by_secret on report_shares (secret_sha256);
create index report_shares_by_valuation on report_shares (valuation_id, share_id);

-- The picture at the head of an account's reports.
create table account_logos (
  account_id {{text}} not null primary key references accounts (account_id),
  -- image/png or image/jpeg
  type {{text}} not null,
  base64 {{text}} not null
);
