-- The test of the market's own columns that chose those of the model, as JSON; null without one.
alter table models add column features text;
