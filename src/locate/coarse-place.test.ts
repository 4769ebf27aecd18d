import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { casesOf } from '../../test/harness/cases.ts';
import { addressPartsOf } from '../domain/address-parts.ts';
import { PlumblineError } from '../errors.ts';
import { insertAddressPoints } from '../store/address-points.ts';
import { insertSales } from '../store/property-records.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { SOURCE, testSale } from '../../test/harness/store/rows.ts';
import { locateSubject } from './locate-subject.ts';
import type { AddressCandidate, Located, Target } from './located.ts';
import { openTestCounty } from '../../test/harness/places/county.ts';
import type { DatasetKind } from '../store/tables/datasets.ts';
import { beginDataset, publishDataset } from '../store/publish-dataset.ts';

/** The results of each engine, compared at the end. */
const resultsOf = new Map<string, string[]>();

for (const engine of engines) {
  describe(engine.name, () => {
    let store: Store;
    const results: string[] = [];
    resultsOf.set(engine.name, results);
    before(async () => {
      store = await engine.open();
      await openTestCounty(store);
    });
    after(() => store.close());

    const at = async (address: string, target: Target = 'home'): Promise<Located> => {
      const located = await locateSubject(
        { store },
        { address, lat: null, lon: null, mapsPlace: null },
        target,
      );
      results.push(JSON.stringify(located));
      return located;
    };
    const inOrder = async (texts: readonly string[]): Promise<Located[]> => {
      const all: Located[] = [];
      for (const text of texts) all.push(await at(text));
      return all;
    };
    const area = (address: string): Promise<Located> => at(address, 'area');
    const atPoint = (lat: number, lon: number): Promise<Located> =>
      locateSubject({ store }, { address: null, lat, lon, mapsPlace: null });
    const rejection = async (address: string, target: Target = 'home'): Promise<PlumblineError> => {
      const error: unknown = await at(address, target).then(
        (located) => assert.fail(`located ${JSON.stringify(located)}`),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof PlumblineError, String(error));
      assert.equal(error.code, 'address_not_found');
      assert.match(error.message, /^The address .*\.$/);
      assert.ok(!/undefined|null|NaN/.test(error.message), error.message);
      results.push(error.message);
      return error;
    };
    const codesOf = (located: Located): string[] => located.warnings.map((warning) => warning.code);

    test('a missing number is placed between its neighbors of the same side, with a warning', async () => {
      const located = await at('204 Ridge Road, Riverton, WI');
      assert.deepEqual([located.lat, located.lon], [43.01, -88.011]);
      assert.equal(located.matchLevel, 'interpolated');
      assert.equal(located.accuracyM, 81);
      assert.equal(located.address?.formatted, '204 RIDGE RD, Riverton, WI');
      assert.deepEqual([located.parcelId, located.matchedPoint], [null, null]);
      assert.deepEqual(codesOf(located), ['address_interpolated']);
      assert.match(located.warnings[0].message, /between its neighbors \(204 RIDGE RD.*\b266 feet\b/);
      assert.equal((await at('202 Ridge Rd, Riverton')).lon, -88.0105);
    });

    test('if a side lacks a neighbor on one end, both sides are used', async () => {
      const located = await at('205 Ridge Rd, Riverton');
      assert.equal(located.matchLevel, 'interpolated');
      assert.ok(located.lon < -88.0105 && located.lon > -88.012);
    });

    test('nothing is placed between neighbors that are far apart, of two towns or of two directions', async () => {
      assert.notEqual((await area('650 Ridge Rd, Riverton')).matchLevel, 'interpolated');
      assert.equal((await area('12 Shared Ln, WA 98009')).address?.formatted, 'SHARED LN, Farton, WA 98009');
      await rejection('12 Shared Ln, WA');
      await rejection('12 Twin St, Riverton, WI');
    });

    test('a home is located by its street only within a quarter of a mile', async () => {
      const short = await at('Short Ct, Riverton, WI');
      assert.deepEqual([short.lat, short.lon, short.matchLevel], [43.0204, -88.01, 'street']);
      assert.equal(short.address?.street, 'SHORT CT');
      assert.deepEqual(codesOf(short), ['address_street_level']);
      const end = await at('10 Short Ct, Riverton, WI');
      assert.deepEqual([end.lat, end.matchLevel, end.parcelId], [43.0208, 'street', null]);
      assert.match(
        (await rejection('Ridge Rd, Riverton')).message,
        /only its street \(RIDGE RD, Riverton, WI\) is known, most of it within/,
      );
      assert.equal((await area('Ridge Rd, Riverton')).matchLevel, 'street');
    });

    test('a number far from its neighbors is rejected for a home, with the nearest ones', async () => {
      const error = await rejection('900 Ridge Rd, Riverton');
      assert.match(error.message, /no number near it/);
      const candidates = error.members.candidates as readonly AddressCandidate[];
      assert.equal(candidates[0].formattedAddress, '700 RIDGE RD, Riverton, WI');
      assert.equal((await area('900 Ridge Rd, Riverton')).matchLevel, 'street');
      await rejection('102 S Lake Dr, Riverton');
    });

    test('an area is located by its ZIP or city, with a warning; a home is rejected with what was found', async () => {
      const zip = await area('99 Unknown Way, Riverton, WI 53003');
      assert.deepEqual([zip.matchLevel, codesOf(zip)], ['postal_code', ['address_postal_code_level']]);
      assert.equal(zip.address?.formatted, 'Riverton, WI 53003');
      assert.ok(Math.abs(zip.lat - 43.0226) < 0.005 && Math.abs(zip.lon + 88.0101) < 0.005);
      assert.ok(zip.accuracyM !== null && zip.accuracyM > 300 && zip.accuracyM < 1500);
      const city = await area('Riverton, Wisconsin');
      assert.deepEqual([city.matchLevel, codesOf(city)], ['city', ['address_city_level']]);
      assert.equal(city.address?.formatted, 'Riverton, WI');
      assert.equal((await area('53003')).matchLevel, 'postal_code');
      assert.equal((await area('99 Unknown Way, Riverton, WI')).matchLevel, 'city');
      assert.match(
        (await rejection('99 Unknown Way, Riverton, WI 53003')).message,
        /only its ZIP \(Riverton, WI 53003\) is known/,
      );
      assert.match((await rejection('Riverton, WI')).message, /only its city/);
    });

    test('a city of two states without its state, or a ZIP of another state, is not found', async () => {
      await rejection('Riverton', 'area');
      assert.equal((await area('Riverton, WA')).address?.formatted, 'Riverton, WA');
      await rejection('53003, IL', 'area');
      await rejection('Springfield, WI', 'area');
      await rejection('99999', 'area');
    });

    test('coordinates get the nearest address, or only the city around if none is near', async () => {
      const there = await atPoint(43.0204, -88.0101);
      assert.deepEqual(
        [there.address?.street, codesOf(there), there.matchLevel],
        ['6 SHORT CT', [], 'point'],
      );
      const near = await atPoint(43.0209, -88.009);
      assert.deepEqual(
        [near.address?.formatted, codesOf(near)],
        ['6 SHORT CT, Riverton, WI', ['address_nearest']],
      );
      const around = await atPoint(43.03, -88.01);
      assert.deepEqual([around.address?.formatted, codesOf(around)], ['Riverton, WI 53003', []]);
      assert.equal((await atPoint(10, 10)).address, null);
      for (const located of [there, near, around]) results.push(JSON.stringify(located));
    });

    test('any text gives a place or a rejection with a sentence', async () => {
      const words = [
        '204',
        'Ridge',
        'Rd',
        'Riverton',
        'WI',
        '53003',
        ',',
        '#',
        '4',
        'Short',
        'Ct',
        'N',
        'WA',
        'é',
      ];
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 8 }), async (chosen) => {
          const located = await area(chosen.join(' ')).catch((error: unknown) => error);
          if (located instanceof PlumblineError) assert.equal(located.code, 'address_not_found');
          else assert.ok(isPlaced(located), String(located));
        }),
        { numRuns: casesOf(150), seed: 7 },
      );
    });

    test('a number is placed where a scan of all rows of its street would place it', async () => {
      const numbers = fc.sample(fc.integer({ min: 1, max: 400 }), { numRuns: 60, seed: 11 });
      const known = [...new Set(numbers)];
      const lonOf = (number: number): number => -89 - number * 0.00005 - (number % 7) * 0.00001;
      const rows = known.map((number): [string, number, number] => [`${number} WALK AVE`, 44, lonOf(number)]);
      await publishRows(store, 'walk', 'addresses', rows);
      for (let number = 1; number <= 400; number++) {
        if (known.includes(number)) continue;
        const pair = [known.filter((one) => one % 2 === number % 2), known]
          .map((side) => [
            Math.max(...side.filter((n) => n < number)),
            Math.min(...side.filter((n) => n > number)),
          ])
          .find(([low, high]) => Number.isFinite(low) && Number.isFinite(high));
        const located = await area(`${number} Walk Avenue`);
        if (!pair) assert.equal(located.matchLevel, 'street', String(number));
        else {
          const [low, high] = pair;
          const expected = lonOf(low) + ((number - low) / (high - low)) * (lonOf(high) - lonOf(low));
          assert.equal(located.matchLevel, 'interpolated', String(number));
          assert.ok(Math.abs(located.lon - expected) <= 5.1e-8, String(number));
        }
      }
    });

    test('files without cities are distinguished by the addresses around them', async () => {
      await publishRows(store, 'twin-file', 'addresses', [
        ['200 RIDGE RD', 47.0, -122.0005],
        ['208 RIDGE RD', 47.0, -122.0015],
        ['4 LONE PL', 47.0, -122.0005],
        ['8 LONE PL', 47.0, -122.0015],
      ]);
      assert.equal((await at('204 Ridge Rd, Riverton, WI')).lat, 43.01);
      assert.equal((await at('204 Ridge Rd, Hillton, WA')).lat, 47);
      assert.equal((await at('6 Lone Pl')).address?.formatted, '6 LONE PL, Hillton, WA');
      await rejection('204 Ridge Rd', 'area');
    });

    test('a later sale does not move a home that was placed between neighbors or by its street', async () => {
      const texts = ['204 Ridge Rd, Riverton', 'Short Ct, Riverton', '10 Short Ct, Riverton'];
      const earlier = await inOrder(texts);
      await publishRows(store, 'late', 'sales', [
        ['203 RIDGE RD', 43.0101, -88.0109],
        ['206 RIDGE RD', 43.0111, -88.0111],
        ['7 SHORT CT', 43.0101, -88.0109],
      ]);
      assert.deepEqual(await inOrder(texts), earlier);
    });
  });
}

test('both engines give the same bytes', () => {
  const [first, ...others] = [...resultsOf.values()];
  assert.ok(first.length > 300);
  for (const other of others) assert.deepEqual(other, first);
});

function isPlaced(located: unknown): boolean {
  if (located === null || typeof located !== 'object' || !('lat' in located) || !('lon' in located))
    return false;
  return Number.isFinite(located.lat) && Number.isFinite(located.lon);
}

async function publishRows(
  store: Store,
  marketId: string,
  kind: DatasetKind,
  rows: readonly (readonly [street: string, lat: number, lon: number])[],
): Promise<void> {
  const points = rows.map(([street, lat, lon]) => {
    const address = { street, city: '', stateCode: '', postalCode: '' };
    return { address, lat, lon, parcelId: null, key: addressPartsOf(address), knownOn: null };
  });
  const datasetId = await beginDataset(store, { marketId, kind, source: SOURCE });
  if (kind === 'sales') {
    await insertSales(
      store,
      datasetId,
      points.map((point, i) => ({ ...testSale(i), ...point })),
    );
  }
  await insertAddressPoints(store, datasetId, points);
  await publishDataset(store, datasetId, { rows: rows.length, contentHash: marketId });
}
