import * as fc from 'fast-check';
import type { ObjectSchema } from '../src/schemas/object-schema.ts';

/** Generates values that a schema allows. */
export function validOf(schema: ObjectSchema): fc.Arbitrary<unknown> {
  const types = [schema.type ?? []].flat();
  const orNull = (values: fc.Arbitrary<unknown>) =>
    types.includes('null') ? fc.option(values, { freq: 8 }) : values;
  const { minimum: least = 0, maximum: most = 1e6 } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) return objectOf(schema);
  if (schema.items) return fc.array(validOf(schema.items), { minLength: 1, maxLength: 3 });
  if (types.includes('integer')) return orNull(fc.integer({ min: least, max: Math.min(most, 2 ** 31) }));
  if (types.includes('number')) return orNull(fc.double({ min: least, max: most, noNaN: true }));
  if (types.includes('boolean')) return orNull(fc.boolean());
  if (types.includes('object')) return orNull(featureValues());
  return orNull(
    fc.string({ minLength: 1, maxLength: 40 }).map((text) => `1 ${text.replaceAll(/[^ -~]/g, '') || 'Main'}`),
  );
}

/** Required members and any of the others, each under any accepted name. */
function objectOf(schema: ObjectSchema): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'date');
  const values = Object.fromEntries(members.map(([name, member]) => [name, validOf(member)]));
  return fc
    .tuple(fc.record(values, { requiredKeys: [...(schema.required ?? [])] }), fc.infiniteStream(fc.nat(2)))
    .map(([record, picks]) => {
      const renamed = Object.entries(record).map(([name, value]) => {
        const names = [name, ...(schema.properties?.[name]?.['x-aliases'] ?? [])];
        return [names[(picks.next().value ?? 0) % names.length], value];
      });
      return Object.fromEntries(renamed);
    });
}

/** Names that differ only in case are one feature, and giving it twice is an error. */
function featureValues() {
  const entries = fc.uniqueArray(fc.tuple(fc.string({ maxLength: 5 }), fc.integer()), {
    selector: ([name]) => name.toLowerCase(),
    maxLength: 3,
  });
  return entries.map((each) => Object.fromEntries(each));
}
