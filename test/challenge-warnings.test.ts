import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Json } from './json.ts';
import {
  AS_OF,
  county,
  getFrom,
  onEveryEngine,
  postTo,
  startService,
  type TestService,
} from './service-fixture.ts';
import { formatDay } from '../src/domain/day.ts';

test('a misspelled member of a challenge is named in its warnings, also when it is read again, or rejected', async (t) => {
  const named: string[][] = [];
  const tests = async (_: TestContext, service: TestService): Promise<void> => {
    const { address } = county.sales[0].parcel;
    const { body: valued } = await postTo(service, '/v1/avm/property', {
      location: { address: `${address.street}, ${address.city}` },
      search_params: { date: formatDay(AS_OF - 10) },
      property_fields: { total_bedrooms: 3, total_bathrooms: 2, colour: 'red' },
    });
    const path = `/v1/valuations/${valued.valuation.valuation_id}/challenge`;
    const misspelled = { excluded_comparables: [], property_fields: { living_aera: 2000 }, note: 'smaller' };
    const { status, body } = await postTo(service, path, misspelled);
    assert.equal(status, 200);
    const unknown = (of: Json): string[] =>
      of.valuation.warnings
        .filter(({ code }: Json) => code === 'unknown_member')
        .map(({ field }: Json) => field);
    // What the challenged request ignored stays ignored.
    assert.deepEqual(unknown(body), ['colour', 'excluded_comparables', 'living_aera']);
    const again = await getFrom(service, `/v1/valuations/${body.challenge.valuation_id}`);
    named.push(unknown(again.body));
    const strict = await postTo(service, path, misspelled, { prefer: 'handling=strict' });
    assert.equal(strict.status, 422);
  };
  await onEveryEngine(
    t,
    (engine) => startService(engine, ''),
    tests,
    async () => {
      assert.ok(named.length > 0);
      for (const each of named) assert.deepEqual(each, ['colour', 'excluded_comparables', 'living_aera']);
    },
  );
});
