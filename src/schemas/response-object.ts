import { Type, type TProperties } from 'typebox';

/** Every object of an answer names all of its members: nothing unlisted can leak into the wire. */
export function answer<P extends TProperties>(title: string, members: P, description?: string) {
  return Type.Object(members, {
    title,
    additionalProperties: false,
    ...(description ? { description } : {}),
  });
}
