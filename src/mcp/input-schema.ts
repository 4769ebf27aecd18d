import type { TSchema } from 'typebox';
import { describeMember } from '../api/openapi.ts';
import { isPlainObject, keywordsOf, type ObjectSchema } from '../api/request/object-schema.ts';

/** Left out of tool arguments: models do not have geocoder responses. */
const LEFT_OUT: readonly string[] = ['maps_api_response'];

/** The arguments of a tool, as the JSON Schema of an API request. */
export interface InputSchema {
  readonly [keyword: string]: unknown;
  readonly type: 'object';
  readonly properties: Record<string, object>;
}

/**
 * The schema that validates requests, with its keywords for omission and aliases written into the
 * descriptions.
 */
export function inputSchemaOf(schema: TSchema): InputSchema {
  const { properties = {}, required = [] } = keywordsOf(schema);
  return { type: 'object', properties: membersOf(properties), required: [...required] };
}

function membersOf(properties: Readonly<Record<string, ObjectSchema>>): Record<string, object> {
  const kept = Object.entries(properties).filter(([name]) => !LEFT_OUT.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, memberOf(member)]));
}

function memberOf(member: ObjectSchema): object {
  const { title: _title, 'x-aliases': _aliases, 'x-when-omitted': _omitted, ...keywords } = member;
  const { 'x-aliases': _unsaid, ...described } = member;
  const description = describeMember(described);
  return {
    ...keywords,
    ...(description ? { description } : {}),
    ...(member.properties ? { properties: membersOf(member.properties) } : {}),
    ...(isPlainObject(member.items) ? { items: memberOf(member.items) } : {}),
  };
}
