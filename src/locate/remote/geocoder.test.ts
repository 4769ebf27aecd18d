import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { GeocoderKind } from '../../config.ts';
import { createOutbound } from '../../egress/outbound.ts';
import type { Outbound } from '../../egress/outbound-call.ts';
import { PlumblineError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { locateSubject } from '../locate-subject.ts';
import type { Geocoder, Located, Target } from '../located.ts';
import { openTestCounty } from '../../../test/harness/places/county.ts';
import { createGeocoder } from './geocoder.ts';

/** Responses in the form of both kinds of geocoder, including fields that are not read. */
const NOMINATIM_HOUSE = {
  place_id: 1,
  license: 'ODbL',
  lat: '43.0301',
  lon: '-88.0201',
  category: 'place',
  type: 'house',
  place_rank: 30,
  addresstype: 'place',
  display_name: '7, New Street, Riverton, Wisconsin, 53001, United States',
  address: {
    house_number: '7',
    road: 'New Street',
    city: 'Riverton',
    state: 'Wisconsin',
    'ISO3166-2-lvl4': 'US-WI',
    postcode: '53001-1234',
    country_code: 'us',
  },
  boundingbox: ['43.0300', '43.0302', '-88.0202', '-88.0200'],
};
const { house_number: _, ...roadOnly } = NOMINATIM_HOUSE.address;
const NOMINATIM_STREET = {
  ...NOMINATIM_HOUSE,
  place_rank: 26,
  addresstype: 'road',
  address: roadOnly,
};
const NOMINATIM_ZIP = {
  ...NOMINATIM_HOUSE,
  place_rank: 21,
  addresstype: 'postcode',
  address: { postcode: '53009', city: 'Riverton', state: 'Wisconsin' },
};
const CENSUS = {
  result: {
    input: { address: { address: '7 New St, Riverton, WI' }, benchmark: { isDefault: true } },
    addressMatches: [
      {
        tigerLine: { side: 'L', tigerLineId: '76355984' },
        coordinates: { x: -88.0201, y: 43.0301 },
        addressComponents: {
          zip: '53001',
          streetName: 'NEW',
          city: 'RIVERTON',
          state: 'WI',
          suffixType: 'ST',
        },
        matchedAddress: '7 NEW ST, RIVERTON, WI, 53001',
      },
    ],
  },
};
const ASKED = '7 New St, Riverton, WI';

describe('geocoder', () => {
  let store: Store;
  let status = 200;
  let answer: unknown;
  let asked: URL[] = [];
  let nowMs = 1_000_000;
  let troubles: string[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://geocoder.example'));
    if (answer === 'silence') return;
    response.writeHead(status, { 'content-type': 'application/json', location: 'http://169.254.169.254/' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });

  before(async () => {
    store = await engines[0].open();
    await openTestCounty(store);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await store.close();
  });
  beforeEach(() => {
    status = 200;
    asked = [];
    troubles = [];
  });

  const open = (kind: GeocoderKind, path = '/search?key=k', allowCidrs = ['127.0.0.0/8']): Geocoder => {
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const real = createOutbound({ allowCidrs, allowHttp: true });
    // A third of the timeout, for tests that wait for it.
    const outbound: Outbound = {
      ...real,
      request: (url, { timeoutMs = NaN, ...rest } = {}) =>
        real.request(url, { ...rest, timeoutMs: timeoutMs / 3 }),
    };
    return createGeocoder(
      { url: `http://127.0.0.1:${address.port}${path}`, kind, allowCidrs },
      { clock: () => new Date(nowMs), onTrouble: (sentence) => troubles.push(sentence), outbound },
    );
  };
  const locate = (geocoder: Geocoder | null, address: string, target: Target = 'home'): Promise<Located> =>
    locateSubject({ store, geocoder }, { address, lat: null, lon: null, mapsPlace: null }, target);
  const assertNotFound = async (
    geocoder: Geocoder | null,
    text = ASKED,
    target: Target = 'home',
  ): Promise<void> => {
    await assert.rejects(
      locate(geocoder, text, target),
      (error) => error instanceof PlumblineError && error.code === 'address_not_found',
    );
  };
  const codesOf = (located: Located): string[] => located.warnings.map((warning) => warning.code);

  test('a house found by Nominatim is located, with a warning that names the source', async () => {
    answer = [NOMINATIM_HOUSE];
    const located = await locate(open('nominatim'), ASKED);
    assert.deepEqual([located.lat, located.lon, located.matchLevel], [43.0301, -88.0201, 'address']);
    assert.equal(located.address?.formatted, '7 New Street, Riverton, WI 53001');
    assert.deepEqual(codesOf(located), ['address_from_geocoder']);
    const [{ searchParams }] = asked;
    assert.equal(searchParams.get('q'), ASKED);
    assert.deepEqual([searchParams.get('format'), searchParams.get('key')], ['jsonv2', 'k']);
  });

  test("the Census Bureau's response is a point along the street", async () => {
    answer = CENSUS;
    const located = await locate(open('census', '/geocoder/locations/onelineaddress?benchmark=4'), ASKED);
    assert.deepEqual([located.lat, located.lon, located.matchLevel], [43.0301, -88.0201, 'interpolated']);
    assert.equal(located.address?.formatted, '7 NEW ST, RIVERTON, WI 53001');
    assert.deepEqual(codesOf(located), ['address_interpolated', 'address_from_geocoder']);
    assert.match(located.warnings[0].message, /placed along its street/);
    assert.equal(located.parcelId, null);
    const [{ pathname, searchParams }] = asked;
    assert.equal(pathname, '/geocoder/locations/onelineaddress');
    assert.deepEqual([searchParams.get('address'), searchParams.get('benchmark')], [ASKED, '4']);
  });

  test('no request is sent for addresses in the index, or without a geocoder', async () => {
    answer = [NOMINATIM_HOUSE];
    const geocoder = open('nominatim');
    for (const text of ['100 N Lake Dr, Riverton', '204 Ridge Rd, Riverton']) await locate(geocoder, text);
    await assertNotFound(geocoder, '100 Lake Dr, Riverton, WI');
    await locateSubject({ store, geocoder }, { address: ASKED, lat: 43, lon: -88, mapsPlace: null });
    await assertNotFound(null);
    assert.equal(asked.length, 0);
  });

  test('a text is sent once a day for any number of callers', async () => {
    answer = [NOMINATIM_HOUSE];
    const geocoder = open('nominatim');
    const all = await Promise.all([ASKED, ASKED.toUpperCase(), ASKED].map((text) => locate(geocoder, text)));
    for (const located of all) assert.deepEqual(located, all[0]);
    answer = [];
    await assertNotFound(geocoder, '9 New St, Riverton, WI');
    await assertNotFound(geocoder, '9 New St, Riverton, WI');
    assert.equal(asked.length, 2);
    nowMs += 25 * 3_600_000;
    await assertNotFound(geocoder);
    assert.equal(asked.length, 3);
  });

  test('a response in another state, town or house is not used as the requested one', async () => {
    const withAddress = (change: object): unknown => [
      { ...NOMINATIM_HOUSE, address: { ...NOMINATIM_HOUSE.address, ...change } },
    ];
    answer = withAddress({ 'ISO3166-2-lvl4': 'US-IL' });
    await assertNotFound(open('nominatim'));
    answer = withAddress({ city: 'Otherton', postcode: '59999' });
    await assertNotFound(open('nominatim'));
    answer = withAddress({ house_number: '70' });
    await assertNotFound(open('nominatim'));
    assert.equal((await locate(open('nominatim'), ASKED, 'area')).matchLevel, 'street');
  });

  test('a street or ZIP from a geocoder locates areas, and homes only if the street is short', async () => {
    answer = [NOMINATIM_STREET];
    const street = await locate(open('nominatim'), 'New St, Riverton, WI');
    assert.deepEqual([street.matchLevel, street.accuracyM], ['street', 14]);
    answer = [{ ...NOMINATIM_STREET, boundingbox: ['43.0', '43.1', '-88.1', '-88.0'] }];
    await assertNotFound(open('nominatim'), 'New St, Riverton, WI');
    answer = [NOMINATIM_ZIP];
    const zip = await locate(open('nominatim'), '7 New St, Riverton, WI 53009', 'area');
    assert.deepEqual(codesOf(zip), ['address_postal_code_level', 'address_from_geocoder']);
    assert.equal(zip.address?.formatted, 'Riverton, WI 53009');
    await assertNotFound(open('nominatim'), '7 New St, Riverton, WI 53009');
  });

  test('unusable responses have the same result as no geocoder', async () => {
    const house = NOMINATIM_HOUSE;
    for (const nonsense of [
      [],
      {},
      null,
      7,
      [null],
      [{ ...house, lat: 'NaN' }],
      [{ ...house, lat: '91' }],
      [{ ...house, lon: '-181' }],
      [{ ...house, lat: null }],
      [{ ...house, lat: '1e999' }],
      [{ ...house, address: null }],
      [{ ...house, address: { house_number: { toString: 'x' } } }],
      [{ ...house, address: { country: 'Atlantis' }, place_rank: 4, addresstype: 'country' }],
      CENSUS,
    ]) {
      answer = nonsense;
      await assertNotFound(open('nominatim'));
    }
    const [match] = CENSUS.result.addressMatches;
    for (const nonsense of [
      [],
      {},
      { result: null },
      { result: { addressMatches: {} } },
      { result: { addressMatches: [{ ...match, coordinates: { x: -88, y: 'north' } }] } },
      { result: { addressMatches: [{ ...match, coordinates: { x: -88, y: 91 } }] } },
      { result: { addressMatches: [{ ...match, matchedAddress: 7 }] } },
    ]) {
      answer = nonsense;
      await assertNotFound(open('census'));
    }
    assert.deepEqual(troubles, []);
  });

  test('a failing geocoder is reported once, not called for a while, and fails no request', async () => {
    const cases: [unknown, number, RegExp][] = [
      ['<html>', 200, /not JSON/],
      ['x'.repeat(70_000), 200, /longer than/],
      [[], 500, /status 500/],
      [[], 302, /status 302/],
      [[], 429, /status 429/],
    ];
    for (const [body, code, expected] of cases) {
      [answer, status, troubles, asked] = [body, code, [], []];
      const geocoder = open('nominatim');
      await assertNotFound(geocoder);
      await assertNotFound(geocoder, '9 New St, Riverton, WI');
      assert.equal(asked.length, 1);
      assert.equal(troubles.length, 1);
      assert.match(troubles[0], expected);
      assert.ok(!troubles[0].includes('New St'), 'no address in logs');
      [answer, status] = [[NOMINATIM_HOUSE], 200];
      nowMs += 29_000;
      await assertNotFound(geocoder);
      nowMs += 2000;
      assert.equal((await locate(geocoder, ASKED)).matchLevel, 'address');
    }
  });

  test('a geocoder in a private network needs its range allowed, and one that never responds times out', async () => {
    answer = [NOMINATIM_HOUSE];
    await assertNotFound(open('nominatim', '/search', []));
    assert.match(troubles[0], /not a public address/);
    assert.equal(asked.length, 0);
    answer = 'silence';
    await assertNotFound(open('nominatim'));
    assert.match(troubles[1], /did not respond within 1 s/);
  });
});
