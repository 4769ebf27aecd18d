import { Type, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import type { FieldValues, RequestField } from '../domain/request-field.ts';
import { nullableBoolean, nullableInteger, nullableNumber, nullableOneOf } from './members.ts';

/** The JSON Schema of an object with these fields. */
export function fieldsSchema<const Fields extends readonly RequestField[]>(
  fields: Fields,
  options: { readonly title: string; readonly description: string },
): TUnsafe<FieldValues<Fields>> {
  return Type.Unsafe<FieldValues<Fields>>(Type.Object(fieldMembers(fields), options));
}

/** The members of such an object, by name. */
export function fieldMembers(fields: readonly RequestField[]): TProperties {
  return Object.fromEntries(fields.map((field) => [field.name, fieldMember(field)]));
}

function fieldMember(field: RequestField): TSchema {
  const { type, description, choices = [], aliases, whenOmitted } = field;
  const options = {
    description,
    ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
    ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(aliases === undefined ? {} : { 'x-aliases': aliases }),
    ...(whenOmitted === undefined ? {} : { 'x-when-omitted': whenOmitted }),
  };
  if (field.isRequired) return type === 'integer' ? Type.Integer(options) : Type.Number(options);
  if (type === 'choice') return Type.Optional(nullableOneOf(choices, options));
  if (type === 'boolean') return Type.Optional(nullableBoolean(options));
  return Type.Optional(type === 'integer' ? nullableInteger(options) : nullableNumber(options));
}
