import type { Static } from 'typebox';
import { parseDay, type Day } from '../../domain/day.ts';
import { attributesOf, type Attributes } from '../../domain/property.ts';
import type { GivenFeatures } from '../../domain/own-features.ts';
import type { FieldValues, RequestField } from '../../domain/request-field.ts';
import type { LocationRequest } from '../../locate/located.ts';
import { MAX_MAPS_RESPONSE_BYTES, readMapsResponse } from '../../locate/remote/geocoder-responses.ts';
import type { ValuationRequest } from '../../operations/valuation-types.ts';
import type { Location } from '../../schemas/location.ts';
import { SEARCH_DEFAULTS, type SearchParams } from '../../schemas/valuation-requests.ts';
import type { ErrorAt, Reading, Section } from './read-request.ts';
import type { FieldError } from './validation-error.ts';
import { isRecord } from '../../domain/json.ts';

export function locationOf(location: Static<typeof Location>): LocationRequest {
  return {
    address: location.address?.trim() || null,
    lat: location.latitude ?? null,
    lon: location.longitude ?? null,
    mapsPlace: readMapsResponse(location.maps_api_response),
  };
}

/** The rule for every location: an address, or latitude together with longitude. */
export function locationErrors({ location }: Section, errorAt: ErrorAt): FieldError[] {
  if (!isRecord(location)) return [];
  const { address, latitude, longitude, maps_api_response: maps } = location;
  const hasAddress = typeof address === 'string' ? address.trim() !== '' : isGiven(address);
  const errors: FieldError[] = [];
  if (isGiven(latitude) && !isGiven(longitude)) {
    errors.push(errorAt(['location', 'longitude'], 'missing', 'is required with latitude'));
  } else if (isGiven(longitude) && !isGiven(latitude)) {
    errors.push(errorAt(['location', 'latitude'], 'missing', 'is required with longitude'));
  } else if (!isGiven(latitude) && !hasAddress) {
    errors.push(errorAt(['location'], 'missing', 'needs an address, or latitude together with longitude'));
  }
  if (isRecord(maps) && Buffer.byteLength(JSON.stringify(maps)) > MAX_MAPS_RESPONSE_BYTES) {
    const ctx = { max_bytes: MAX_MAPS_RESPONSE_BYTES };
    errors.push(errorAt(['location', 'maps_api_response'], 'too_long', 'must be at most 64 KB of JSON', ctx));
  }
  return errors;
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The comparables search and the as-of date, the same in every kind of valuation. */
export function searchOf(
  search: Static<typeof SearchParams> = {},
  { today }: Reading,
): Pick<ValuationRequest, 'search' | 'asOf'> {
  return {
    search: {
      radiusMi: search.radius_mi ?? SEARCH_DEFAULTS.radiusMi,
      lookbackMonths: search.lookback_months ?? null,
      numComps: search.num_comps ?? SEARCH_DEFAULTS.numComps,
    },
    asOf: (search.date ? parseDay(search.date) : null) ?? today,
  };
}

/** The attributes in a request: yes/no as 1/0, null if unknown. Condition 0 means unknown. */
export function attributesOfFields<const Fields extends readonly RequestField[]>(
  fields: Fields,
  values: Partial<FieldValues<Fields>>,
): Attributes {
  const given = new Map(Object.entries(values));
  const known: Partial<Record<string, number>> = {};
  for (const { key, name, type } of fields) {
    const value = given.get(name) ?? null;
    if (type === 'choice' || value === null || (type === 'condition' && value === 0)) continue;
    known[key] = Number(value);
  }
  return attributesOf(known);
}

/** The own features in a request, without those that are null or empty. */
export function featuresOfFields({
  features,
}: {
  readonly features?: Readonly<Record<string, GivenFeatures[string] | null>> | null;
}): Pick<ValuationRequest, 'features'> {
  const given = Object.entries(features ?? {}).flatMap(([name, value]): [string, GivenFeatures[string]][] => {
    const isEmpty = value === null || (typeof value === 'string' && value.trim() === '');
    return isEmpty ? [] : [[name, value]];
  });
  return given.length === 0 ? {} : { features: Object.fromEntries(given) };
}

/** Rules of a valuation of any kind that the schema cannot express. */
export function valuationErrors(request: Section, errorAt: ErrorAt, reading: Reading): FieldError[] {
  return [
    ...locationErrors(request, errorAt),
    ...dateErrors(request, errorAt, reading),
    ...featureErrors(request, errorAt),
  ];
}

/** Names of own features are compared without case, so a request can give one twice. */
export function featureErrors(request: Section, errorAt: ErrorAt): FieldError[] {
  return ['property_fields', 'rental_fields', 'multifamily_fields'].flatMap((section) => {
    const fields = request[section];
    if (!isRecord(fields) || !isRecord(fields.features)) return [];
    const first = new Map<string, string>();
    return Object.keys(fields.features).flatMap((name) => {
      const earlier = first.get(name.toLowerCase());
      if (earlier === undefined) first.set(name.toLowerCase(), name);
      if (earlier === undefined) return [];
      const msg = `is the same feature as "${earlier}"; give one`;
      return [errorAt([section, 'features', name], 'alias_conflict', msg, { canonical: earlier })];
    });
  });
}

export function dateErrors(request: Section, errorAt: ErrorAt, { today }: Reading): FieldError[] {
  const search = request.search_params;
  return isRecord(search) ? futureDateErrors(search.date, ['search_params', 'date'], errorAt, today) : [];
}

/** An as-of date cannot be in the future. */
export function futureDateErrors(
  date: unknown,
  path: readonly string[],
  errorAt: ErrorAt,
  today: Day,
): FieldError[] {
  const asOf = typeof date === 'string' ? parseDay(date) : null;
  return asOf === null || asOf <= today
    ? []
    : [errorAt([...path], 'date_in_future', 'must not be in the future')];
}
