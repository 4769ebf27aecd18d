-- Bytes of the valuations and of the requests of batches that an account keeps. Written with every row that adds to them or
-- deletes them, so that a limit costs no scan.
create table stored_bytes (
  account_id {{text}} not null primary key references accounts (account_id),
  bytes bigint not null
);
insert into stored_bytes (account_id, bytes)
select account_id, sum(bytes) from (
  select account_id,
    octet_length(request) + octet_length(inputs) + octet_length(response) + coalesce(octet_length(packed), 0) as bytes
  from valuations
  union all
  select j.account_id, octet_length(r.request) + coalesce(octet_length(r.packed), 0)
  from job_requests r join jobs j on j.job_id = r.job_id
) kept
group by account_id;
