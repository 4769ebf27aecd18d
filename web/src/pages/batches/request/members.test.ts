import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keywordsOf, type ObjectSchema } from '../../../../../src/api/request/object-schema.ts';
import {
  MultifamilyBatchItem,
  PropertyBatchItem,
  RentalBatchItem,
} from '../../../../../src/schemas/batch.ts';
import { VALUATION_KINDS } from '../../../../../src/domain/valuation-kind.ts';
import { guessColumns } from './guess-columns.ts';
import { ADDRESS_PARTS, MEMBERS, type Member, type MemberType } from './members.ts';

const ITEMS = { property: PropertyBatchItem, rental: RentalBatchItem, multifamily: MultifamilyBatchItem };

interface Leaf {
  readonly path: string;
  readonly schema: ObjectSchema & { readonly maxLength?: number; readonly format?: string };
  readonly isRequired: boolean;
}

/** Every member of an item, under the paths of this page. */
function leavesOf(schema: ObjectSchema, path: readonly string[] = []): Leaf[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (member.properties) return leavesOf(member, [...path, name]);
    if (name === 'units' && member.items) return leavesOf(member.items, ['units']);
    const isRequired = schema.required?.includes(name) ?? false;
    return name === 'maps_api_response'
      ? []
      : [{ path: [...path, name].join('.'), schema: member, isRequired }];
  });
}

function typeOf({ schema }: Leaf): MemberType {
  const type = [schema.type].flat().find((name) => name !== 'null');
  const limits = { minimum: schema.minimum ?? 0, maximum: schema.maximum ?? Number.MAX_SAFE_INTEGER };
  if (schema.enum)
    return { kind: 'choice', choices: schema.enum.filter((value) => value !== null).map(String) };
  if (type === 'integer' || type === 'number') return { kind: type, ...limits };
  if (type === 'boolean') return { kind: 'boolean' };
  return schema.format === 'date' ? { kind: 'day' } : { kind: 'text', lengthMax: schema.maxLength ?? 0 };
}

for (const kind of VALUATION_KINDS) {
  test(`columns can be every member of a ${kind} item, under its limits and all its names`, () => {
    const leaves = leavesOf(keywordsOf(ITEMS[kind]));
    const members = MEMBERS[kind].filter(({ path }) => !ADDRESS_PARTS.some((part) => part === path));
    const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
    const asTold = ({
      path,
      type,
      isRequired = false,
    }: Pick<Member, 'path' | 'type'> & { isRequired?: boolean }) => ({ path, type, isRequired });
    assert.deepEqual(
      members.map(asTold).sort(byPath),
      leaves.map((leaf) => asTold({ ...leaf, type: typeOf(leaf) })).sort(byPath),
    );
    for (const { path, schema } of leaves) {
      for (const name of [path.split('.').at(-1) ?? '', ...(schema['x-aliases'] ?? [])]) {
        assert.deepEqual(guessColumns(MEMBERS[kind], [name]), { [path]: { column: 0 } }, name);
      }
    }
  });
}
