/** One thing wrong with a request, as the `detail` of a 422 carries it. */
export interface FieldError {
  /** Where, from the outside in, under the names the caller wrote: ["body", "property_fields", "beds"]. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input: unknown;
  /** The limit that was broken: {"ge": 0}. */
  readonly ctx: Readonly<Record<string, unknown>>;
}

/** A request can be wrong in every one of 20,000 places; so many are told. The schemas have about 30 members. */
export const ERRORS_SHOWN = 100;

/** A request that is JSON but not valid: 422 with every error at once. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(`${errors.length} errors in the request`);
    this.errors = errors.slice(0, ERRORS_SHOWN);
  }
}

const TEXT_SHOWN = 200;

/** The offending value as it may be sent back: cut where long, and only its kind where it is a structure. */
export function shownInput(value: unknown): unknown {
  if (typeof value === 'string') return value.length > TEXT_SHOWN ? `${value.slice(0, TEXT_SHOWN)}…` : value;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.length > 0 ? '[…]' : [];
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0 ? '{…}' : {};
  return value ?? null;
}
