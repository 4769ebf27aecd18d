-- Homes of portfolios can be removed. The number of a home is never given to another one.
alter table portfolios add column next_home_no integer not null default 0;
update portfolios set next_home_no = home_count;
-- JSON: the homes of a run in the order of its items, as [first number, how many after it]. Null if item 0 is home 0, and so on.
alter table portfolio_runs add column home_ranges {{text}};
