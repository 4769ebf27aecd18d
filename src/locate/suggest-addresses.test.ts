import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressPartsOf } from '../domain/address-parts.ts';
import {
  insertAddressPoints,
  findStreetNamesByPrefix,
  type KeyedAddressPoint,
} from '../store/address-points.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { SOURCE } from '../../test/harness/store/rows.ts';
import { completeAddress } from './suggest-addresses.ts';
import { addressSources } from './locate-subject.ts';
import { beginDataset, publishDataset } from '../store/publish-dataset.ts';

const STREETS = [
  'N LAKE DR',
  'S LAKE DR',
  'W LAKEFIELD ST',
  'E LAKESHORE AVE',
  'N 27TH ST',
  'N 2ND ST',
  'W OAK ST',
];

/** Ten houses per street, one of them with two apartments. */
function town(): KeyedAddressPoint[] {
  return STREETS.flatMap((street, row) =>
    Array.from({ length: 10 }, (_, i) => i).flatMap((i) => {
      const line = `${100 + 10 * i} ${street}`;
      return (i === 3 ? [line, `${line} #1`, `${line} #2`] : [line]).map((written) => {
        const address = { street: written, city: 'Riverton', stateCode: 'WI', postalCode: '53001' };
        return {
          address,
          lat: 43 + row / 100,
          lon: -88 + i / 1000,
          parcelId: null,
          key: addressPartsOf(address),
          knownOn: null,
        };
      });
    }),
  );
}

/** A row for each of its numbers. */
function duplex(): KeyedAddressPoint[] {
  const address = { street: '204-206 W ASH ST', city: 'Riverton', stateCode: 'WI', postalCode: '53001' };
  return ['204', '206'].map((number) => ({
    address,
    lat: 43,
    lon: -88,
    parcelId: null,
    key: { ...addressPartsOf(address), number },
    knownOn: null,
  }));
}

async function publish(store: Store, points: readonly KeyedAddressPoint[]): Promise<number> {
  const datasetId = await beginDataset(store, { marketId: 'wi-a', kind: 'addresses', source: SOURCE });
  await insertAddressPoints(store, datasetId, points);
  await publishDataset(store, datasetId, { rows: points.length, contentHash: 'a' });
  return datasetId;
}

for (const engine of engines) {
  test(`${engine.name}: every beginning of an address completes to it, and to nothing that begins differently`, async () => {
    const store = await engine.open();
    const points = town();
    await publish(store, points);
    const sources = await addressSources({ store });
    const complete = async (text: string): Promise<string[]> =>
      (await completeAddress(sources, text, 20)).map(({ row }) => row.address.street);
    for (const street of STREETS) {
      const [, name = ''] = street.split(' ');
      for (let letters = 1; letters <= name.length; letters++) {
        const typed = `130 ${street.slice(0, 2)}${name.slice(0, letters).toLowerCase()}`;
        const begin = name.slice(0, letters).replace(/^(\d+)[SNRT].*$/, '$1');
        const expected = points
          .filter(
            ({ key, address }) =>
              key.number === '130' && key.unit === '' && address.street.slice(6).startsWith(begin),
          )
          .map(({ address }) => address.street);
        const found = await complete(typed);
        assert.deepEqual(found.toSorted(), expected.sort(), typed);
        // Among streets that match the typed text, the one in the typed direction comes first.
        assert.equal(
          found.find((one) => one.slice(6) === name + street.slice(2 + name.length)),
          `130 ${street}`,
        );
      }
    }
    await store.close();
  });

  test(`${engine.name}: a letter may be wrong, a city incomplete, a unit requested, a number missing or unknown`, async () => {
    const store = await engine.open();
    await publish(store, [...town(), ...duplex()]);
    const sources = await addressSources({ store });
    const complete = async (text: string, most = 5): Promise<string[]> =>
      (await completeAddress(sources, text, most)).map(({ formattedAddress }) => formattedAddress);
    const lake = (number: string): string => `${number} N LAKE DR, Riverton, WI 53001`;
    assert.equal((await complete('130 n lakw'))[0], lake('130'));
    assert.equal((await complete('130 N Lake Dr, Riv'))[0], lake('130'));
    assert.deepEqual((await complete('130 N Lake Dr #2')).slice(0, 1), [lake('130').replace('DR', 'DR #2')]);
    assert.deepEqual(await complete('n lake dr', 2), [lake('100'), lake('110')]);
    assert.deepEqual(
      (await complete('131 n lake', 3)).toSorted(),
      [lake('130'), lake('140'), lake('120')].sort(),
    );
    assert.deepEqual(await complete('13 n lake', 2), [lake('130'), lake('100')], 'an unfinished number');
    assert.deepEqual(await complete('131 n 27', 1), ['130 N 27TH ST, Riverton, WI 53001']);
    assert.deepEqual(await complete('205 w ash', 3), ['204-206 W ASH ST, Riverton, WI 53001'], 'listed once');
    for (const nothing of ['', '1', '130', 'la', '130 zzzz', 'xyzzy'])
      assert.deepEqual(await complete(nothing), []);
    await store.close();
  });

  test(`${engine.name}: street names that begin with a text are those that a scan finds`, async () => {
    const store = await engine.open();
    const points = town();
    const datasetId = await publish(store, points);
    for (const beginning of ['L', 'LAKE', 'LAKES', '2', '27', 'OAK', 'Z', 'OAKS']) {
      const expected = new Set(
        points.map(({ key }) => key.streetName).filter((name) => name.startsWith(beginning)),
      );
      assert.deepEqual(await findStreetNamesByPrefix(store, [datasetId], beginning), [...expected].sort());
    }
    await store.close();
  });
}
