-- The batch whose item this is: its result is read from here, so the valuation is kept as long as the results.
alter table valuations add column job_id {{text}};
-- Request, inputs and response together, compressed (src/store/packed-bytes.ts). `request`, `inputs` and `response` are then
-- empty; rows of earlier versions have their texts there.
alter table valuations add column packed {{bytes}};
-- The same for a long request of an item.
alter table job_requests add column packed {{bytes}};
