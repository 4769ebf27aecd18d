import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { casesOf } from './harness/cases.ts';
import { formatDay } from '../src/domain/day.ts';
import type { SampleParcel } from '../src/load/sample-county/homes.ts';
import type { Json } from './json.ts';
import { AS_OF, comparable, type TestService } from './service-fixture.ts';

/** The member is null in one of `freq` requests. */
export const nullable = <Value>(value: fc.Arbitrary<Value>, freq = 4): fc.Arbitrary<Value | null> =>
  fc.option(value, { freq });

/** Members that requests for homes, rents and buildings share: where, and which comparables to search. */
export function anyPlaceAndSearch(parcels: readonly SampleParcel[]) {
  return {
    location: fc
      .integer({ min: 0, max: parcels.length - 1 })
      .map((i) => ({ latitude: parcels[i].lat, longitude: parcels[i].lon })),
    search_params: fc.record({
      num_comps: fc.integer({ min: 0, max: 20 }),
      radius_mi: fc.constantFrom(0.1, 0.5, 5, 10),
      lookback_months: nullable(fc.integer({ min: 1, max: 36 })),
      date: fc.integer({ min: AS_OF - 29, max: AS_OF }).map(formatDay),
    }),
  };
}

/** Every service must give the same response to the same request, but for ids and times. */
export async function assertSameResponses<Request>(
  services: readonly TestService[],
  requests: fc.Arbitrary<Request>,
  post: (service: TestService, request: Request) => Promise<Json>,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const [first, ...others] = await Promise.all(services.map((service) => post(service, request)));
      for (const other of others) assert.equal(comparable(other), comparable(first));
    }),
    { numRuns: casesOf(numRuns) },
  );
}

export function assertRising(values: readonly number[]): void {
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  );
}
