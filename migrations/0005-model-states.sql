-- 'active': valuations use the model from its training day on. 'held_back': its training found it worse than the model before
-- it. 'rolled_back': an operator took it out of use. Inactive models are kept, so that past valuations can be replayed.
alter table models add column state {{text}} not null default 'active';
-- Why it is not active; null for active models.
alter table models add column state_reason {{text}};
