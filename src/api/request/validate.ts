import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { parseDay } from '../../domain/day.ts';
import { GIVEN_FEATURES } from '../../domain/own-features.ts';
import { keywordsOf, type ObjectSchema } from '../../schemas/object-schema.ts';
import { ERRORS_SHOWN, shownInput, type FieldError } from './validation-error.ts';
import { isRecord } from '../../domain/json.ts';

type Path = readonly (string | number)[];

/** Converts a path within the request to the `loc` of an error, depending on where the request came from. */
export type Locator = (path: Path) => (string | number)[];

export interface Validated<T> {
  /** The request under canonical names; null if it does not match the schema. */
  readonly value: T | null;
  /** The same before validation, for rules that can check a part of an invalid request. */
  readonly canonical: unknown;
  readonly errors: readonly FieldError[];
  readonly unknown: readonly Path[];
  /** Builds an error at a canonical path, for rules beyond the schema. */
  readonly errorAt: (path: Path, type: string, msg: string, ctx?: Record<string, unknown>) => FieldError;
}

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  // The first request of each route waits until its schema is compiled. Checking it takes as long as that, and optimizing
  // the code too. The schemas are typed, and the tests of the OpenAPI document check them.
  meta: false,
  validateSchema: false,
  code: { optimize: false },
});
for (const keyword of ['x-aliases', 'x-when-omitted']) ajv.addKeyword(keyword);
ajv.addFormat('date', { type: 'string', validate: (text: string) => parseDay(text) !== null });

/**
 * Creates a validator of a schema: alias names, types and limits, text rules, with all errors at once. It
 * does not check the texts of the member `readElsewhere`.
 */
export function createValidator<S extends TSchema>(
  schema: S,
  readElsewhere: string | null = null,
): (raw: unknown, locate: Locator) => Validated<Static<S>> {
  // Compiled on first use, because compiling the schemas of all routes takes a third of a server's start.
  let compiled: ValidateFunction<Static<S>> | null = null;
  const keywords = keywordsOf(schema);
  return (raw, locate) => {
    const found: Found = { writtenAs: new Map(), unknown: [], conflicts: [] };
    const value = canonicalMembers(keywords, raw, [], found);
    const written = (path: Path): Path =>
      path.map((name, depth) => found.writtenAs.get(path.slice(0, depth + 1).join('/')) ?? name);
    const errorAt: Validated<unknown>['errorAt'] = (path, type, msg, ctx = {}) => ({
      loc: locate(written(path)),
      msg,
      type,
      input: shownInput(valueAt(value, path)),
      ctx,
    });
    const errors: FieldError[] = found.conflicts.map(({ path, canonical, input }) => ({
      loc: locate(path),
      msg: `"${String(path.at(-1))}" is an alias of "${canonical}", and the two differ; give one`,
      type: 'alias_conflict',
      input: shownInput(input),
      ctx: { canonical },
    }));
    errors.push(...textErrors(raw, locate, readElsewhere));
    const check = (compiled ??= ajv.compile<Static<S>>(schema));
    const isValid = check(value);
    if (!isValid) {
      const shown = firstErrorEach(check.errors ?? [], value).slice(0, ERRORS_SHOWN);
      errors.push(...shown.map((error) => fieldErrorOf(error, value, errorAt)));
    }
    return { value: isValid ? value : null, canonical: value, errors, unknown: found.unknown, errorAt };
  };
}

/** Findings of the renaming to canonical names. */
interface Found {
  /** Canonical path (joined by "/") → the name that the caller wrote, if it is different. */
  readonly writtenAs: Map<string, string>;
  readonly unknown: Path[];
  readonly conflicts: { path: Path; canonical: string; input: unknown }[];
}

/**
 * Gives every member its canonical name, following the schema's `x-aliases`. A canonical name and an alias
 * may both be present if they agree; null counts as absent. Members that are not in the schema are removed
 * and listed, also inside list entries. Free-form objects (no `properties`) and values of the wrong type are
 * left for validation. Lists that are too long are cut to one entry more than the limit.
 */
function canonicalMembers(schema: ObjectSchema, given: unknown, path: Path, found: Found): unknown {
  const { properties, items, maxItems = Infinity } = schema;
  // One extra entry is enough to report that the list is too long. Each of a million extra entries would add
  // its own errors.
  const raw = Array.isArray(given) && given.length > maxItems ? given.slice(0, maxItems + 1) : given;
  if (items?.properties && Array.isArray(raw))
    return raw.map((entry: unknown, at) => canonicalMembers(items, entry, [...path, at], found));
  if (!properties || !isRecord(raw)) return raw;
  const canonicalNames = canonicalNamesOf(schema);
  const renamed: Record<string, unknown> = {};
  // Iterates over names, because Object.entries takes three times as long for an object with 400,000 members.
  for (const written of Object.keys(raw)) {
    const input = raw[written];
    const canonical = canonicalNames.get(written);
    const member = canonical === undefined ? undefined : properties[canonical];
    if (canonical === undefined || member === undefined) {
      found.unknown.push([...path, written]);
      continue;
    }
    const canonicalPath = [...path, canonical];
    const before = renamed[canonical];
    if (before !== undefined && before !== null) {
      if (input !== null && input !== before) {
        // Reported under the alias, whichever came first.
        const first = found.writtenAs.get(canonicalPath.join('/')) ?? canonical;
        const alias = written === canonical ? first : written;
        found.conflicts.push({ path: [...path, alias], canonical, input: raw[alias] });
      }
      continue;
    }
    if (input === null && before === null) continue;
    renamed[canonical] = canonicalMembers(member, input, canonicalPath, found);
    if (written !== canonical) found.writtenAs.set(canonicalPath.join('/'), written);
  }
  return renamed;
}

const namesBySchema = new WeakMap<ObjectSchema, ReadonlyMap<string, string>>();

/** Every accepted name → canonical name. Built once per schema. */
export function canonicalNamesOf(schema: ObjectSchema): ReadonlyMap<string, string> {
  const known = namesBySchema.get(schema);
  if (known) return known;
  const names = new Map<string, string>();
  for (const [canonical, member] of Object.entries(schema.properties ?? {})) {
    for (const name of [canonical, ...(member['x-aliases'] ?? [])]) names.set(name, canonical);
  }
  namesBySchema.set(schema, names);
  return names;
}

/** NUL and the other C0 controls. PostgreSQL does not store NUL, and they break logs and headers. */
// oxlint-disable-next-line no-control-regex
const C0_CONTROL = /[\u0000-\u001f]/;

/**
 * Finds every text and member name that no response may contain: control characters and unpaired surrogates.
 * The value has passed the depth limit, so recursion is safe. A megabyte of small values takes about 10 ms,
 * because a path is copied only for a finding.
 *
 * @param skipped a top-level member that is not checked
 */
export function textErrors(raw: unknown, locate: Locator, skipped: string | null = null): FieldError[] {
  const found: FieldError[] = [];
  const path: (string | number)[] = [];
  const isBad = (text: string): boolean => {
    const error = textErrorOf(text);
    if (error === null) return false;
    found.push({ loc: locate([...path]), ...error, input: shownInput(valueAt(raw, path)), ctx: {} });
    return true;
  };
  const walkMember = (name: string | number, member: unknown): void => {
    path.push(name);
    walk(member);
    path.pop();
  };
  const walk = (value: unknown): void => {
    if (found.length >= ERRORS_SHOWN) return;
    if (typeof value === 'string') isBad(value);
    else if (Array.isArray(value)) value.forEach((entry, at) => walkMember(at, entry));
    else if (isRecord(value)) {
      for (const name of Object.keys(value)) {
        if ((path.length > 0 || name !== skipped) && !isBad(name)) walkMember(name, value[name]);
      }
    }
  };
  walk(raw);
  return found;
}

function textErrorOf(text: string): Pick<FieldError, 'type' | 'msg'> | null {
  if (C0_CONTROL.test(text))
    return { type: 'string_control_character', msg: 'must not contain control characters' };
  if (text.isWellFormed()) return null;
  const msg = 'must be well-formed Unicode; it has half of a surrogate pair';
  return { type: 'string_not_well_formed', msg };
}

/** A value of the wrong type also breaks `enum` and limits. The first error at each path is enough. */
function firstErrorEach(errors: readonly ErrorObject[], value: unknown): ErrorObject[] {
  const first = new Map<string, ErrorObject>();
  for (const error of errors) {
    // Reported by the `propertyNames` of the object.
    if (error.propertyName !== undefined) continue;
    const place = pathOf(error, value).join('/');
    if (!first.has(place)) first.set(place, error);
  }
  return [...first.values()];
}

/** Members by name, list entries by index. */
function pathOf(error: ErrorObject, value: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  for (const part of error.instancePath.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(valueAt(value, path)) ? Number(name) : name);
  }
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  return path;
}

const TYPE_SENTENCES: Readonly<Record<string, string>> = {
  integer: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
  string: 'must be text',
  object: 'must be an object',
  array: 'must be a list',
};

/** For each keyword: the type of the error, the name of the limit in `ctx`, and the sentence. */
const LIMIT_ERRORS: Readonly<Record<string, readonly [string, string, (limit: unknown) => string]>> = {
  minimum: ['greater_than_equal', 'ge', (limit) => `must be at least ${String(limit)}`],
  maximum: ['less_than_equal', 'le', (limit) => `must be at most ${String(limit)}`],
  minLength: ['string_too_short', 'min_length', (n) => `must be at least ${String(n)} characters long`],
  maxLength: ['string_too_long', 'max_length', (n) => `must be at most ${String(n)} characters long`],
  minItems: ['too_short', 'min_length', (count) => `must have at least ${entries(count)}`],
  maxProperties: ['too_long', 'max_length', (count) => `must have at most ${String(count)} members`],
  maxItems: ['too_long', 'max_length', (count) => `must have at most ${entries(count)}`],
  pattern: ['string_pattern', 'pattern', () => 'does not have the required format; see the documentation'],
  format: ['date_format', 'format', () => 'must be an existing date in the form YYYY-MM-DD'],
};

function fieldErrorOf(
  error: ErrorObject,
  value: unknown,
  errorAt: Validated<unknown>['errorAt'],
): FieldError {
  const path = pathOf(error, value);
  const { keyword, params } = error;
  if (keyword === 'required') return errorAt(path, 'missing', 'is required');
  if (keyword === 'type') {
    const types: string[] = [params.type].flat().map(String);
    const [kind = 'value', ...others] = types.filter((type) => type !== 'null');
    if (others.length > 0) return errorAt(path, 'scalar_type', 'must be a number, text, true, false or null');
    const orNull = types.includes('null') ? ' or null' : '';
    return errorAt(path, `${kind}_type`, `${TYPE_SENTENCES[kind] ?? 'has the wrong type'}${orNull}`);
  }
  if (keyword === 'enum') {
    const expected = [params.allowedValues].flat().filter((allowed) => allowed !== null);
    return errorAt(path, 'enum', `must be one of ${expected.join(', ')}`, { expected });
  }
  if (keyword === 'propertyNames') {
    const limit = GIVEN_FEATURES.nameLength;
    const msg = `has a member whose name is longer than ${limit} characters`;
    return errorAt(path, 'name_too_long', msg, { max_length: limit });
  }
  const limitError = LIMIT_ERRORS[keyword];
  if (!limitError) return errorAt(path, keyword, error.message ?? 'is not valid');
  const [type, name, sentence] = limitError;
  const limit: unknown = params.limit ?? params.pattern ?? params.format;
  return errorAt(path, type, sentence(limit), { [name]: limit });
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const name of path) {
    if (Array.isArray(at) && typeof name === 'number') at = at[name];
    else if (isRecord(at) && Object.hasOwn(at, name)) at = at[name];
    else return null;
  }
  return at;
}

function entries(count: unknown): string {
  return count === 1 ? '1 entry' : `${String(count)} entries`;
}
