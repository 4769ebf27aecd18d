import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '../../api/problem.ts';
import type { DescribedHome, Valued } from '../../api/valuations.ts';
import { originalValue, requestValue, type RequestDeps } from './request-value.ts';
import { EMPTY_REQUEST, type ValueRequest } from './value-request.ts';

const HOME: ValueRequest = { ...EMPTY_REQUEST, where: { latitude: 42, longitude: -101 } };

/** A server whose record has two bedrooms until a sale of 2026 records four. It keeps the requests. */
function server() {
  const described: unknown[] = [];
  const bodies: unknown[] = [];
  const valued: Valued = JSON.parse('{"kind": "home", "response": {}}');
  const describe = (body: unknown): Promise<DescribedHome> => {
    described.push(body);
    const isEarly = JSON.stringify(body).includes('"date":"2025-');
    const rooms = { total_bedrooms: isEarly ? 2 : 4, total_bathrooms: 1 };
    const inputs = Object.entries(rooms).map(([field, value]) => ({
      field,
      value,
      source: 'record' as const,
      support: null,
    }));
    const response: DescribedHome = JSON.parse(JSON.stringify({ inputs }));
    return Promise.resolve(response);
  };
  const value = (body: unknown): Promise<Valued> => {
    bodies.push(body);
    return Promise.resolve(valued);
  };
  const deps: RequestDeps = {
    describe,
    value: { home: value, rent: value, building: value },
    problemOf: () => ({ code: 'unknown' }),
    known: new Map(),
  };
  return { deps, described, bodies };
}

const fieldsOf = (body: unknown): unknown => JSON.parse(JSON.stringify(body)).property_fields;
const { signal } = new AbortController();

test('the details of the record are never sent as if the user had entered them', async () => {
  const { deps, bodies } = server();
  await requestValue(deps, HOME, signal);
  await requestValue(deps, { ...HOME, fields: { living_area: 1500 } }, signal);
  assert.deepEqual(bodies.map(fieldsOf), [{}, { living_area: 1500 }]);
});

test('the request for programs is completed from the records as of its date, never from later ones', async () => {
  const { deps } = server();
  const roomsOn = async (date: string | null): Promise<unknown> =>
    (await requestValue(deps, { ...HOME, date }, signal)).complete.request.fields.total_bedrooms;
  assert.deepEqual([await roomsOn(null), await roomsOn('2025-03-31'), await roomsOn(null)], [4, 2, 4]);
});

test('a location is described once per date, and entered details apply to every date', async () => {
  const { deps, described, bodies } = server();
  const said = { ...HOME, fields: { total_bedrooms: 3 } };
  for (const date of ['2025-03-31', null, '2025-03-31'])
    await requestValue(deps, { ...said, date }, signal, 0);
  assert.equal(described.length, 2);
  assert.deepEqual(fieldsOf(bodies[0]), { total_bedrooms: 3 });
});

test('a building is not valued while a required detail is unknown', async () => {
  const { deps, bodies } = server();
  const { valued, complete } = await requestValue(deps, { ...HOME, kind: 'building' }, signal);
  assert.equal(valued, null);
  assert.deepEqual(complete.missing, ['bedrooms', 'bathrooms', 'total_units']);
  assert.deepEqual(bodies, []);
});

test('the original of a home has none of the entered details, and can be missing only where no model values it', async () => {
  const { deps, bodies } = server();
  const said = { ...HOME, date: '2026-01-31', fields: { living_area: 1500 } };
  assert.ok(await originalValue(deps, said, signal));
  assert.deepEqual(bodies.map(fieldsOf), [{}]);
  assert.equal(await originalValue(deps, { ...said, kind: 'rent' }, signal), null);
  const failing = (code: Problem['code']): RequestDeps => ({
    ...deps,
    value: { ...deps.value, home: () => Promise.reject(new Error(code ?? 'none')) },
    problemOf: () => ({ code }),
  });
  assert.equal(await originalValue(failing('insufficient_data'), said, signal), null);
  await assert.rejects(originalValue(failing('unavailable'), said, signal));
});
