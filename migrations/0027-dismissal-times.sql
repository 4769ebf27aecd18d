-- When alerts were dismissed last. Each dismissal has a later time, so that it can be taken back alone.
alter table portfolios add column last_dismissed_at bigint;
update portfolios set last_dismissed_at = (
  select max(dismissed_at) from portfolio_alerts where portfolio_alerts.portfolio_id = portfolios.portfolio_id
);
