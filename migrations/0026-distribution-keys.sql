-- The column that a table would be distributed by on Citus becomes the last part of its keys: Citus checks that a key is
-- unique on each node by itself, and references only within a node (docs/operations/scale.md). Ids are unique without it,
-- so nothing that is stored changes. SQLite runs on one machine and keeps its keys.
{{postgres_only}} alter table challenges drop constraint challenges_valuation_id_fkey, drop constraint challenges_original_id_fkey;
{{postgres_only}} alter table report_shares drop constraint report_shares_valuation_id_fkey;
{{postgres_only}} alter table saved_valuations drop constraint saved_valuations_valuation_id_fkey;

{{postgres_only}} alter table valuations drop constraint valuations_pkey, add primary key (valuation_id, account_id);

{{postgres_only}} alter table challenges
  drop constraint challenges_pkey,
  add primary key (valuation_id, account_id),
  add foreign key (valuation_id, account_id) references valuations (valuation_id, account_id),
  add foreign key (original_id, account_id) references valuations (valuation_id, account_id);
{{postgres_only}} drop index challenges_by_original;
{{postgres_only}} create unique index challenges_by_original on challenges (original_id, version, account_id);

{{postgres_only}} alter table report_shares
  drop constraint report_shares_pkey,
  add primary key (share_id, account_id),
  add foreign key (valuation_id, account_id) references valuations (valuation_id, account_id);
{{postgres_only}} drop index report_shares_by_secret;
{{postgres_only}} create unique index report_shares_by_secret on report_shares (secret_sha256, account_id);

{{postgres_only}} alter table saved_valuations
  drop constraint saved_valuations_pkey,
  add primary key (valuation_id, account_id),
  add foreign key (valuation_id, account_id) references valuations (valuation_id, account_id);

{{postgres_only}} alter table audit_log drop constraint audit_log_pkey, add primary key (audit_id, account_id);
{{postgres_only}} alter table webhook_endpoints
  drop constraint webhook_endpoints_pkey,
  add primary key (endpoint_id, account_id);
{{postgres_only}} alter table sweeps drop constraint sweeps_pkey, add primary key (sweep_no, job_id);
