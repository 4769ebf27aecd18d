-- Requests and credits of a day, by key and operation. Written with every charge, like credit_usage. `period` is the
-- month that pays: a job of the last minutes of a month can end on a day of the next.
create table credit_usage_days (
  account_id {{text}} not null references accounts (account_id),
  period {{text}} not null,
  -- Days since 1970, in UTC.
  day integer not null,
  -- `user:…` for users of the console; empty for charges without either.
  key_id {{text}} not null,
  operation {{text}} not null,
  requests bigint not null,
  credits bigint not null,
  primary key (account_id, period, day, key_id, operation)
);
insert into credit_usage_days (account_id, period, day, key_id, operation, requests, credits)
select account_id, period, created_at / 86400000, coalesce(key_id, ''), operation,
  sum(case when entry in ('charge', 'settle') then 1 else -1 end), sum(credits)
from credit_ledger
where entry in ('charge', 'settle', 'refund')
group by account_id, period, created_at / 86400000, coalesce(key_id, ''), operation;
