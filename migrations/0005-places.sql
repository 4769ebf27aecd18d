-- What is known about places. Layers of polygons (census areas, flood zones) are kept whole as the blob that
-- datasets.snapshot_sha256 names and need no table; these are the layers that are looked up row by row.

-- One table of the American Community Survey for one area and year.
create table census_tables (
  dataset_id bigint not null,
  geoid {{text}} not null,
  year integer not null,
  table_id {{text}} not null,
  -- county, cousub, tract or block_group
  level {{text}} not null,
  name {{text}} not null,
  -- JSON {line of the table: [estimate, margin of error, why null, bound]}, nulls at the end left out
  cells {{text}} not null,
  primary key (dataset_id, geoid, year, table_id)
);

-- One incident under its most severe offence, newest first: incident 0 is the newest of its dataset. What a search
-- looks at (place, time, offence) stands in the columnar snapshot; what an answer shows stands here.
create table crime_incidents (
  dataset_id bigint not null,
  incident_no integer not null,
  record {{text}} not null,
  primary key (dataset_id, incident_no)
);

-- Square pieces of a raster of burn probability; pieces without data are left out.
create table fire_tiles (
  dataset_id bigint not null,
  tile_no integer not null,
  bytes {{bytes}} not null,
  primary key (dataset_id, tile_no)
);
