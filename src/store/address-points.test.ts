import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertAddressPoints, numbersOfStreet, streetNamesOfNumber } from './address-points.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { many, SOURCE, testAddressPoint } from '../../test/harness/store/rows.ts';
import { beginDataset } from './publish-dataset.ts';

for (const engine of engines) {
  test(`${engine.name}: a street's numbers and a number's streets are listed once each`, async () => {
    const store = await engine.open();
    const ids: number[] = [];
    const all = [many(60, testAddressPoint), many(90, (i) => testAddressPoint(i + 20))];
    for (const [i, points] of all.entries()) {
      ids.push(await beginDataset(store, { marketId: `wi-${i}`, kind: 'addresses', source: SOURCE }));
      await insertAddressPoints(store, ids[i], points);
    }
    const keys = all.flat().map((point) => point.key);
    const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
    for (const streetName of sorted(keys.map((key) => key.streetName))) {
      const numbers = keys.filter((key) => key.streetName === streetName).map((key) => key.number);
      assert.deepEqual(await numbersOfStreet(store, ids, streetName), sorted(numbers));
    }
    for (const number of sorted(keys.map((key) => key.number))) {
      const names = keys.filter((key) => key.number === number).map((key) => key.streetName);
      assert.deepEqual(await streetNamesOfNumber(store, ids, number), sorted(names));
    }
    assert.deepEqual(await numbersOfStreet(store, [], keys[0].streetName), []);
    assert.deepEqual(await streetNamesOfNumber(store, ids, '999999'), []);
    await store.close();
  });
}
