import { canonicalNamesOf } from './canonical-members.ts';
import type { ObjectSchema } from './object-schema.ts';
import { shownInput, type FieldError } from './validation-error.ts';

/** A query string as the body it stands for, section by section, values turned from text into what they are. */
export interface QueryForm {
  readonly body: Record<string, Record<string, unknown>>;
  readonly errors: readonly FieldError[];
  readonly unknown: readonly string[];
}

/**
 * Reads a flat query under the schema of the body whose members are its sections. Only here is text coerced:
 * numbers as JSON writes them, booleans true/false/1/0. Empty is omitted. What cannot be turned stays text and
 * fails validation as the wrong type.
 */
export function readQueryForm(
  schema: ObjectSchema,
  query: Readonly<Record<string, unknown>>,
  requiredSections: readonly string[],
): QueryForm {
  const body: Record<string, Record<string, unknown>> = {};
  for (const section of requiredSections) body[section] = {};
  const errors: FieldError[] = [];
  const unknown: string[] = [];
  const places = placesOf(schema);
  for (const [name, value] of Object.entries(query)) {
    const place = places.get(name);
    if (!place) {
      unknown.push(name);
      continue;
    }
    const section = (body[place.section] ??= {});
    if (Array.isArray(value)) {
      const msg = 'must be given once; it was repeated';
      errors.push({
        loc: ['query', name],
        msg,
        type: 'repeated_parameter',
        input: value.map(shownInput),
        ctx: {},
      });
      section[name] = value;
    } else if (typeof value === 'string' && value.trim() !== '') {
      section[name] = coerce(value.trim(), place.member);
    }
  }
  return { body, errors, unknown };
}

interface Place {
  readonly section: string;
  readonly member: ObjectSchema;
}

const placesBySchema = new WeakMap<ObjectSchema, ReadonlyMap<string, Place>>();

/** Every flat name, canonical or alias → its section and member. Objects have no flat form. */
function placesOf(schema: ObjectSchema): ReadonlyMap<string, Place> {
  const known = placesBySchema.get(schema);
  if (known) return known;
  const places = new Map<string, Place>();
  for (const [section, sectionSchema] of Object.entries(schema.properties ?? {})) {
    for (const [name, canonical] of canonicalNamesOf(sectionSchema)) {
      const member = sectionSchema.properties?.[canonical];
      if (member && !typesOf(member).includes('object')) places.set(name, { section, member });
    }
  }
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
