import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { parseDay } from '../../domain/day.ts';
import { canonicalMembers } from './canonical-members.ts';
import { isPlainObject, keywordsOf } from './object-schema.ts';
import { findBadText } from './text-rules.ts';
import { ERRORS_SHOWN, shownInput, type FieldError } from './validation-error.ts';

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

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false });
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
    const canonical = canonicalMembers(keywords, raw);
    const written = (path: Path): Path =>
      path.map((name, depth) => canonical.writtenAs.get(path.slice(0, depth + 1).join('/')) ?? name);
    const errorAt = (
      path: Path,
      type: string,
      msg: string,
      ctx: Record<string, unknown> = {},
    ): FieldError => ({
      loc: locate(written(path)),
      msg,
      type,
      input: shownInput(valueAt(canonical.value, path)),
      ctx,
    });
    const errors: FieldError[] = canonical.conflicts.map(({ path, canonical: name, input }) => ({
      loc: locate(path),
      msg: `"${String(path.at(-1))}" is an alias of "${name}", and the two differ; give one`,
      type: 'alias_conflict',
      input: shownInput(input),
      ctx: { canonical: name },
    }));
    errors.push(...textErrors(raw, locate, readElsewhere));
    const { value } = canonical;
    const check = (compiled ??= ajv.compile<Static<S>>(schema));
    const isValid = check(value);
    if (!isValid) {
      const shown = firstErrorEach(check.errors ?? [], value).slice(0, ERRORS_SHOWN);
      errors.push(...shown.map((error) => fieldErrorOf(error, value, errorAt)));
    }
    return { value: isValid ? value : null, canonical: value, errors, unknown: canonical.unknown, errorAt };
  };
}

/** Control characters and broken Unicode anywhere in a request, in values and names. */
export function textErrors(raw: unknown, locate: Locator, skipped: string | null = null): FieldError[] {
  return findBadText(raw, skipped).map(({ path, error }) => ({
    loc: locate(path),
    ...error,
    input: shownInput(valueAt(raw, path)),
    ctx: {},
  }));
}

/** A value of the wrong type also breaks `enum` and limits. The first error at each path is enough. */
function firstErrorEach(errors: readonly ErrorObject[], value: unknown): ErrorObject[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    const place = pathOf(error, value).join('/');
    return seen.has(place) ? false : Boolean(seen.add(place));
  });
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
  number: 'must be a finite number',
  boolean: 'must be true or false',
  string: 'must be text',
  object: 'must be an object',
  array: 'must be a list',
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
    const kind = types.find((type) => type !== 'null') ?? 'value';
    const orNull = types.includes('null') ? ' or null' : '';
    return errorAt(path, `${kind}_type`, `${TYPE_SENTENCES[kind] ?? 'has the wrong type'}${orNull}`);
  }
  if (keyword === 'minimum') {
    return errorAt(path, 'greater_than_equal', `must be at least ${params.limit}`, { ge: params.limit });
  }
  if (keyword === 'maximum') {
    return errorAt(path, 'less_than_equal', `must be at most ${params.limit}`, { le: params.limit });
  }
  if (keyword === 'enum') {
    const expected = [params.allowedValues].flat().filter((value) => value !== null);
    return errorAt(path, 'enum', `must be one of ${expected.join(', ')}`, { expected });
  }
  if (keyword === 'maxLength') {
    return errorAt(path, 'string_too_long', `must be at most ${params.limit} characters long`, {
      max_length: params.limit,
    });
  }
  if (keyword === 'minLength') {
    return errorAt(path, 'string_too_short', `must be at least ${params.limit} characters long`, {
      min_length: params.limit,
    });
  }
  if (keyword === 'minItems') {
    return errorAt(path, 'too_short', `must have at least ${entries(params.limit)}`, {
      min_length: params.limit,
    });
  }
  if (keyword === 'maxItems') {
    return errorAt(path, 'too_long', `must have at most ${entries(params.limit)}`, {
      max_length: params.limit,
    });
  }
  if (keyword === 'pattern') {
    return errorAt(path, 'string_pattern', 'does not have the required format; see the documentation', {
      pattern: params.pattern,
    });
  }
  if (keyword === 'format') {
    return errorAt(path, 'date_format', 'must be an existing date in the form YYYY-MM-DD', {
      format: params.format,
    });
  }
  return errorAt(path, keyword, error.message ?? 'is not valid');
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const name of path) {
    if (Array.isArray(at) && typeof name === 'number') at = at[name];
    else if (isPlainObject(at) && Object.hasOwn(at, name)) at = at[name];
    else return null;
  }
  return at;
}

function entries(count: unknown): string {
  return count === 1 ? '1 entry' : `${String(count)} entries`;
}
