-- Browsers that somebody signed in from: tries from one of them are counted by itself, so that tries of others at a name do not shut
-- its owner out. Forgotten when it was not used for long, and with a new password.
create table devices (
  -- By which tries are counted; stays while the secret changes.
  device_id {{text}} not null primary key,
  -- Of the 32 random bytes that the cookie holds; of two who share a browser it is the same.
  secret_sha256 {{text}} not null,
  user_id {{text}} not null references users (user_id),
  signed_in_at bigint not null,
  unique (secret_sha256, user_id)
);
create index devices_by_user on devices (user_id, signed_in_at);
create index devices_by_age on devices (signed_in_at);
