import { readLocation, type Place } from '../../parts/map/location.ts';
import { GIVEN_FEATURES } from '../../../../src/domain/own-features.ts';
import { BUILDING_FIELDS, HOME_FIELDS, isFeature, RENT_FIELDS, type FieldOf } from './fields.ts';

export const KINDS = ['home', 'rent', 'building'] as const;
export type Kind = (typeof KINDS)[number];

export type FieldValue = number | boolean | string;
export type Fields = Readonly<Record<string, FieldValue>>;

/** A rental unit as in requests. */
export interface Unit {
  readonly bedrooms: number;
  readonly bathrooms: number;
  readonly size: number | null;
  readonly is_furnished: boolean;
}

/** The request of the page. The page's URL contains all of it, so that it can be bookmarked and shared. */
export interface ValueRequest {
  readonly kind: Kind;
  readonly where: Place | null;
  /** null = today */
  readonly date: string | null;
  /** The details that the user entered. */
  readonly fields: Fields;
  /** For rents; empty = one unit is assumed. */
  readonly units: readonly Unit[];
}

export const EMPTY_REQUEST: ValueRequest = { kind: 'home', where: null, date: null, fields: {}, units: [] };

export const FIELDS_OF: { readonly [K in Kind]: readonly FieldOf[] } = {
  home: HOME_FIELDS,
  rent: RENT_FIELDS,
  building: BUILDING_FIELDS,
};

/** The most units in the page's URL. A request accepts 1,000. */
export const MAX_UNITS = 50;

/** Reads the query of the URL. Its names are those of the API's GET requests. Invalid values are ignored. */
export function readQuery(query: Readonly<Record<string, string>>): ValueRequest {
  const kind = KINDS.find((one) => one === query.kind) ?? 'home';
  const fields: Record<string, FieldValue> = {};
  for (const field of FIELDS_OF[kind]) {
    const value = valueOf(field, query[field.name] ?? '');
    if (value !== null) fields[field.name] = value;
  }
  for (const [name, text] of Object.entries(query).filter(([key]) => isFeature(key))) {
    if (text !== '') fields[name] = text.slice(0, GIVEN_FEATURES.textLength);
  }
  return { kind, where: readLocation(query), date: dateOf(query.date), fields, units: unitsOf(query.units) };
}

/** The date of the URL if it is none, which values as of today; else null. */
export function invalidDateIn({ date }: Readonly<Record<string, string>>): string | null {
  return date && dateOf(date) === null ? date : null;
}

export function writeQuery({ kind, where, date, fields, units }: ValueRequest): string {
  const query = new URLSearchParams();
  if (kind !== 'home') query.set('kind', kind);
  for (const [name, value] of Object.entries({ ...where, date, ...fields })) {
    if (value !== null) query.set(name, String(value));
  }
  if (kind === 'rent' && units.length > 0) query.set('units', JSON.stringify(units));
  return query.toString();
}

/** The largest search, so that the list has all comparables of the estimator and adds up to its value. */
export const SEARCH = { num_comps: 20, radius_mi: 10 } as const;

/** The body of the API request. */
export function bodyOf(request: ValueRequest, numComps: number = SEARCH.num_comps) {
  const { kind, where, date, fields, units } = request;
  return {
    location: where ?? {},
    search_params: { ...SEARCH, num_comps: numComps, ...(date === null ? {} : { date }) },
    property_fields: { ...(kind === 'rent' ? { units: units.map(unitBody) } : {}), ...fieldsBody(fields) },
  };
}

/** The market's own features are in a member of their own. */
export function fieldsBody(fields: Fields) {
  const { true: own = [], false: others = [] } = Object.groupBy(Object.entries(fields), ([name]) =>
    isFeature(name) ? 'true' : 'false',
  );
  if (own.length === 0) return fields;
  const features = own.map(([name, value]) => [name.slice(name.indexOf('.') + 1), value]);
  return { ...Object.fromEntries(others), features: Object.fromEntries(features) };
}

function unitBody({ bedrooms, bathrooms, size, is_furnished }: Unit) {
  return {
    bedrooms,
    bathrooms,
    ...(size === null ? {} : { size }),
    ...(is_furnished ? { is_furnished } : {}),
  };
}

/** Another kind of valuation of the same location and date. It keeps the details that both kinds have. */
export function asKind(request: ValueRequest, kind: Kind): ValueRequest {
  const names = new Set(FIELDS_OF[kind].map(({ name }) => name));
  const fields = Object.fromEntries(
    Object.entries(request.fields).filter(([name]) => names.has(name) && name !== 'property_type'),
  );
  return { ...request, kind, fields: kind === request.kind ? request.fields : fields };
}

export function withField(request: ValueRequest, name: string, value: FieldValue | null): ValueRequest {
  const { [name]: _, ...others } = request.fields;
  return { ...request, fields: value === null ? others : { ...others, [name]: value } };
}

/** Whether two requests are of the same property on the same date, so that only their details differ. */
export function isSameSubject(one: ValueRequest, other: ValueRequest): boolean {
  return writeQuery({ ...one, fields: {}, units: [] }) === writeQuery({ ...other, fields: {}, units: [] });
}

/** Opens another request. `isNewPlace` adds an entry to the browser's history. */
export type Go = (next: ValueRequest, isNewPlace?: boolean) => void;

/** The request for another property: details of one do not apply to the next. */
export function atPlace(request: ValueRequest, where: Place): ValueRequest {
  return { ...request, where, fields: {}, units: [] };
}

export function missingOf({ kind, fields }: ValueRequest): string[] {
  return FIELDS_OF[kind]
    .filter(({ name, isRequired }) => isRequired && !(name in fields))
    .map(({ name }) => name);
}

function dateOf(text: string | undefined): string | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : text;
}

/** A typed text as a value of the field; null if it is invalid. */
export function valueOf({ name, control }: FieldOf, text: string): FieldValue | null {
  if (text === '') return null;
  if (control.kind === 'yes-no') return text === 'true' ? true : text === 'false' ? false : null;
  if (control.kind === 'choice') {
    if (!control.choices.some(({ value }) => value === text)) return null;
    return name.startsWith('condition') ? Number(text) : text;
  }
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || value < control.min || value > control.max) return null;
  return control.step >= 1 && !Number.isInteger(value) ? null : value;
}

function unitsOf(text: string | undefined): Unit[] {
  const list = parsed(text);
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_UNITS).flatMap((one: unknown) => unitOf(one) ?? []);
}

function unitOf(one: unknown): Unit | null {
  if (typeof one !== 'object' || one === null) return null;
  const { size, is_furnished, ...rooms }: Record<string, unknown> = { ...one };
  const [bedrooms, bathrooms] = [roomsOf(rooms.bedrooms), roomsOf(rooms.bathrooms)];
  if (bedrooms === null || bathrooms === null) return null;
  return {
    bedrooms,
    bathrooms,
    size: typeof size === 'number' && size > 0 ? size : null,
    is_furnished: is_furnished === true,
  };
}

function roomsOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 10 ? value : null;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
