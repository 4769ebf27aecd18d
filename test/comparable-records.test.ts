import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { formatDay } from '../src/domain/day.ts';
import { previewChallenge } from '../src/operations/past/challenges.ts';
import { NO_CHANGES } from '../src/operations/property/gather-changes.ts';
import { readComparableRecords } from '../src/operations/past/past-valuations.ts';
import { attributesOf } from '../src/domain/property.ts';
import type { Json } from './json.ts';
import { AS_OF, county, onEveryEngine, postTo, startService, type TestService } from './service-fixture.ts';

const ASKED_ON = AS_OF - 20;
const SELF = { accountId: 'self' };
const house = county.sales.find(({ parcel }) => parcel.type === 'houses')?.parcel;
assert.ok(house);
const { lat, lon } = house;

async function valued(service: TestService): Promise<Json> {
  const { status, body } = await postTo(service, '/v1/avm/property', {
    location: { latitude: lat, longitude: lon },
    property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
    search_params: { num_comps: 20, date: formatDay(ASKED_ON) },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** From the files of the county, by a slow search. */
function priorSaleOf(compId: string): readonly [string, number] | null {
  const known = county.sales.filter(({ recordedOn }) => recordedOn <= ASKED_ON);
  const sold = known.find(({ recordId }) => recordId === compId);
  assert.ok(sold, compId);
  const [latest] = known
    .filter(({ parcel, soldOn }) => parcel === sold.parcel && soldOn < sold.soldOn)
    .toSorted((a, b) => b.soldOn - a.soldOn);
  return latest ? [formatDay(latest.soldOn), latest.priceUsd] : null;
}

const added = {
  location: { address: null, lat: lat + 0.002, lon, mapsPlace: null },
  priceUsd: 300_000,
  soldOn: ASKED_ON - 40,
  propertyType: null,
  attributes: attributesOf({ garageSpaces: 7, hasPool: 1 }),
};

async function recordTests(t: TestContext, service: TestService): Promise<void> {
  const body = await valued(service);
  const { valuation_id: id } = body.valuation;

  await t.test('the prior sale of a comparable is the latest one before it that was known', async () => {
    const { comparableRecords } = await readComparableRecords(service.operations, id, SELF);
    const prior = comparableRecords.map(({ compId, priorSale }) => [
      compId,
      priorSale && [priorSale.saleDate, priorSale.salePrice],
    ]);
    const expected = body.comparables.items.map(({ comp_id: compId }: Json) => [compId, priorSaleOf(compId)]);
    assert.ok(expected.some((one: Json) => one[1] !== null));
    assert.deepEqual(prior.toSorted(), expected.toSorted());
    await assert.rejects(readComparableRecords(service.operations, id, { accountId: 'acme' }), {
      code: 'not_found',
    });
  });

  await t.test('a preview names the known details of an added sale, and has the prior sales', async () => {
    const request = { facts: null, note: null, appeal: {}, warnings: [], search: null };
    const changes = { ...NO_CHANGES, added: [added] };
    const preview = await previewChallenge(service.operations, id, { ...request, changes }, SELF);
    const records = new Map(preview.comparableRecords.map((record) => [record.compId, record]));
    assert.deepEqual(
      [...records.keys()].toSorted(),
      preview.comparables.items.map(({ compId }) => compId).toSorted(),
    );
    for (const [compId, { knownDetails, enteredDetails, priorSale }] of records) {
      if (compId === 'added-1') continue;
      assert.equal(knownDetails, null, compId);
      assert.deepEqual(enteredDetails, [], compId);
      assert.deepEqual(priorSale && [priorSale.saleDate, priorSale.salePrice], priorSaleOf(compId));
    }
    const known = records.get('added-1')?.knownDetails ?? [];
    assert.ok(known.includes('garage_spaces'), known.join());
    const item = preview.comparables.items.find(({ compId }) => compId === 'added-1');
    assert.deepEqual(
      records.get('added-1')?.enteredDetails.map(({ field, value }) => [field, value]),
      [
        ['property_type', item?.propertyType],
        ['has_pool', true],
        ['garage_spaces', 7],
      ],
      'what it can be added with again',
    );
    for (const [field, value] of [
      ['living_area', item?.livingArea],
      ['year_built', item?.yearBuilt],
      ['condition', item?.condition],
    ] as const)
      assert.equal(known.includes(field), typeof value === 'number', field);
  });
}

test('the console has the same facts of comparables as the report', async (t) => {
  await onEveryEngine(
    t,
    (engine) => startService(engine, ''),
    recordTests,
    async (services) => {
      const records = services.map(async (service) => {
        const { valuation_id: id } = (await valued(service)).valuation;
        return readComparableRecords(service.operations, id, SELF);
      });
      const [first, ...others] = await Promise.all(records);
      for (const other of others) assert.deepEqual(other, first);
    },
  );
});
