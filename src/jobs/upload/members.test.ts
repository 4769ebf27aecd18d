import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VALUATION_KINDS } from '../../domain/valuation-kind.ts';
import { MultifamilyBatchItem, PropertyBatchItem, RentalBatchItem } from '../../schemas/batch.ts';
import { keywordsOf, type ObjectSchema } from '../../schemas/object-schema.ts';
import { guessColumns } from './guess-columns.ts';
import { ADDRESS_PARTS, ASSESSED, BALANCE, HEADERS, MEMBERS } from './members.ts';

for (const kind of VALUATION_KINDS) {
  test(`every member of a ${kind} item has a label, and is recognized by its own name and its aliases`, () => {
    for (const { path, label, aliases } of MEMBERS[kind]) {
      assert.notEqual(label, path, `${path} needs a label in headers.ts`);
      const isPart = ADDRESS_PARTS.some((part) => part === path);
      for (const name of isPart ? [] : [path, path.split('.').at(-1) ?? '', ...aliases]) {
        assert.deepEqual(guessColumns(MEMBERS[kind], [name]), { [path]: { column: 0 } }, name);
      }
    }
  });
}

/** Paths of all values in an item; a file describes one unit per row. */
function pathsOf(schema: ObjectSchema, path: readonly string[] = []): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (member.properties) return pathsOf(member, [...path, name]);
    if (name === 'units' && member.items) return pathsOf(member.items, ['units']);
    // Own features have a column each, offered by the loaded markets.
    return name === 'maps_api_response' || name === 'features' ? [] : [[...path, name].join('.')];
  });
}

test('columns can be every member of an item', () => {
  const ofFile: readonly string[] = [...ADDRESS_PARTS, ASSESSED, BALANCE];
  const items = { property: PropertyBatchItem, rental: RentalBatchItem, multifamily: MultifamilyBatchItem };
  for (const kind of VALUATION_KINDS) {
    const members = MEMBERS[kind].map(({ path }) => path).filter((path) => !ofFile.includes(path));
    assert.deepEqual(members.sort(), pathsOf(keywordsOf(items[kind])).sort());
  }
});

test('every label belongs to a member', () => {
  const paths = new Set(VALUATION_KINDS.flatMap((kind) => MEMBERS[kind].map(({ path }) => path)));
  assert.deepEqual(
    Object.keys(HEADERS).filter((path) => !paths.has(path)),
    [],
  );
});
