import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILE_READERS } from '../src/api/endpoints/batch-request.ts';
import { METERS_PER_MILE, milesPerDegree } from '../src/geo/distance.ts';
import type { SampleParcel } from '../src/load/sample-county/homes.ts';
import { value } from '../src/operations/value.ts';
import { seededRandom } from '../src/valuation/random.ts';
import type { Json } from './json.ts';
import {
  AS_OF,
  county,
  onEveryEngine,
  postTo,
  runsOn,
  startService,
  type TestService,
} from './service-fixture.ts';
import { formatDay } from '../src/domain/day.ts';

const ONE_BED = { total_bedrooms: 1, total_bathrooms: 1 };
const SEARCH = { num_comps: 0, date: formatDay(AS_OF) };

const random = seededRandom(15);
/** In a random order that is the same in every run. */
const parcels = county.parcels
  .map((parcel) => ({ parcel, at: random() }))
  .sort((a, b) => a.at - b.at)
  .map(({ parcel }) => parcel);
const buildings = parcels.filter(({ type }) => type === 'multifamily' || type === 'small_multifamily');
const condos = parcels.filter(({ type }) => type === 'condos');
const houses = parcels.filter(({ type, attributes }) => type === 'houses' && attributes.bedrooms !== null);

function textOf({ address }: SampleParcel, unit = ''): string {
  return `${address.street}${unit}, ${address.city}, ${address.stateCode} ${address.postalCode}`;
}

const doorOf = ({ address }: SampleParcel): string => address.street.replace(/ #.*/, '');

function codesOf({ valuation }: Json): string[] {
  return valuation.warnings.map(({ code }: Json) => code);
}

/** What the value took from a record: field and value. */
function recordOf({ valuation }: Json): Map<string, unknown> {
  const inputs = valuation.inputs.filter(({ source }: Json) => source === 'record');
  return new Map(inputs.map(({ field, value }: Json) => [field, value]));
}

async function valued(
  service: TestService,
  location: object,
  fields: object = ONE_BED,
  url = '/v1/avm/property',
): Promise<Json> {
  const { status, body } = await postTo(service, url, {
    location,
    property_fields: fields,
    search_params: SEARCH,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** A point at a distance in a random direction. */
function pointNear({ lat, lon }: SampleParcel, meters: number, direction: number) {
  const perDegree = milesPerDegree(lat);
  const miles = meters / METERS_PER_MILE;
  return {
    latitude: lat + (miles * Math.cos(2 * Math.PI * direction)) / perDegree.lat,
    longitude: lon + (miles * Math.sin(2 * Math.PI * direction)) / perDegree.lon,
  };
}

function stated({ attributes }: SampleParcel) {
  return { total_bedrooms: attributes.bedrooms, total_bathrooms: attributes.bathrooms };
}

test('the right property is valued', async (t) => {
  await onEveryEngine(
    t,
    (engine) => startService(engine, '', { hasRents: true }),
    async (t, service) => {
      await t.test('a unit of a rental building never takes the value of the building', async () => {
        for (const building of buildings.slice(0, runsOn(service, 120))) {
          const address = textOf(building, ' #3');
          const body = await valued(service, { address });
          assert.equal(body.valuation.property_type, 'condos');
          assert.equal(body.valuation.total_units, 1);
          assert.ok(codesOf(body).includes('unit_not_sold_separately'), address);
          const taken = [...recordOf(body).keys()];
          assert.ok(
            taken.every((field) => field === 'year_built'),
            `${address}: ${taken.join()}`,
          );
        }
      });

      await t.test('a row of a file takes bedrooms and bathrooms from the public record', async () => {
        const [house] = houses.filter(({ attributes }) => attributes.bathrooms !== null);
        const valueRow = async (location: object) => {
          const rows = { properties: [{ location, search_params: SEARCH, property_fields: {} }] };
          const reading = { today: AS_OF, isStrict: true };
          const [{ request }] = (await FILE_READERS.property(rows, reading)).items;
          const unlogged = { ...service.operations.valuationLog, append: async () => {} };
          const deps = { ...service.operations, valuationLog: unlogged };
          return value(deps, 'property', request, { accountId: 'unlogged', keyId: null });
        };
        const { response } = await valueRow({ address: textOf(house) });
        const given = stated(house);
        const recorded = recordOf(response);
        for (const [field, rooms] of Object.entries(given)) assert.equal(recorded.get(field), rooms);
        const { valuation } = await valued(service, { address: textOf(house) }, given);
        assert.equal(response.valuation.pointValue, valuation.point_value);
        // South of every parcel.
        const south = Math.min(...county.parcels.map(({ lat }) => lat));
        const nowhere = { latitude: south - 0.01, longitude: house.lon };
        await assert.rejects(valueRow(nowhere), { code: 'record_incomplete' });
      });

      await t.test('a building is valued with its record if the request says that it is meant', async () => {
        for (const building of buildings.slice(0, runsOn(service, 40))) {
          const { totalUnits, bedrooms, livingAreaSqft } = building.attributes;
          const fields = { total_units: totalUnits, bedrooms, bathrooms: totalUnits };
          const url = '/v1/avm/multifamily';
          const body = await valued(service, { address: textOf(building, ' #3') }, fields, url);
          assert.ok(codesOf(body).includes('unit_ignored'));
          assert.equal(recordOf(body).get('living_area') ?? livingAreaSqft, livingAreaSqft);
          const property = await valued(
            service,
            { address: textOf(building, ' #3') },
            { ...ONE_BED, property_type: building.type },
          );
          assert.equal(property.valuation.property_type, building.type);
          assert.ok(codesOf(property).includes('unit_ignored'));
        }
      });

      await t.test('the rent of a unit of a rental building uses the record of the building', async () => {
        for (const building of buildings.slice(0, runsOn(service, 40))) {
          const location = { address: textOf(building, ' #3') };
          const fields = { units: [{ bedrooms: 1, bathrooms: 1 }] };
          const body = await valued(service, location, fields, '/v1/avm/rental');
          assert.equal(body.valuation.property_type, building.type);
          assert.equal(recordOf(body).has('size'), false);
          assert.equal(codesOf(body).includes('unit_not_sold_separately'), false);
        }
      });

      await t.test('a condominium is valued with its own record if its unit is named', async () => {
        for (const condo of condos.slice(0, runsOn(service, 60))) {
          const record = recordOf(await valued(service, { address: textOf(condo) }, stated(condo)));
          const { livingAreaSqft } = condo.attributes;
          assert.equal(record.get('living_area') ?? livingAreaSqft, livingAreaSqft);
          assert.equal(record.get('property_type'), 'condos');
        }
      });

      await t.test(
        'a building of condominiums without a unit takes only what its units agree on',
        async () => {
          const towers = [...new Map(condos.map((condo) => [doorOf(condo), condo])).values()];
          assert.ok(towers.length > 5);
          for (const condo of towers.slice(0, runsOn(service, 60))) {
            const { address } = condo;
            const withoutUnit = `${doorOf(condo)}, ${address.city}, ${address.stateCode} ${address.postalCode}`;
            for (const location of [
              { address: withoutUnit },
              { latitude: condo.lat, longitude: condo.lon },
            ]) {
              const body = await valued(service, location);
              const record = recordOf(body);
              assert.equal(body.valuation.property_type, 'condos');
              assert.ok(codesOf(body).includes('unit_missing'), withoutUnit);
              for (const field of ['living_area', 'lot_size', 'total_bedrooms'])
                assert.ok(!record.has(field));
              assert.equal(
                record.get('year_built') ?? condo.attributes.yearBuilt,
                condo.attributes.yearBuilt,
              );
              const fields = { units: [{ bedrooms: 1, bathrooms: 1 }] };
              const rent = await valued(service, location, fields, '/v1/avm/rental');
              assert.ok(codesOf(rent).includes('unit_missing'), withoutUnit);
              assert.equal(recordOf(rent).has('size'), false);
            }
          }
        },
      );

      await t.test(
        'coordinates 8 m from the parcel keep its record, and seldom take a neighbor’s',
        async () => {
          const directions = seededRandom(8);
          let [tried, lost, others] = [0, 0, 0];
          for (const house of houses.slice(0, runsOn(service, 240))) {
            const at = pointNear(house, 0, 0);
            const own = recordOf(await valued(service, at, stated(house))).get('living_area');
            if (own === undefined) continue;
            tried += 1;
            const near = pointNear(house, 8, directions());
            const body = await valued(service, near, stated(house));
            const found = recordOf(body).get('living_area');
            if (found === undefined) lost += 1;
            else if (found !== own) others += 1;
            if (found === undefined) assert.ok(codesOf(body).includes('parcel_ambiguous'));
          }
          assert.ok(tried > 20, `${tried}`);
          assert.ok(
            lost <= 0.1 * tried && others <= 0.03 * tried,
            `${lost} lost, ${others} others of ${tried}`,
          );
        },
      );

      await t.test('an address beside coordinates never chooses the parcel', async () => {
        for (let i = 0; i < runsOn(service, 60); i++) {
          const [house, other] = [houses[i], houses[i + 1]];
          const at = pointNear(house, 0, 0);
          const alone = await valued(service, at, stated(house));
          const named = await valued(service, { ...at, address: textOf(other) }, stated(house));
          assert.deepEqual(recordOf(named), recordOf(alone));
          assert.equal(named.valuation.point_value, alone.valuation.point_value);
          assert.equal(named.address_info.formatted_address, textOf(other));
        }
      });

      await t.test('a geocoder’s result replaces the text beside it', async () => {
        const [house, other] = houses;
        const maps = {
          results: [
            {
              formatted_address: '1 Geocoded Way, Elsewhere, WI 53999, USA',
              geometry: { location: { lat: house.lat, lng: house.lon } },
              address_components: [
                { long_name: 'Elsewhere', short_name: 'Elsewhere', types: ['locality'] },
                { long_name: '53999', short_name: '53999', types: ['postal_code'] },
              ],
            },
          ],
        };
        for (const address of [textOf(other), 'Next to the old mill']) {
          const body = await valued(service, { address, maps_api_response: maps }, stated(house));
          assert.equal(body.address_info.latitude, house.lat);
          assert.equal(body.address_info.city, 'Elsewhere');
          assert.equal(body.address_info.postal_code, '53999');
        }
      });
    },
    async () => {},
  );
});
