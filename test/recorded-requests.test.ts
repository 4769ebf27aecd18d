import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multifamilyOf, propertyOf } from '../src/api/endpoints/valuations.ts';
import { formatDay } from '../src/domain/day.ts';
import type { SampleParcel } from '../src/load/sample-county/homes.ts';
import { value } from '../src/operations/value.ts';
import { AS_OF, county, onEveryEngine, runsOn, startService, type TestService } from './service-fixture.ts';

const reading = { today: AS_OF, isStrict: false };
const caller = { accountId: 'self', keyId: null };

function bodyOf({ lat: latitude, lon: longitude }: SampleParcel, property_fields: object) {
  const search_params = { num_comps: 0, date: formatDay(AS_OF) };
  return { location: { latitude, longitude }, search_params, property_fields };
}

/** Everything but the id and where the inputs come from. */
function figuresOf({ valuation }: { readonly valuation: object }): object {
  return JSON.parse(
    JSON.stringify({ ...valuation, valuationId: null }, (name, member: unknown) =>
      name === 'source' ? undefined : member,
    ),
  );
}

function sourcesOf({
  valuation,
}: {
  valuation: { inputs: readonly { readonly field: string; readonly source: string }[] };
}) {
  return new Map(valuation.inputs.map(({ field, source }) => [field, source]));
}

/** What the console leaves out must have the value and the source of the record, not of the request. */
test('a request without rooms takes them from the record, and says so', async (t) => {
  await onEveryEngine(
    t,
    (engine) => startService(engine, ''),
    async (t, service) => {
      const { operations } = service;
      const parcels = county.parcels.filter(
        ({ attributes: { bedrooms, bathrooms } }) => bedrooms !== null && bathrooms !== null,
      );

      await t.test('a home', async () => {
        let recorded = 0;
        for (const parcel of parcels.filter(({ type }) => type === 'houses').slice(0, runsOn(service, 40))) {
          const valued = async (fields: object) =>
            (await value(operations, 'property', propertyOf(bodyOf(parcel, fields), reading, []), caller))
              .response;
          const plain = await valued({});
          const sources = sourcesOf(plain);
          assert.ok(![...sources.values()].includes('request'));
          if (sources.get('total_bedrooms') !== 'record' || sources.get('total_bathrooms') !== 'record')
            continue;
          recorded++;
          const inputs = new Map(plain.valuation.inputs.map(({ field, value }) => [field, value]));
          const rooms = ['total_bedrooms', 'total_bathrooms'].map((name) => [name, inputs.get(name)]);
          assert.deepEqual(figuresOf(await valued(Object.fromEntries(rooms))), figuresOf(plain));
        }
        assert.ok(recorded >= runsOn(service, 40) / 2, `${recorded} homes have recorded rooms`);
      });

      await t.test('a building', async () => {
        const buildings = parcels.filter(({ type }) => type === 'small_multifamily');
        for (const parcel of buildings.slice(0, runsOn(service, 10))) {
          const valued = async (fields: object) =>
            (
              await value(
                operations,
                'multifamily',
                multifamilyOf(bodyOf(parcel, fields), reading, []),
                caller,
              )
            ).response;
          const plain = await valued({});
          const sources = sourcesOf(plain);
          assert.deepEqual([sources.get('total_units'), sources.get('property_type')], ['record', 'record']);
          const { totalUnits } = plain.valuation;
          assert.deepEqual(figuresOf(await valued({ total_units: totalUnits })), figuresOf(plain));
        }
        const [house] = parcels.filter(({ type }) => type === 'houses');
        const request = multifamilyOf(bodyOf(house, {}), reading, []);
        await assert.rejects(value(operations, 'multifamily', request, caller), {
          code: 'insufficient_data',
        });
      });
    },
    async (_services: readonly TestService[]) => {},
  );
});
