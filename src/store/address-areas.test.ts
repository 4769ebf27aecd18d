import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressPartsOf } from '../domain/address-parts.ts';
import { cellOf } from '../geo/cells.ts';
import {
  type AddressAreaCell,
  findAddressAreas,
  insertAddressPoints,
  type KeyedAddressPoint,
} from './address-points.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { SOURCE } from '../../test/harness/store/rows.ts';
import { beginDataset, publishDataset } from './publish-dataset.ts';

const CITIES = ['Riverton', 'St. Francis', ''];
const ZIPS = ['53001', '53002', ''];

function points(seed: number): KeyedAddressPoint[] {
  return Array.from({ length: 300 }, (_, i) => {
    const at = i * 7 + seed;
    const address = {
      street: `${i} MAIN ST`,
      city: CITIES[at % 3],
      stateCode: 'WI',
      postalCode: ZIPS[Math.floor(at / 3) % 3],
    };
    const [lat, lon] = [43 + (at % 5) * 0.004, -88 - (at % 7) * 0.003];
    return { address, lat, lon, parcelId: null, key: addressPartsOf(address), knownOn: null };
  });
}

/** The slow way: every address looked at. */
function counted(all: readonly KeyedAddressPoint[], isWanted: (point: KeyedAddressPoint) => boolean) {
  const cells = new Map<string, AddressAreaCell>();
  for (const point of all.filter(isWanted)) {
    const { city, stateCode, postalCode } = point.key;
    const cell = cellOf(point.lat, point.lon);
    const name = [cell, city, stateCode, postalCode].join('|');
    const count = (cells.get(name)?.count ?? 0) + 1;
    cells.set(name, { city, stateCode, postalCode, cell, count });
  }
  return [...cells.values()].sort(
    (a, b) => a.cell - b.cell || compare(a.city, b.city) || compare(a.postalCode, b.postalCode),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function publish(store: Store, marketId: string, rows: readonly KeyedAddressPoint[]): Promise<number> {
  const id = await beginDataset(store, { marketId, kind: 'addresses', source: SOURCE });
  await insertAddressPoints(store, id, rows);
  await publishDataset(store, id, { rows: rows.length, contentHash: 'x' });
  return id;
}

for (const engine of engines) {
  test(`${engine.name}: a published version's addresses are counted by ZIP, city and cell`, async () => {
    const store = await engine.open();
    const [one, two] = [points(0), points(1)];
    const ids = [await publish(store, 'wi-one', one), await publish(store, 'wi-two', two)];
    const both = [...one, ...two];
    for (const postalCode of ['53001', '53002', '53003']) {
      const found = await findAddressAreas(store, ids, { postalCode });
      assert.deepEqual(
        found,
        counted(both, ({ key }) => key.postalCode === postalCode),
      );
    }
    const saint = await findAddressAreas(store, ids, { city: 'SAINT FRANCIS' });
    assert.deepEqual(
      saint,
      counted(both, ({ key }) => key.city === 'SAINT FRANCIS'),
    );
    assert.ok(saint.length > 10);
    const first = await findAddressAreas(store, ids.slice(0, 1), { city: 'RIVERTON' });
    assert.deepEqual(
      first,
      counted(one, ({ key }) => key.city === 'RIVERTON'),
    );
    assert.deepEqual(await findAddressAreas(store, [], { city: 'RIVERTON' }), []);
    await store.close();
  });
}
