import type { TSchema } from 'typebox';
import { describeMember } from '../api/openapi.ts';
import { isPlainObject, keywordsOf, type ObjectSchema } from '../api/request/object-schema.ts';

/** Said in a tool's arguments once, and by nobody who is a model: what geocoders answer. */
const LEFT_OUT: readonly string[] = ['maps_api_response'];

/** What a tool takes, as the JSON Schema of a request of the API. */
export interface InputSchema {
  readonly [keyword: string]: unknown;
  readonly type: 'object';
  readonly properties: Record<string, object>;
}

/** The schema that requests are validated with, its own words about omission and other names put into the descriptions. */
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
