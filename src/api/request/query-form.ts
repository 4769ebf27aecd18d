import { canonicalNamesOf } from './canonical-members.ts';
import { isSection, type ObjectSchema } from './object-schema.ts';
import { shownInput, type FieldError } from './validation-error.ts';

/** A query string as the body it stands for, values turned from text into what they are. */
export interface QueryForm {
  readonly body: Record<string, unknown>;
  readonly errors: readonly FieldError[];
  readonly unknown: readonly string[];
}

/**
 * Reads a flat query under the schema of the body that it stands for: members of its sections, and its own. Only
 * here is text coerced: numbers as JSON writes them, booleans true/false/1/0, lists repeated or separated by
 * commas. Empty is omitted. What cannot be turned stays text and fails validation as the wrong type.
 */
export function readQueryForm(schema: ObjectSchema, query: Readonly<Record<string, unknown>>): QueryForm {
  const sections: Record<string, Record<string, unknown>> = {};
  for (const name of schema.required ?? []) if (isSection(schema.properties?.[name])) sections[name] = {};
  const own: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  const unknown: string[] = [];
  const places = placesOf(schema);
  for (const [name, value] of Object.entries(query)) {
    const place = places.get(name);
    if (!place) {
      unknown.push(name);
      continue;
    }
    const into = place.section === null ? own : (sections[place.section] ??= {});
    if (typesOf(place.member).includes('array')) {
      const items = [value].flat().flatMap(splitList);
      if (items.length > 0) into[name] = items.map((text) => coerce(text, place.member.items ?? {}));
    } else if (Array.isArray(value)) {
      const msg = 'must be given once; it was repeated';
      const input = value.map(shownInput);
      errors.push({ loc: ['query', name], msg, type: 'repeated_parameter', input, ctx: {} });
      into[name] = value;
    } else if (typeof value === 'string' && value.trim() !== '') {
      into[name] = coerce(value.trim(), place.member);
    }
  }
  return { body: { ...own, ...sections }, errors, unknown };
}

function splitList(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return value
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

interface Place {
  /** null: a member of the body itself. */
  readonly section: string | null;
  readonly member: ObjectSchema;
}

const placesBySchema = new WeakMap<ObjectSchema, ReadonlyMap<string, Place>>();

/** Every flat name, canonical or alias → its section and member. Objects have no flat form. */
function placesOf(schema: ObjectSchema): ReadonlyMap<string, Place> {
  const known = placesBySchema.get(schema);
  if (known) return known;
  const places = new Map<string, Place>();
  const addMembers = (section: string | null, of: ObjectSchema): void => {
    for (const [name, canonical] of canonicalNamesOf(of)) {
      const member = of.properties?.[canonical];
      if (member && !typesOf(member).includes('object')) places.set(name, { section, member });
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
