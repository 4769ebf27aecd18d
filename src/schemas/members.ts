import { Type, type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox';

/**
 * Builders of the members of requests and responses, as JSON Schema. A nullable member has a list of types,
 * because `anyOf` would report every error twice. `x-aliases` are other names under which a member is
 * accepted; request readers and the documentation both read them from the schema.
 */
interface MemberOptions {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly default?: number | boolean | string | null;
  readonly 'x-aliases'?: readonly string[];
  readonly 'x-when-omitted'?: string;
}

type Build<T> = (description?: string, options?: MemberOptions) => TUnsafe<T>;

function builderOf<T>(type: string | readonly string[]): Build<T> {
  return (description, options = {}) => Type.Unsafe<T>({ type, ...described(description), ...options });
}

function described(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

export const string = builderOf<string>('string');
export const number = builderOf<number>('number');
export const integer = builderOf<number>('integer');
export const boolean = builderOf<boolean>('boolean');

export function oneOf<const T extends string>(values: readonly T[], description?: string): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...described(description) });
}

export function arrayOf<Item extends TSchema>(item: Item, description?: string) {
  return Type.Array(item, described(description));
}

/** An object of a response. It lists all of its members, so that no unlisted member can be sent. */
export function responseObject<P extends TProperties>(title: string, members: P, description?: string) {
  return Type.Object(members, { title, additionalProperties: false, ...described(description) });
}

export const nullable = {
  string: builderOf<string | null>(['string', 'null']),
  number: builderOf<number | null>(['number', 'null']),
  integer: builderOf<number | null>(['integer', 'null']),
  boolean: builderOf<boolean | null>(['boolean', 'null']),
  oneOf: <const T extends string>(values: readonly T[], description?: string, options?: MemberOptions) =>
    Type.Unsafe<T | null>({
      type: ['string', 'null'],
      enum: [...values, null],
      ...described(description),
      ...options,
    }),
  object: <S extends TSchema>(schema: S, description?: string) =>
    Type.Unsafe<Static<S> | null>({ ...schema, type: ['object', 'null'], ...described(description) }),
};

/** Counts by name. */
export function counts(description: string): TUnsafe<Readonly<Record<string, number>>> {
  return Type.Unsafe({ type: 'object', additionalProperties: { type: 'integer' }, description });
}

/** Members of requests, which may be omitted or null. */
export const optional = {
  string: optionally(nullable.string),
  number: optionally(nullable.number),
  integer: optionally(nullable.integer),
  boolean: optionally(nullable.boolean),
  oneOf: <const T extends string>(...given: Parameters<typeof nullable.oneOf<T>>) =>
    Type.Optional(nullable.oneOf<T>(...given)),
  /** `items` is the JSON Schema of an entry. */
  list: <T>(
    items: object,
    description: string,
    options: {
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly 'x-when-omitted'?: string;
    } = {},
  ) => Type.Optional(Type.Unsafe<T[] | null>({ type: ['array', 'null'], items, ...options, description })),
};

function optionally<T>(build: Build<T>) {
  return (description: string, options?: MemberOptions) => Type.Optional(build(description, options));
}
