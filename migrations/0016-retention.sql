-- Background tasks that one process does for all: the process that holds the lease.
create table task_leases (
  task {{text}} not null primary key,
  holder {{text}} not null,
  lease_until bigint not null
);
-- Ended jobs whose results are kept, by the end of the job: how long they are kept is a setting.
drop index jobs_kept;
create index jobs_with_results on jobs (finished_at) where kept_until is not null;
