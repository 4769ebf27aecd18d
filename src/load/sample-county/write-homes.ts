import { formatDay } from '../../domain/day.ts';
import type { PostalAddress } from '../../domain/address.ts';
import type { Attributes } from '../../domain/property.ts';
import { ATTRIBUTE_COLUMNS } from '../rows/columns.ts';
import type { SampleCounty } from './generate-sample-county.ts';
import type { SampleParcel } from './homes.ts';
import { chance, streamOf } from './random-draws.ts';
import { unitNames } from './rents.ts';
import { recordedAttributes } from './sales.ts';
import { conditionOn } from './true-value.ts';

/** A row of an import file by column. Null cells are empty. */
export type SampleRow = Readonly<Record<string, string | number | boolean | null>>;

function attributeCells(attributes: Attributes): SampleRow {
  return Object.fromEntries(
    Object.entries(ATTRIBUTE_COLUMNS).map(([column, { attribute }]) => {
      const value = attributes[attribute];
      return [column, column.startsWith('has_') && value !== null ? value === 1 : value];
    }),
  );
}

function placeCells(address: PostalAddress, { lat, lon }: { lat: number; lon: number }): SampleRow {
  return {
    address: address.street,
    city: address.city,
    state_code: address.stateCode,
    postal_code: address.postalCode,
    latitude: lat.toFixed(6),
    longitude: lon.toFixed(6),
  };
}

export function* saleRows({ sales }: SampleCounty): Generator<SampleRow> {
  for (const { recordId, parcel, soldOn, priceUsd, recorded, isArmsLength, recordedOn } of sales) {
    yield {
      record_id: recordId,
      parcel_id: parcel.parcelId,
      sale_date: formatDay(soldOn),
      sale_price: priceUsd,
      ...placeCells(parcel.address, parcel),
      property_type: parcel.type,
      ...attributeCells(recorded),
      arms_length: isArmsLength,
      recorded_date: formatDay(recordedOn),
    };
  }
}

/** The assessment roll on the as-of date, with gaps of its own. */
export function* parcelRows({ seed, asOf, parcels }: SampleCounty): Generator<SampleRow> {
  for (const parcel of parcels) {
    yield {
      parcel_id: parcel.parcelId,
      ...placeCells(parcel.address, parcel),
      property_type: parcel.type,
      ...attributeCells(recordedAttributes(streamOf(seed, `roll ${parcel.index}`), parcel, asOf)),
      as_of_date: formatDay(asOf),
    };
  }
}

/** Every address: homes, units of rental buildings, and each condominium building and park as a whole. */
export function* addressRows({ parcels }: SampleCounty): Generator<SampleRow> {
  const buildings = new Set<string>();
  const rowOf = (street: string, parcel: SampleParcel, parcelId: string): SampleRow => ({
    ...placeCells({ ...parcel.address, street }, parcel),
    parcel_id: parcelId,
  });
  for (const parcel of parcels) {
    const { street } = parcel.address;
    const [building, unit] = street.split(' #');
    if (unit !== undefined && !buildings.has(building)) yield rowOf(building, parcel, '');
    buildings.add(building);
    yield rowOf(street, parcel, parcel.parcelId);
    for (const name of unitNames(parcel))
      if (name !== '') yield rowOf(`${street} #${name}`, parcel, parcel.parcelId);
  }
}

/** Share of listings that do not state the condition. */
const NO_CONDITION_SHARE = 0.3;

export function* rentRows({ seed, rents }: SampleCounty): Generator<SampleRow> {
  for (const rent of rents) {
    const { address, parcelId, type, attributes, lat, lon } = rent.parcel;
    const street = rent.unit === '' ? address.street : `${address.street} #${rent.unit}`;
    const hasNoCondition = chance(streamOf(seed, `listing ${rent.recordId}`), NO_CONDITION_SHARE);
    yield {
      record_id: rent.recordId,
      parcel_id: parcelId,
      listed_date: formatDay(rent.listedOn),
      last_seen_date: formatDay(rent.lastSeenOn),
      rent: rent.rentUsd,
      ...placeCells({ ...address, street }, { lat, lon }),
      property_type: type,
      total_units: attributes.totalUnits,
      bedrooms: rent.bedrooms,
      bathrooms: rent.bathrooms,
      size: rent.sizeSqft,
      is_furnished: rent.isFurnished,
      has_laundry: rent.hasLaundry,
      has_parking: rent.hasParking,
      has_central_air: rent.hasCentralAir,
      condition: hasNoCondition ? null : Math.round(conditionOn(rent.parcel, rent.listedOn)),
      year_built: attributes.yearBuilt,
      num_stories: attributes.stories,
    };
  }
}
