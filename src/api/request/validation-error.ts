/** One error in a request, as an entry of `detail` in a 422. */
export interface FieldError {
  /**
   * The path from the outside in, under the names that the caller wrote: ["body", "property_fields", "beds"].
   */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input: unknown;
  /** The limit that was exceeded: {"ge": 0}. */
  readonly ctx: Readonly<Record<string, unknown>>;
}

/** A request can have 20,000 errors. Only this many are reported. The schemas have about 30 members. */
export const ERRORS_SHOWN = 100;

/** A request that is JSON but not valid: a 422 with all errors at once. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(`${errors.length} errors in the request`);
    this.errors = errors.slice(0, ERRORS_SHOWN);
  }
}

const TEXT_SHOWN = 200;

/**
 * The invalid value in the form in which it may be returned: long text is cut, and a structure is replaced
 * with its type.
 */
export function shownInput(value: unknown): unknown {
  if (typeof value === 'string') return value.length > TEXT_SHOWN ? `${value.slice(0, TEXT_SHOWN)}…` : value;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.length > 0 ? '[…]' : [];
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0 ? '{…}' : {};
  return value ?? null;
}

/** A 422 with one error that was found outside the rules of a schema. */
export function singleError(
  loc: FieldError['loc'],
  type: string,
  msg: string,
  input: unknown,
): ValidationError {
  return new ValidationError([{ loc, msg, type, input: shownInput(input), ctx: {} }]);
}
