import type { Static } from 'typebox';
import { parseDay, type Day } from '../../domain/day.ts';
import { ATTRIBUTES, attributesOf, type Attribute } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { LocationRequest } from '../../locate/located.ts';
import type { PropertyValuationRequest } from '../../operations/property-valuation.ts';
import { FIELD_OF_ATTRIBUTE } from '../schemas/field-names.ts';
import {
  PropertyValuationRequestBody,
  SEARCH_DEFAULTS,
  type Location,
} from '../schemas/valuation-request.ts';
import { isPlainObject, keywordsOf } from './object-schema.ts';
import { readQueryForm } from './query-form.ts';
import { createValidator, textErrors, type Locator, type Validated } from './validate.ts';
import { ValidationError, type FieldError } from './validation-error.ts';

/** How a request is read: the day it is, and whether members we do not know are an error. */
export interface Reading {
  readonly today: Day;
  readonly isStrict: boolean;
}

type Body = Static<typeof PropertyValuationRequestBody>;

/** A geocoder's answer for one address is a few KB; more is not read. */
const MAPS_RESPONSE_BYTES_MAX = 65_536;
const UNKNOWN_NAMED_MAX = 20;

const validate = createValidator(PropertyValuationRequestBody);
const inBody: Locator = (path) => ['body', ...path];
/** The query is flat: its sections have no name of their own, and a missing location is a missing address. */
const inQuery: Locator = (path) => ['query', ...(path.length > 1 ? path.slice(1) : ['address'])];

/** POST body → request. Throws a ValidationError with everything that is wrong. */
export function readPropertyBody(raw: unknown, reading: Reading): PropertyValuationRequest {
  const validated = validate(raw, inBody);
  const unknown = validated.unknown.map((path) => inBody(path));
  return toRequest(validated, validated.errors, unknown, reading);
}

/** GET query → the request that the equal POST would have made. */
export function readPropertyQuery(
  query: Readonly<Record<string, unknown>>,
  reading: Reading,
): PropertyValuationRequest {
  const form = readQueryForm(keywordsOf(PropertyValuationRequestBody), query, [
    'location',
    'property_fields',
  ]);
  const validated = validate(form.body, inQuery);
  const repeated = new Set(form.errors.map((error) => error.loc.join('/')));
  const others = validated.errors.filter((error) => !repeated.has(error.loc.join('/')));
  const unknown = form.unknown.map((name) => ['query', name]);
  const badText = textErrors(Object.fromEntries(form.unknown.map((name) => [name, query[name]])), (path) => [
    'query',
    ...path,
  ]);
  return toRequest(validated, [...form.errors, ...others, ...badText], unknown, reading);
}

function toRequest(
  { value, canonical, errorAt }: Validated<Body>,
  shapeErrors: readonly FieldError[],
  unknown: readonly (readonly (string | number)[])[],
  reading: Reading,
): PropertyValuationRequest {
  const errors = [...shapeErrors];
  if (reading.isStrict) errors.push(...unknown.map(unknownMemberError));
  errors.push(...locationErrors(sectionOf(canonical, 'location'), errorAt));
  errors.push(...dateErrors(sectionOf(canonical, 'search_params'), reading.today, errorAt));
  if (!value || errors.length > 0) throw new ValidationError(errors);
  const { property_fields: fields, search_params: search = {} } = value;
  return {
    location: locationOf(value.location),
    search: {
      radiusMi: search.radius_mi ?? SEARCH_DEFAULTS.radiusMi,
      lookbackMonths: search.lookback_months ?? null,
      numComps: search.num_comps ?? SEARCH_DEFAULTS.numComps,
    },
    asOf: (search.date ? parseDay(search.date) : null) ?? reading.today,
    propertyType: fields.property_type ?? null,
    attributes: attributesOf(
      Object.fromEntries(ATTRIBUTES.map((attribute) => [attribute, attributeValue(fields, attribute)])),
    ),
    warnings: unknownMemberWarnings(unknown.map((loc) => String(loc.at(-1)))),
  };
}

/** Yes/no as 1/0; null where not given. Condition 0 says "unknown", which is the same as not saying. */
function attributeValue(fields: Body['property_fields'], attribute: Attribute): number | null {
  const value = fields[FIELD_OF_ATTRIBUTE[attribute]] ?? null;
  if (attribute === 'condition' && value === 0) return null;
  return value === null ? null : Number(value);
}

function locationOf(location: Static<typeof Location>): LocationRequest {
  return {
    address: location.address?.trim() || null,
    lat: location.latitude ?? null,
    lon: location.longitude ?? null,
    mapsApiResponse: location.maps_api_response ?? null,
  };
}

type ErrorAt = Validated<Body>['errorAt'];
type Section = Readonly<Record<string, unknown>>;

function sectionOf(request: unknown, name: string): Section | null {
  const section = isPlainObject(request) ? request[name] : null;
  return isPlainObject(section) ? section : null;
}

/** Presence only: what is there but of the wrong kind has been reported by its type. */
function locationErrors(location: Section | null, errorAt: ErrorAt): FieldError[] {
  if (!location) return [];
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
  if (isPlainObject(maps) && Buffer.byteLength(JSON.stringify(maps)) > MAPS_RESPONSE_BYTES_MAX) {
    const ctx = { max_bytes: MAPS_RESPONSE_BYTES_MAX };
    errors.push(errorAt(['location', 'maps_api_response'], 'too_long', 'must be at most 64 KB of JSON', ctx));
  }
  return errors;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function dateErrors(search: Section | null, today: Day, errorAt: ErrorAt): FieldError[] {
  const asOf = typeof search?.date === 'string' ? parseDay(search.date) : null;
  if (asOf === null || asOf <= today) return [];
  return [errorAt(['search_params', 'date'], 'date_in_future', 'must not be in the future')];
}

function unknownMemberError(loc: readonly (string | number)[]): FieldError {
  return { loc, msg: 'is not a member of this request', type: 'unknown_member', input: null, ctx: {} };
}

/** Named by the last part of their path, so that a GET warns in the same words as its POST. */
function unknownMemberWarnings(names: readonly string[]): Warning[] {
  const warnings: Warning[] = names.slice(0, UNKNOWN_NAMED_MAX).map((name) => {
    const field = name.length > 100 ? `${name.slice(0, 100)}…` : name;
    return {
      code: 'unknown_member',
      field,
      message: `"${field}" is not a member of this request and was ignored.`,
    };
  });
  const unnamed = names.length - warnings.length;
  if (unnamed > 0) {
    const message = `${unnamed} more members are not known and were ignored.`;
    warnings.push({ code: 'unknown_member', field: null, message });
  }
  return warnings;
}
