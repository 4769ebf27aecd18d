import { Type, type TUnsafe } from 'typebox';

/**
 * Members of the wire, as JSON Schema. Nullable is written as a type list: `anyOf` would report every error
 * twice. `x-aliases` are other names under which a member is accepted; the reader of requests and the
 * documentation both take them from here.
 */
export interface MemberOptions {
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly default?: number | boolean | string | null;
  readonly 'x-aliases'?: readonly string[];
  readonly 'x-when-omitted'?: string;
}

export function nullableInteger(options: MemberOptions): TUnsafe<number | null> {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], ...options });
}

export function nullableNumber(options: Partial<MemberOptions> = {}): TUnsafe<number | null> {
  return Type.Unsafe<number | null>({ type: ['number', 'null'], ...options });
}

export function nullableBoolean(options: Partial<MemberOptions> = {}): TUnsafe<boolean | null> {
  return Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], ...options });
}

export function nullableString(options: Partial<MemberOptions> = {}): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });
}

export function oneOf<const T extends string>(
  values: readonly T[],
  options: Partial<MemberOptions> = {},
): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

export function nullableOneOf<const T extends string>(
  values: readonly T[],
  options: MemberOptions,
): TUnsafe<T | null> {
  return Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...values, null], ...options });
}
