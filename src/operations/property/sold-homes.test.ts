import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { METERS_PER_MILE, milesPerDegree, type LatLon } from '../../geo/distance.ts';
import { addressPartsOf } from '../../domain/address-parts.ts';
import type { ParcelGroup } from '../../locate/located.ts';
import { homeOfSale, indexParcelSales, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { seededRandom } from '../../valuation/random.ts';
import { stringColumnOf } from '../../valuation/typed-columns.ts';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { chooseParcel, type StatedDetails } from './choose-parcel.ts';
import { parcelsOrSoldHomes, withUnsoldHome } from './sold-homes.ts';

const columns = testColumns(400);
const market = { columns, parcelSales: indexParcelSales(columns), parcels: null };
const LAST_DAY = TEST_MARKET.from + TEST_MARKET.days + 30;

type Place = Parameters<typeof parcelsOrSoldHomes>[1];

function locatedAt(at: LatLon): Place {
  return { ...at, parcels: [], matchLevel: 'point', matchedPoint: null, unit: '' };
}

/** The record that a point and the stated details choose among homes sold by the day. */
function chosenAt(at: LatLon, stated: Pick<StatedDetails, 'attributes'>, asOf = LAST_DAY) {
  const { groups } = parcelsOrSoldHomes(market, locatedAt(at), asOf);
  const candidates = groups.map((group) => {
    const rows = [...columns.parcel.keys()].filter(
      (row) => homeOfSale(columns, row).parcelId === group.parcelIds[0],
    );
    return { ...group, records: [homeOfSale(columns, rows[0])] };
  });
  const choice = chooseParcel(withUnsoldHome(candidates, market), {
    ...stated,
    propertyType: null,
    isOfUnit: false,
  });
  return choice.chosen?.parcelIds[0] ?? null;
}

test('without a parcel file, a point 8 m from a sold home chooses it by its details, and no other home', () => {
  const random = seededRandom(3);
  const found: boolean[] = [];
  for (let row = 0; row < columns.n; row++) {
    // Repeated sales of the made-up market have another place and other details each time.
    if (columns.parcel.filter((code) => code === columns.parcel[row]).length > 1) continue;
    const home = homeOfSale(columns, row);
    const perDegree = milesPerDegree(home.lat);
    const angle = 2 * Math.PI * random();
    const at = {
      lat: home.lat + (8 * Math.cos(angle)) / METERS_PER_MILE / perDegree.lat,
      lon: home.lon + (8 * Math.sin(angle)) / METERS_PER_MILE / perDegree.lon,
    };
    const { livingAreaSqft = 0, yearBuilt = 0 } = home.attributes;
    const own = chosenAt(at, { attributes: { livingAreaSqft, yearBuilt } });
    assert.ok(own === null || own === home.parcelId);
    found.push(own !== null);
    // The point of a home that was never sold, next to one that was.
    const other = { livingAreaSqft: 1.5 * (livingAreaSqft ?? 0), yearBuilt: (yearBuilt ?? 0) - 20 };
    assert.equal(chosenAt(at, { attributes: other }), null);
    assert.equal(
      chosenAt(at, { attributes: { livingAreaSqft, yearBuilt } }, TEST_MARKET.from),
      null,
      'not known yet',
    );
  }
  const share = found.filter(Boolean).length / found.length;
  assert.ok(share >= 0.95, `${share}`);
});

test('sold homes are candidates only for coordinates in a market without a parcel file', () => {
  const { lat, lon } = homeOfSale(columns, 7);
  const groups = (located: Place) => parcelsOrSoldHomes(market, located, LAST_DAY).groups.length;
  assert.ok(groups(locatedAt({ lat, lon })) > 0);
  assert.equal(groups({ ...locatedAt({ lat, lon }), matchLevel: 'street' }), 0);
});

/** A sale at one point of a market whose file has no parcel ids, unless one is given. */
interface SaleAtPoint {
  readonly street: string;
  readonly type?: 'houses' | 'condos';
  readonly areaSqft: number;
  readonly parcelId?: string;
}

/** The names of the homes that an address, or without one the point, can mean; sales oldest first. */
function homesOf(
  sales: readonly SaleAtPoint[],
  street: string | null,
  asOf = LAST_DAY,
  parcels: readonly ParcelGroup[] = [],
): readonly string[][] {
  const at = { lat: TEST_MARKET.lat, lon: TEST_MARKET.lon };
  const some = testColumns(sales.length);
  const streets = sales.map((sale) => sale.street);
  const sold: SaleColumns = {
    ...some,
    lat: some.lat.fill(at.lat),
    lon: some.lon.fill(at.lon),
    type: Uint8Array.from(sales, ({ type = 'houses' }) => PROPERTY_TYPES.indexOf(type)),
    parcelId: stringColumnOf(sales.map(({ parcelId = '' }) => parcelId)),
    street: stringColumnOf(streets),
    attributes: {
      ...some.attributes,
      livingAreaSqft: Float32Array.from(sales, ({ areaSqft }) => areaSqft),
      yearBuilt: new Float32Array(sales.length).fill(1950),
    },
  };
  const key = addressPartsOf({ street: street ?? '', city: '', stateCode: '', postalCode: '' });
  const located: Place =
    street === null
      ? { ...locatedAt(at), parcels }
      : { ...locatedAt(at), parcels, matchLevel: 'address', matchedPoint: { key }, unit: key.unit };
  const { groups } = parcelsOrSoldHomes(
    { columns: sold, parcelSales: indexParcelSales(sold), parcels: null },
    located,
    asOf,
  );
  return groups.map(({ parcelIds }) => [...parcelIds]);
}

test('a home sold without parcel id is known by its address as written, from the day its sale is known', () => {
  const sales = [
    { street: '12 N Main St', areaSqft: 1500 },
    { street: '12 North Main Street', areaSqft: 1510 },
    { street: '14 N Main St', areaSqft: 1500 },
  ];
  assert.deepEqual(homesOf(sales, '12 N MAIN ST'), [['sale S1']]);
  assert.deepEqual(homesOf(sales, '12 N MAIN ST', TEST_MARKET.from + 14), [['sale S0']]);
  assert.deepEqual(homesOf(sales, '12 N MAIN ST', TEST_MARKET.from + 13), []);
  assert.deepEqual(homesOf(sales, '16 N MAIN ST'), []);
  assert.deepEqual(homesOf(sales, null), [['sale S2', 'sale S1']]);
});

test('sales without parcel id are never merged into one home unless the unit or the details show that they are', () => {
  const tower = { street: '1 Tower Rd', type: 'condos', areaSqft: 800 } as const;
  assert.deepEqual(homesOf([tower, tower], '1 Tower Rd'), [['sale S1', 'sale S0']]);
  assert.deepEqual(homesOf([tower, tower], null), [['sale S1', 'sale S0']]);
  const unit = (name: string) => ({ ...tower, street: `1 Tower Rd #${name}` });
  assert.deepEqual(homesOf([unit('4'), unit('5'), unit('4')], '1 Tower Rd Apt 4'), [['sale S2']]);
  assert.deepEqual(homesOf([unit('4'), unit('5')], '1 Tower Rd Apt 6'), []);
  const house = { street: '12 Main St', areaSqft: 1500 };
  assert.deepEqual(homesOf([house, { ...house, areaSqft: 2500 }], '12 Main St'), [['sale S1', 'sale S0']]);
  assert.deepEqual(
    homesOf(
      [
        { ...house, street: '' },
        { ...house, street: '' },
      ],
      null,
    ),
    [['sale S1', 'sale S0']],
  );
});

test('a sale that lost its parcel id does not make its home ambiguous', () => {
  const house = { street: '12 Main St', areaSqft: 1500 };
  assert.deepEqual(homesOf([{ ...house, parcelId: 'P1' }, house], null), [['P1']]);
});

test('the parcel of a neighbor does not stand for a sold home without parcel id', () => {
  const neighbor = { parcelIds: ['P9'], awayM: 20, tie: 'distance' } as const;
  const sales = [{ street: '12 Main St', areaSqft: 1500 }];
  assert.deepEqual(homesOf(sales, null, LAST_DAY, [neighbor]), [['sale S0'], ['P9']]);
  assert.deepEqual(homesOf(sales, '12 Main St', LAST_DAY, [neighbor]), [['sale S0']]);
  assert.deepEqual(homesOf(sales, '12 Main St', LAST_DAY, [{ ...neighbor, tie: 'address' }]), [['P9']]);
});
