-- Markets, versioned datasets and their rows.
-- Placeholders, the only differences between the engines (src/store/migrate.ts):
--   {{id}}    integer primary key filled by the database
--   {{text}}  text compared by its UTF-8 bytes, so that both engines sort and page alike
--   {{bytes}} binary
-- Yes/no is integer 1/0, days are integers since 1970-01-01, instants are bigint milliseconds since 1970, lists and
-- objects are JSON text: rows read the same from both engines.

create table markets (
  market_id {{text}} not null primary key,
  created_at bigint not null
);

-- A dataset is one imported version of one kind of rows of one market. It is written while 'loading', becomes
-- visible only by the swap in current_datasets, and is never changed afterwards.
create table datasets (
  dataset_id {{id}},
  market_id {{text}} not null references markets (market_id),
  kind {{text}} not null,
  status {{text}} not null,
  -- What was current when the import began; publishing fails when that has changed meanwhile.
  base_dataset_id bigint,
  source {{text}} not null,
  content_hash {{text}},
  row_count bigint,
  snapshot_sha256 {{text}},
  begun_at bigint not null,
  heartbeat_at bigint not null,
  published_at bigint
);
create index datasets_by_market on datasets (market_id, kind, status);

create table current_datasets (
  market_id {{text}} not null references markets (market_id),
  kind {{text}} not null,
  dataset_id bigint not null references datasets (dataset_id),
  primary key (market_id, kind)
);

-- Bulk rows carry no foreign key on dataset_id: a check a row would double the time of an import, and rows are
-- reachable only through a published dataset anyway.
create table sales (
  dataset_id bigint not null,
  record_id {{text}} not null,
  parcel_id {{text}},
  sold_on integer not null,
  recorded_on integer,
  date_precision {{text}} not null,
  price_usd double precision not null,
  street {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  postal_code {{text}} not null,
  lat double precision not null,
  lon double precision not null,
  property_type {{text}} not null,
  total_units double precision,
  bedrooms double precision,
  bathrooms double precision,
  living_area_sqft double precision,
  lot_size_sqft double precision,
  year_built double precision,
  stories double precision,
  condition double precision,
  has_pool double precision,
  has_basement double precision,
  has_central_air double precision,
  has_porch double precision,
  has_deck double precision,
  has_laundry double precision,
  has_adu double precision,
  fireplace_count double precision,
  garage_spaces double precision,
  other_spaces double precision,
  features {{text}} not null,
  is_arms_length integer,
  primary key (dataset_id, record_id)
);
create index sales_by_parcel on sales (dataset_id, parcel_id);

create table parcels (
  dataset_id bigint not null,
  parcel_id {{text}} not null,
  as_of integer not null,
  street {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  postal_code {{text}} not null,
  lat double precision not null,
  lon double precision not null,
  -- src/geo/cells.ts
  cell bigint not null,
  property_type {{text}},
  total_units double precision,
  bedrooms double precision,
  bathrooms double precision,
  living_area_sqft double precision,
  lot_size_sqft double precision,
  year_built double precision,
  stories double precision,
  condition double precision,
  has_pool double precision,
  has_basement double precision,
  has_central_air double precision,
  has_porch double precision,
  has_deck double precision,
  has_laundry double precision,
  has_adu double precision,
  fireplace_count double precision,
  garage_spaces double precision,
  other_spaces double precision,
  features {{text}} not null,
  primary key (dataset_id, parcel_id)
);
-- With lat and lon in the index, rows outside the circle's box are passed over without reading them.
create index parcels_by_place on parcels (dataset_id, cell, lat, lon);

-- Every address that can be located: those of address files, and those of sales and parcels under their datasets.
-- key_* is the normalised form that look-ups compare; street … postal_code is the form that answers show.
create table address_points (
  dataset_id bigint not null,
  row_no integer not null,
  key_number {{text}} not null,
  key_number_suffix {{text}} not null,
  key_pre_direction {{text}} not null,
  key_street_name {{text}} not null,
  key_street_type {{text}} not null,
  key_post_direction {{text}} not null,
  key_unit {{text}} not null,
  key_city {{text}} not null,
  key_state_code {{text}} not null,
  key_postal_code {{text}} not null,
  street {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  postal_code {{text}} not null,
  lat double precision not null,
  lon double precision not null,
  cell bigint not null,
  parcel_id {{text}},
  primary key (dataset_id, row_no)
);
create index address_points_by_number on address_points (dataset_id, key_number, key_street_name);
create index address_points_by_street on address_points (dataset_id, key_street_name);
create index address_points_by_parcel on address_points (dataset_id, parcel_id);
create index address_points_by_place on address_points (dataset_id, cell, lat, lon);
