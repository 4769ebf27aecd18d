import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METERS_PER_MILE, milesPerDegree, type LatLon } from '../../geo/distance.ts';
import type { Located } from '../../locate/located.ts';
import { homeOfSale } from '../../valuation/columns/sale-columns.ts';
import { seededRandom } from '../../valuation/random.ts';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { chooseParcel, type StatedDetails } from './choose-parcel.ts';
import { parcelsOrSoldHomes, withUnsoldHome } from './sold-homes.ts';

const columns = testColumns(400);
const market = { columns, parcels: null };
const LAST_DAY = TEST_MARKET.from + TEST_MARKET.days + 30;

function locatedAt(at: LatLon): Pick<Located, 'lat' | 'lon' | 'parcels' | 'matchLevel'> {
  return { ...at, parcels: [], matchLevel: 'point' };
}

/** The record that a point and the stated details choose among homes sold by the day. */
function chosenAt(at: LatLon, stated: Pick<StatedDetails, 'attributes'>, asOf = LAST_DAY) {
  const groups = parcelsOrSoldHomes(market, locatedAt(at), asOf);
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
  const groups = (located: Parameters<typeof parcelsOrSoldHomes>[1]) =>
    parcelsOrSoldHomes(market, located, LAST_DAY).length;
  assert.ok(groups(locatedAt({ lat, lon })) > 0);
  assert.equal(groups({ ...locatedAt({ lat, lon }), matchLevel: 'street' }), 0);
});
