import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay } from '../src/domain/day.ts';
import { train } from '../src/operations/training/train.ts';
import { quickJobs } from './cached-jobs.ts';
import { engines } from './harness/store/engines.ts';
import type { Json } from './json.ts';
import { AS_OF, county, MARKET_ID, postTo, startService, withSampleFiles } from './service-fixture.ts';

/** The county's other models are trained on AS_OF − 30. */
const TRAINED_ON = AS_OF - 250;
const plex = county.parcels.find(({ type }) => type === 'small_multifamily');
assert.ok(plex);
const location = { latitude: plex.lat, longitude: plex.lon };

const REQUESTS: Readonly<Record<string, Json>> = {
  property: { location, property_fields: { total_bedrooms: 4, total_bathrooms: 2, living_area: 2200 } },
  rental: { location, property_fields: { units: [{ bedrooms: 2, bathrooms: 1 }] } },
  multifamily: {
    location,
    property_fields: { total_units: 2, bedrooms: 4, bathrooms: 2, living_area: 2200 },
  },
};

for (const engine of engines) {
  test(`${engine.name}: values of every kind by a model much older than its data have a warning, and ranges that do not narrow`, async () => {
    await withSampleFiles(async (_, dir) => {
      const service = await startService(engine, dir, { hasRents: true });
      const { store, clock } = service.operations;
      const deps = { store, clock, runJobs: quickJobs(0.1) };
      await train(deps, { marketId: MARKET_ID, trainedOn: TRAINED_ON, kind: null }, () => {});
      await new Promise((resolve) => setTimeout(resolve, 1100)); // the market list is cached for a second
      for (const [kind, request] of Object.entries(REQUESTS)) {
        const valued = async (day: number): Promise<Json> => {
          const search_params = { date: formatDay(day) };
          const { status, body } = await postTo(service, `/v1/avm/${kind}`, { ...request, search_params });
          assert.equal(status, 200, JSON.stringify(body));
          return body.valuation;
        };
        const codes = ({ warnings }: Json): string[] => warnings.map(({ code }: Json) => code);
        const [fresh, old] = [await valued(TRAINED_ON + 1), await valued(AS_OF - 31)];
        assert.ok(!codes(fresh).includes('stale_model'), kind);
        const warning = old.warnings.find(({ code }: Json) => code === 'stale_model');
        assert.match(warning?.message ?? '', new RegExp(`up to ${formatDay(TRAINED_ON)}, \\d{3} days`), kind);
        assert.equal(warning.field, 'date');
        assert.ok(!codes(old).includes('stale_market'), kind);
        assert.ok(old.fsd >= fresh.fsd, `${kind}: ${fresh.fsd} → ${old.fsd}`);
      }
      await service.close();
    });
  });
}
