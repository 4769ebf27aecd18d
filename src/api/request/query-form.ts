import { PlumblineError } from '../../errors.ts';
import { canonicalNamesOf } from './validate.ts';
import { parseJsonBody } from './input-guard.ts';
import { isMap, isSection, type ObjectSchema } from '../../schemas/object-schema.ts';
import { shownInput, type FieldError } from './validation-error.ts';

/** A query string converted to the equivalent body, with values converted from text. */
interface QueryForm {
  readonly body: Record<string, unknown>;
  readonly errors: readonly FieldError[];
  readonly unknown: readonly string[];
  /** The list whose single entry was written flat, so the query does not show the list. */
  readonly flatList: string | null;
}

/**
 * Reads a flat query by the schema of the equivalent body: the body's own members and those of its sections.
 * Text is converted only here: numbers as in JSON, booleans true/false/1/0, lists repeated or separated by
 * commas. A list of objects is JSON, or the members of its single entry. A map is JSON. Empty means omitted. A value that
 * cannot be converted stays text and fails validation as the wrong type.
 */
export function readQueryForm(schema: ObjectSchema, query: Readonly<Record<string, unknown>>): QueryForm {
  const sections: Record<string, Record<string, unknown>> = {};
  for (const name of schema.required ?? []) if (isSection(schema.properties?.[name])) sections[name] = {};
  const own: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  const unknown: string[] = [];
  const entries = new Map<Place, Record<string, unknown>>();
  const places = placesOf(schema);
  for (const [name, value] of Object.entries(query)) {
    const place = places.get(name);
    if (!place) {
      unknown.push(name);
      continue;
    }
    const read = readValue(name, value, place.member);
    errors.push(...read.errors);
    if (read.value === undefined) continue;
    if (place.list) entries.set(place.list, { ...entries.get(place.list), [name]: read.value });
    else (place.section === null ? own : (sections[place.section] ??= {}))[name] = read.value;
  }
  for (const [list, entry] of entries) {
    const into = list.section === null ? own : (sections[list.section] ??= {});
    if (into[list.name] === undefined) {
      into[list.name] = [entry];
      continue;
    }
    const flat = Object.keys(entry);
    const msg = `must not be given together with ${flat.join(', ')}: write one entry flat, or all in ${list.name}`;
    errors.push(errorOf(list.name, 'alias_conflict', msg, '[…]', { flat }));
  }
  const [flat] = entries.keys();
  return { body: { ...own, ...sections }, errors, unknown, flatList: flat?.name ?? null };
}

interface ReadValue {
  /** undefined = omitted */
  readonly value: unknown;
  readonly errors: readonly FieldError[];
}

function readValue(name: string, value: unknown, member: ObjectSchema): ReadValue {
  const isList = typesOf(member).includes('array');
  if (isList && !isListOfObjects(member)) {
    const items = [value].flat().flatMap(splitList);
    const list = items.map((text) => coerce(text, member.items ?? {}));
    return { value: list.length > 0 ? list : undefined, errors: [] };
  }
  if (Array.isArray(value)) {
    const msg = 'must be given once; it was repeated';
    return { value, errors: [errorOf(name, 'repeated_parameter', msg, value.map(shownInput))] };
  }
  if (typeof value !== 'string' || value.trim() === '') return { value: undefined, errors: [] };
  if (isList) return readJson(name, value, 'a list of objects', []);
  if (isMap(member)) return readJson(name, value, 'an object', {});
  return { value: coerce(value.trim(), member), errors: [] };
}

/** With the same guard as bodies. */
function readJson(name: string, text: string, what: string, otherwise: object): ReadValue {
  try {
    return { value: parseJsonBody(Buffer.from(text)), errors: [] };
  } catch (error) {
    if (!(error instanceof PlumblineError)) throw error;
    const msg = `must be ${what}, written as URL-encoded JSON`;
    return { value: otherwise, errors: [errorOf(name, 'json_invalid', msg, shownInput(text))] };
  }
}

function errorOf(name: string, type: string, msg: string, input: unknown, ctx = {}): FieldError {
  return { loc: ['query', name], msg, type, input, ctx };
}

/** The list whose entries a query writes as JSON, or flat if there is only one. */
export function isListOfObjects(member: ObjectSchema): boolean {
  return member.items?.properties !== undefined;
}

function splitList(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return value
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

interface Place {
  readonly name: string;
  /** null: a member of the body itself. */
  readonly section: string | null;
  readonly member: ObjectSchema;
  /** The list of objects that the member belongs to, if its single entry is written flat. */
  readonly list: Place | null;
}

const placesBySchema = new WeakMap<ObjectSchema, ReadonlyMap<string, Place>>();

/** Every flat name, canonical or alias → its section and member. Objects have no flat form, except maps. */
function placesOf(schema: ObjectSchema): ReadonlyMap<string, Place> {
  const known = placesBySchema.get(schema);
  if (known) return known;
  const places = new Map<string, Place>();
  const addMembers = (section: string | null, of: ObjectSchema, list: Place | null = null): void => {
    for (const [name, canonical] of canonicalNamesOf(of)) {
      const member = of.properties?.[canonical];
      if (!member || (typesOf(member).includes('object') && !isMap(member))) continue;
      const place: Place = { name, section, member, list };
      places.set(name, place);
      if (name === canonical && member.items && isListOfObjects(member)) {
        addMembers(section, member.items, place);
      }
    }
  };
  addMembers(null, schema);
  for (const [section, member] of Object.entries(schema.properties ?? {})) addMembers(section, member);
  placesBySchema.set(schema, places);
  return places;
}

const JSON_NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

function coerce(text: string, member: ObjectSchema): unknown {
  const types = typesOf(member);
  if (types.includes('boolean')) return BOOLEANS[text.toLowerCase()] ?? text;
  if (types.includes('number') || types.includes('integer'))
    return JSON_NUMBER.test(text) ? Number(text) : text;
  return text;
}

function typesOf(member: ObjectSchema): readonly string[] {
  return [member.type ?? []].flat();
}
