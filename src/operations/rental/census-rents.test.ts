import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { knownCell } from '../../domain/census/cell.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { dayOf, type Day } from '../../domain/day.ts';
import { attributesOf } from '../../domain/property.ts';
import type { RentListing } from '../../domain/rent.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { openPlaces } from '../../places/open-places.ts';
import { publishAreas, publishCensusTables } from '../../../test/harness/places/census-places.ts';
import { putBlob } from '../../store/blobs.ts';
import { currentDatasets } from '../../store/datasets.ts';
import { insertRents } from '../../store/property-records.ts';
import type { Store } from '../../store/store.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { SOURCE, testRent } from '../../../test/harness/store/rows.ts';
import { buildRentColumns } from '../../valuation/columns/build-columns.ts';
import { encodeColumns } from '../../valuation/columns/snapshots.ts';
import { EMPTY_SAMPLE } from '../../valuation/rental/census-rent.ts';
import { cached } from '../../promise-cache.ts';
import { findCensusRents } from './census-rents.ts';
import {
  readRentListings,
  type ReadRentListings,
  RENT_LISTINGS_KEPT,
} from '../market-data/holdout-and-rents.ts';
import { beginDataset, publishDataset } from '../../store/publish-dataset.ts';

/**
 * One tract each: the place itself, a tract in the same state, and one in another state. They are far apart.
 */
const TRACTS = {
  here: ['53033000100', -100],
  state: ['53061000100', -90],
  nation: ['31001000100', -80],
} as const;
type Group = keyof typeof TRACTS;
const AT = { lat: 40.5, lon: -99.5 };
const AS_OF = dayOf(2024, 6, 30);

function table(geoid: string, year: number, usd: number): CensusTable {
  const cells = new Map([
    ['001E', knownCell(usd, 50)],
    ['004E', knownCell(1.1 * usd, 60)],
  ]);
  return { geoid, year, tableId: 'B25031', level: 'tract', name: geoid, cells };
}

/** A two-bedroom listing in a building of its own, at this ratio to a census rent of $1,100. */
function listing(group: Group, i: number, over: number, listedOn: Day): RentListing {
  return {
    ...testRent(i),
    recordId: `${group} ${i}`,
    parcelId: `building ${i}`,
    datePrecision: 'day',
    listedOn,
    lastSeenOn: null,
    rentUsd: Math.round(1100 * Math.exp(over)),
    lat: 40.5,
    lon: TRACTS[group][1] + 0.5 + i / 10_000,
    type: 'small_multifamily',
    attributes: attributesOf({ bedrooms: 2, bathrooms: 1 }),
  };
}

async function publishListings(
  store: Store,
  marketId: string,
  listings: readonly RentListing[],
): Promise<void> {
  const datasetId = await beginDataset(store, { marketId, kind: 'rents', source: SOURCE });
  await insertRents(store, datasetId, listings);
  const snapshotSha256 = await putBlob(store, encodeColumns(buildRentColumns(listings)));
  const rows = listings.length;
  await publishDataset(store, datasetId, { rows, contentHash: snapshotSha256, snapshotSha256 });
}

for (const engine of engines) {
  describe(engine.name, () => {
    let store: Store;
    let deps: PlaceDeps;
    let snapshotsRead: string[];
    let readListings: ReadRentListings;
    before(async () => {
      store = await engine.open();
      deps = openPlaces(store, () => currentDatasets(store));
      snapshotsRead = [];
      readListings = cached(RENT_LISTINGS_KEPT, (sha256: string) => {
        snapshotsRead.push(sha256);
        return readRentListings(store, sha256);
      });
      const areas = Object.values(TRACTS).flatMap(([geoid, west]) =>
        [2010, 2020].map((vintage) => {
          const record = { geoid, vintage, name: null, level: 'tract' };
          return { record, west, east: west + 1, south: 40, north: 41 };
        }),
      );
      await publishAreas(store, 'areas', 'census-areas', areas);
    });
    after(() => store.close());

    const find = async (asOf: Day) => {
      const found = await findCensusRents(deps, readListings, AT, asOf);
      return 'missing' in found ? assert.fail(found.missing) : found;
    };

    test('a place without census rents gets a message that says so', async () => {
      const found = await findCensusRents(deps, readListings, AT, AS_OF);
      assert.ok('missing' in found && found.tooNew === null);
      assert.match(found.missing, /B25031 or B25064/);
    });

    test('only figures published by the as-of date are used, and of those the newest', async () => {
      const tables = Object.values(TRACTS).flatMap(([geoid]) => [
        table(geoid, 2019, 800),
        table(geoid, 2022, 1000),
      ]);
      await publishCensusTables(store, 'values', tables);
      const early = await findCensusRents(deps, readListings, AT, dayOf(2020, 12, 1));
      assert.ok('missing' in early && early.tooNew === 2019);
      assert.match(early.missing, /2019 .*not published before 2020-12-20/);
      assert.deepEqual(
        [(await find(dayOf(2020, 12, 20))).year, (await find(dayOf(2023, 12, 19))).year],
        [2019, 2019],
      );
      const { year, rents, offsets } = await find(dayOf(2023, 12, 20));
      assert.equal(year, 2022);
      assert.deepEqual([rents[2].usd, rents[2].geoid, rents[2].level], [1100, '53033000100', 'tract']);
      assert.deepEqual(offsets, { nation: EMPTY_SAMPLE, state: EMPTY_SAMPLE, market: EMPTY_SAMPLE });
    });

    test('listings here, in the state and elsewhere are grouped separately, and each is compared with its own place', async () => {
      for (const [at, group] of (['nation', 'state', 'here'] as const).entries()) {
        const rents = Array.from({ length: 10 + at }, (_, i) => listing(group, i, at / 10, AS_OF - 100 - i));
        await publishListings(store, `listings-${group}`, rents);
      }
      const { offsets } = await find(AS_OF);
      const { nation, state, market } = offsets;
      assert.deepEqual([nation.buildings, state.buildings, market.buildings], [10, 11, 12]);
      // 2022 dollars, brought forward to about 100 days before the day: 1.73 years at 3.5%.
      [nation, state, market].forEach(({ mean }, at) =>
        assert.ok(Math.abs(mean - at / 10 + 0.06) < 0.005, `${mean}`),
      );
    });

    test('later requests do not decode the snapshot again', async () => {
      const before = [...snapshotsRead];
      assert.equal(new Set(before).size, 3);
      const first = await find(AS_OF);
      assert.deepEqual(await find(AS_OF), first);
      await find(AS_OF + 1);
      assert.deepEqual(snapshotsRead, before);
    });

    test('a listing, a census or a market that became known after the day changes nothing', async () => {
      const before = await find(AS_OF);
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            group: fc.constantFrom<Group>('here', 'state', 'nation'),
            later: fc.array(
              fc.tuple(fc.integer({ min: 1, max: 900 }), fc.double({ min: -1, max: 1, noNaN: true })),
              {
                minLength: 1,
                maxLength: 8,
              },
            ),
            isNewMarket: fc.boolean(),
          }),
          async ({ group, later, isNewMarket }) => {
            const at = ['nation', 'state', 'here'].indexOf(group);
            const known = Array.from({ length: 10 + at }, (_, i) =>
              listing(group, i, at / 10, AS_OF - 100 - i),
            );
            const added = later.map(([days, over], i) => listing(group, 100 + i, over, AS_OF + days));
            if (isNewMarket) await publishListings(store, `a-later-${group}`, added);
            else await publishListings(store, `listings-${group}`, [...known, ...added]);
            assert.deepEqual(await find(AS_OF), before);
          },
        ),
        { numRuns: 12 },
      );
      await publishCensusTables(store, 'later', [table(TRACTS.here[0], 2023, 2000)]);
      assert.deepEqual(await find(AS_OF), before);
      assert.equal((await find(dayOf(2025, 1, 1))).year, 2023);
    });
  });
}
