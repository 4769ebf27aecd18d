import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay } from '../src/domain/day.ts';
import { engines } from './harness/store/engines.ts';
import type { Json } from './json.ts';
import { AS_OF, county, postTo, startService, type TestService } from './service-fixture.ts';

const HOMES = county.parcels.filter(({ type }) => type === 'houses').slice(0, 3);

/** Values and rents in turns, without what differs between any two valuations. */
async function valuesOf(service: TestService): Promise<Json[]> {
  const values: Json[] = [];
  for (const { address } of HOMES) {
    const search = { num_comps: 5, date: formatDay(AS_OF - 5) };
    const location = { address: `${address.street}, ${address.city}` };
    const fields = { property: { beds: 3, baths: 2 }, rental: { units: [{ bedrooms: 2, bathrooms: 1 }] } };
    for (const [kind, property_fields] of Object.entries(fields)) {
      const request = { location, property_fields, search_params: search };
      const { status, body } = await postTo(service, `/v1/avm/${kind}`, request);
      assert.equal(status, 200, JSON.stringify(body));
      const { valuation_id: _id, created_at: _at, ...valuation } = body.valuation;
      values.push({ ...body, valuation, request_id: null });
    }
  }
  return values;
}

for (const engine of engines) {
  test(`${engine.name}: a server whose memory holds a part of a market answers as one that holds all`, async (t) => {
    const open = async (marketMemoryBytes: number): Promise<TestService> => {
      const service = await startService(engine, '', { hasRents: true, threads: 2, marketMemoryBytes });
      t.after(service.close);
      return service;
    };
    // All parts take 2.8 MB, and files four times the memory: all are dropped, kept and read again.
    const dropping = await valuesOf(await open(1e6));
    const keeping = await valuesOf(await open(1e9));
    assert.deepEqual(dropping, keeping);
  });
}
