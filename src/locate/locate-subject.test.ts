import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import { geohash8 } from '../geo/geohash.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { locateSubject } from './locate-subject.ts';
import type { Located, LocationRequest } from './located.ts';
import type { AddressCandidate } from './located.ts';
import { readMapsResponse } from './remote/geocoder-responses.ts';
import { editDistance } from '../domain/edit-distance.ts';
import { openTestCounty } from '../../test/harness/places/county.ts';

const NOWHERE: LocationRequest = { address: null, lat: null, lon: null, mapsPlace: null };

for (const engine of engines) {
  describe(engine.name, () => {
    let store: Store;
    before(async () => {
      store = await engine.open();
      await openTestCounty(store);
    });
    after(() => store.close());

    const locate = (request: Partial<LocationRequest>): Promise<Located> =>
      locateSubject({ store }, { ...NOWHERE, ...request });
    const at = async (address: string): Promise<Located> => locate({ address });
    const rejection = async (request: Partial<LocationRequest>): Promise<PlumblineError> => {
      const error: unknown = await locate(request).then(
        () => assert.fail(`located ${JSON.stringify(request)}`),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof PlumblineError, String(error));
      return error;
    };
    const candidatesOf = async (address: string): Promise<string[]> => {
      const error = await rejection({ address });
      assert.equal(error.code, 'address_not_found');
      assert.ok(!/undefined|null/.test(error.message), error.message);
      const candidates = error.members.candidates as readonly AddressCandidate[];
      assert.ok(candidates.length <= 10);
      return candidates.map((candidate) => candidate.formattedAddress);
    };
    const codesOf = (located: Located): string[] => located.warnings.map((warning) => warning.code);

    test('an address is found in any spelling, with the coordinates of the address file', async () => {
      for (const address of [
        '100 N Lake Dr',
        '100 north lake drive, riverton, wi 53001',
        '100 N. LAKE DRIVE RIVERTON WI',
        '100 Lake Dr N, Riverton, Wisconsin 53001-1234, USA',
      ]) {
        const located = await at(address);
        assert.deepEqual([located.lat, located.lon], [43, -88], address);
        assert.equal(located.parcelId, 'P100N');
        assert.equal(located.geohash8, geohash8(43, -88));
        assert.deepEqual(located.address, {
          formatted: '100 N LAKE DR, Riverton, WI',
          street: '100 N LAKE DR',
          city: 'Riverton',
          stateCode: 'WI',
          postalCode: '',
        });
        assert.deepEqual(located.warnings, []);
      }
    });

    test('a building is found by its listing, and by a sale if there is one', async () => {
      const found = await at('5 Loft St #3, Loftville, IA');
      assert.deepEqual([found.lat, found.lon, found.parcelId], [42.001, -91, 'L5']);
      assert.equal((await at('9 Loft St, Loftville, IA')).lat, 42.0021);
    });

    test('a requested unit is preferred; an unknown one gives its building with a warning', async () => {
      const unit = await at('102 N Lake Dr Apt B, Riverton');
      assert.equal(unit.matchedPoint?.key.unit, 'B');
      assert.equal(unit.parcelId, 'P102B');
      assert.deepEqual(unit.warnings, []);
      const building = await at('102 N Lake Dr, Riverton');
      assert.equal(building.matchedPoint?.key.unit, '');
      const unknown = await at('102 N Lake Dr #Z, Riverton');
      assert.equal(unknown.matchedPoint?.key.unit, '');
      assert.deepEqual(codesOf(unknown), ['unit_not_found']);
    });

    test('a building of condominiums without a requested unit has no parcel', async () => {
      assert.equal((await at('9 Tower Ct, Riverton')).parcelId, null);
      assert.equal((await at('9 Tower Ct #2, Riverton')).parcelId, 'PT2');
    });

    test('an address that matches several places is rejected, and all of them are candidates', async () => {
      const candidates = await candidatesOf('100 Lake Dr, Riverton, WI');
      assert.deepEqual(candidates.slice(0, 2), [
        '100 N LAKE DR, Riverton, WI',
        '100 S LAKE DR, Riverton, WI',
      ]);
      assert.equal((await at('100 Lake Dr, Riverton, WI 53002')).parcelId, 'P100S');
    });

    test('an address in another city or state never matches a street of the same name', async () => {
      assert.deepEqual(await candidatesOf('100 N Lake Dr, Chicago, IL'), []);
      assert.ok((await candidatesOf('100 N Lake Dr, Madison, WI')).includes('100 N LAKE DR, Riverton, WI'));
      assert.equal((await at('55 Mill St, Hillton, WA')).parcelId, 'H55');
      assert.equal((await at('55 Mill St, Riverton, WI')).parcelId, 'PMILL');
      assert.equal((await at('12 Pine St 98009')).parcelId, 'F12');
      const otherZip = await at('12 Pine St, Farton, WA 99999');
      assert.deepEqual([otherZip.parcelId, codesOf(otherZip)], ['F12', ['postal_code_differs']]);
      await candidatesOf('12 Pine St, WA');
    });

    test('a city across the border matches if its addresses are around', async () => {
      assert.equal((await at('14 Pine St, Hillton, WA')).parcelId, 'B14');
    });

    test('if a publisher has different points for one address, the point of most rows is used', async () => {
      assert.equal((await at('80 Plaza Way, Hillton, WA')).lat, 47.002);
      assert.equal((await at('81 Plaza Way, Hillton, WA')).lat, 47.002);
      assert.equal((await candidatesOf('82 Plaza Way, Hillton, WA')).length, 2);
    });

    test('another direction is a suggestion, another street type a match with a warning', async () => {
      assert.deepEqual(await candidatesOf('102 S Lake Dr, Riverton, WI'), [
        '102 N LAKE DR, Riverton, WI',
        '102 N LAKE DR #A, Riverton, WI',
        '102 N LAKE DR #B, Riverton, WI',
        '100 S LAKE DR, Riverton, WI',
        '100 N LAKE DR, Riverton, WI',
      ]);
      const approximate = await at('12 Keefe St, Riverton, WI');
      assert.equal(approximate.matchedPoint?.address.street, '12 KEEFE AV');
      assert.deepEqual(codesOf(approximate), ['address_approximate']);
      assert.deepEqual(codesOf(await at('31A Elm Terrace')), []);
    });

    test('a number far from every known one or a misspelled street suggests its neighbors', async () => {
      assert.ok((await candidatesOf('300 N Lake Dr, Riverton')).includes('102 N LAKE DR, Riverton, WI'));
      for (const text of ['12 Keeffe Ave, Riverton', '12 Keefe Avve, Riverton'])
        assert.deepEqual(await candidatesOf(text), ['12 KEEFE AV, Riverton, WI'], text);
      for (const text of [
        '',
        '   ',
        'Riverton',
        'Lake Dr',
        '#',
        '\u0000',
        '💥'.repeat(5000),
        'x'.repeat(10_000),
      ]) {
        assert.deepEqual(await candidatesOf(text), [], text.slice(0, 20));
      }
    });

    test('without a comma after the street, the interpretation that exists in the index is used', async () => {
      assert.equal((await at('7 BROADWAY RIVERTON WI 53001')).matchedPoint?.address.street, '7 BROADWAY');
    });

    test('coordinates locate and the address is displayed, with a warning if they are far apart', async () => {
      const near = await locate({ address: '100 n lake dr, riverton', lat: 43.0002, lon: -88 });
      assert.deepEqual([near.lat, near.lon, near.parcelId], [43.0002, -88, 'P100N']);
      assert.equal(near.address?.formatted, '100 n lake dr, riverton');
      assert.deepEqual(near.warnings, []);
      const far = await locate({ address: '100 n lake dr, riverton', lat: 43.05, lon: -88.05 });
      assert.deepEqual([far.lat, far.lon], [43.05, -88.05]);
      assert.deepEqual(codesOf(far), ['location_mismatch']);
      assert.notEqual(far.parcelId, 'P100N');
      const neighbor = await locate({ address: '12 Keefe Ave, Riverton', lat: 43, lon: -88 });
      assert.deepEqual([neighbor.parcelId, codesOf(neighbor)], ['P100N', ['address_on_other_parcel']]);
      const unknown = await locate({ address: '1 Nowhere Rd', lat: 43.05, lon: -88.05 });
      assert.equal(unknown.address?.formatted, '1 Nowhere Rd');
    });

    test('coordinates get the nearest parcel only if no other could be meant', async () => {
      assert.equal((await locate({ lat: 43.05, lon: -88.05 })).parcelId, 'PX');
      assert.equal((await locate({ lat: 43.0501, lon: -88.05 })).parcelId, null, 'half-way between two');
      assert.equal((await locate({ lat: 43.06, lon: -88.05 })).parcelId, null, 'two on one point');
      assert.equal((await locate({ lat: 43.07, lon: -88.05 })).parcelId, null, 'none near');
      assert.equal((await locate({ lat: 43.001, lon: -88.00401 })).address?.street, '12 KEEFE AV');
      assert.equal((await locate({ lat: 10, lon: 10 })).address, null);
      assert.equal((await at('12 Keefe Ave, Riverton')).parcelId, 'P12');
    });

    test('a polygon gives the parcel of a wide lot; beside a neighbor’s point it is not proof', async () => {
      const parcelsAt = async (lat: number, ...parcelIds: string[]) =>
        (
          await locateSubject(
            { store, parcelsContaining: async () => parcelIds },
            { ...NOWHERE, lat, lon: -88.05 },
          )
        ).parcels.map((group) => group.parcelIds.join());
      assert.deepEqual(await parcelsAt(43.07, 'FARM'), ['FARM']);
      assert.deepEqual(await parcelsAt(43.05, 'PX'), ['PX']);
      assert.deepEqual(await parcelsAt(43.0501, 'PX'), ['PX', 'PY']);
      assert.deepEqual(await parcelsAt(43.05, 'PY'), ['PY', 'PX']);
      assert.deepEqual(await parcelsAt(43.06, 'C1', 'C2'), ['C1,C2']);
    });

    test('a geocoder result replaces geocoding; anything else is ignored with a warning', async () => {
      const result = {
        formatted_address: '100 N Lake Dr, Riverton, WI 53001, USA',
        geometry: { location: { lat: 43.0003, lng: -88.0002 } },
        address_components: [
          { long_name: '100', short_name: '100', types: ['street_number'] },
          { long_name: 'North Lake Drive', short_name: 'N Lake Dr', types: ['route'] },
          { long_name: 'Riverton', short_name: 'Riverton', types: ['locality', 'political'] },
          { long_name: 'Wisconsin', short_name: 'WI', types: ['administrative_area_level_1'] },
          { long_name: '53001', short_name: '53001', types: ['postal_code'] },
        ],
      };
      const mapsPlace = readMapsResponse({ results: [result], status: 'OK' });
      const located = await locate({ mapsPlace });
      assert.deepEqual([located.lat, located.lon], [43.0003, -88.0002]);
      assert.deepEqual(located.address, {
        formatted: '100 N Lake Dr, Riverton, WI 53001, USA',
        street: '100 N Lake Dr',
        city: 'Riverton',
        stateCode: 'WI',
        postalCode: '53001',
      });
      assert.equal((await locate({ address: '1 Nowhere Rd', mapsPlace })).lat, 43.0003);
      const far = await locate({ lat: 43.05, lon: -88.05, mapsPlace });
      assert.deepEqual([far.lat, codesOf(far)], [43.05, ['location_mismatch']]);
      assert.deepEqual(codesOf(located), []);
      const { location } = result.geometry;
      for (const [members, codes] of [
        [{ geometry: { location, location_type: 'ROOFTOP' } }, []],
        [{ geometry: { location, location_type: 'GEOMETRIC_CENTER' } }, ['maps_location_approximate']],
        [{ partial_match: true }, ['maps_location_approximate']],
      ] as const) {
        const uncertain = readMapsResponse({ results: [{ ...result, ...members }] });
        assert.deepEqual(codesOf(await locate({ mapsPlace: uncertain })), codes);
      }
      const { formatted_address: _formatted, ...parts } = result;
      const unformatted = await locate({ mapsPlace: readMapsResponse({ results: [parts] }) });
      assert.equal(unformatted.address?.postalCode, '53001');
      const subpremise = { ...result, formatted_address: '100 N Lake Dr #4, Riverton, WI 53001' };
      const named = { mapsPlace: readMapsResponse({ results: [subpremise] }) };
      assert.equal((await locate({ ...named, address: '100 N Lake Dr' })).unit, '4');
      assert.equal((await locate({ ...named, address: '100 N Lake Dr #2' })).unit, '2');
      const padded = { results: [{ ...result, padding: 'x'.repeat(70_000) }] };
      const wrong = { results: [{ geometry: { location: { lat: 91, lng: 0 } } }] };
      for (const other of [
        {},
        { results: [] },
        { results: [{ geometry: { location: { lat: '43', lng: -88 } } }] },
        wrong,
        padded,
        [],
        7,
      ]) {
        const mapsPlace = readMapsResponse(other);
        const ignored = await locate({ address: '100 N Lake Dr, Riverton', mapsPlace });
        assert.deepEqual(codesOf(ignored), ['maps_response_ignored']);
        assert.equal(ignored.lat, 43);
      }
      assert.equal((await rejection({ mapsPlace: readMapsResponse({}) })).code, 'bad_request');
    });
  });
}

test('edit distance counts letters added, dropped and changed, and gives up early', () => {
  assert.equal(editDistance('KEEFE', 'KEEFE', 2), 0);
  assert.equal(editDistance('KEEFE', 'KEEFFE', 2), 1);
  assert.equal(editDistance('KEEFE', 'KEFEE', 2), 2);
  assert.ok(editDistance('KEEFE', 'BROADWAY', 2) > 2);
});
