-- Alerts that were dealt with: when and by whom. Null for open alerts.
alter table portfolio_alerts add column dismissed_at bigint;
-- Name of the user or key.
alter table portfolio_alerts add column dismissed_by {{text}};
-- Written with each dismissal, so that the number of open alerts costs no scan.
alter table portfolios add column dismissed_count integer not null default 0;
-- The open alerts of a portfolio, newest first.
create index portfolio_alerts_open on portfolio_alerts (portfolio_id, alert_no) where dismissed_at is null;
