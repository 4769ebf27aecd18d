import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATOR } from '../../cli/compose.ts';
import { dayOf, formatDay } from '../../domain/day.ts';
import { attributesOf } from '../../domain/property.ts';
import { importSales } from '../../load/import-records.ts';
import { PlumblineError } from '../../errors.ts';
import { seededRandom } from '../../valuation/random.ts';
import { trainQuickly, withOperations } from '../../../test/harness/operations/quick-market.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import { engines, type TestEngine } from '../../../test/harness/store/engines.ts';
import { value } from '../value.ts';

const MARKET = 'xx-test';
const HEADER =
  'record_id,parcel_id,sale_date,sale_price,address,city,state,zip,latitude,longitude,property_type,bedrooms,bathrooms,living_area,year_built';
const START = dayOf(2024, 1, 1);
/** The recording lag is 14 days: sales closed by then are known on the as-of date. */
const CLOSED_BY = START + 480;
const AS_OF = CLOSED_BY + 14;
const SALES = 420;

const random = seededRandom(4);
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));

/** A sale on one of 90 lots, of a house or of one of the four units of its building, at a point of its own. */
const sales = Array.from({ length: SALES }, (_, i) => {
  const lot = between(0, 89);
  const unit = lot % 5 === 0 ? between(1, 4) : 0;
  const closedOn = START + between(0, 720);
  const area = between(9, 30) * 100;
  const lat = 43 + Math.floor(lot / 10) * 0.00025 + random() * 0.00003;
  const lon = -88 + (lot % 10) * 0.00025 + random() * 0.00003;
  const street = `${100 + 2 * (lot % 10)} ${'ABCDEFGHI'[Math.floor(lot / 10)]}SON ST${unit ? ` #${unit}` : ''}`;
  const cells = [
    `r${i}`,
    // The file has no parcel ids for a third of the lots.
    lot % 3 === 0 ? '' : `p${lot}-${unit}`,
    formatDay(closedOn),
    area * between(150, 250),
    street,
    'Riverton,WI,53001',
    lat,
    lon,
    unit ? 'condos' : 'houses',
    between(2, 4),
    between(1, 3),
    area,
    between(1920, 2010),
  ];
  return { closedOn, street, lat, lon, hasParcel: lot % 3 !== 0, row: cells.join(',') };
});

/** Values of the same requests in a market with some of the sales, without the ids that each market gives. */
async function valuesWith(engine: TestEngine, rows: typeof sales, requests: readonly object[]) {
  const { store, deps, file, close } = await openImportFixture(engine);
  try {
    const text = [HEADER, ...rows.map(({ row }) => row), ''].join('\n');
    await importSales(deps, { marketId: MARKET, files: [file('sales.csv', text)] });
    await trainQuickly(deps, MARKET, AS_OF);
    return await withOperations(store, async (operations) => {
      const values = [];
      for (const location of requests) {
        const request = {
          location: { address: null, lat: null, lon: null, mapsPlace: null, ...location },
          asOf: AS_OF,
          search: { radiusMi: 5, lookbackMonths: null, numComps: 5 },
          warnings: [],
          propertyType: null,
          attributes: attributesOf({ bedrooms: 3, bathrooms: 2 }),
        };
        const valued = await value(operations, 'property', request, OPERATOR).catch((error: unknown) => {
          assert.ok(error instanceof PlumblineError && error.code === 'address_not_found', String(error));
          return null;
        });
        values.push(
          valued && {
            valuation: { ...valued.response.valuation, valuationId: '', model: null },
            comparables: valued.response.comparables,
          },
        );
      }
      return values;
    });
  } finally {
    await close();
  }
}

for (const engine of engines) {
  test(`${engine.name}: without a parcel file, sales that became known after the as-of date change no value`, async () => {
    const requests = sales.slice(0, 12).flatMap(({ street, lat, lon }, i) => {
      const point = { lat: lat + (i % 5) * 0.00003, lon };
      const building = street.replace(/ #.*/, '');
      return [
        point,
        { address: `${building}, Riverton, WI` },
        { address: `${street}, Riverton, WI`, ...point },
      ];
    });
    const known = sales.filter(({ closedOn }) => closedOn <= CLOSED_BY);
    const before = await valuesWith(engine, known, requests);
    const after = await valuesWith(engine, sales, requests);
    let compared = 0;
    before.forEach((expected, i) => {
      // An address that only a later sale names has a location, but nothing else to compare.
      if (expected === null) return;
      assert.deepEqual(after[i], expected, JSON.stringify(requests[i]));
      compared++;
    });
    assert.ok(compared > 25, `${compared} values compared`);
  });

  test(`${engine.name}: a home sold without parcel id is valued with its record by its address`, async () => {
    const known = sales.filter(({ closedOn }) => closedOn <= CLOSED_BY);
    const unnumbered = known.filter(({ street, hasParcel }) => !hasParcel && !street.includes('#'));
    const once = unnumbered.filter(
      ({ street }) => unnumbered.filter((other) => other.street === street).length === 1,
    );
    const requests = once.map(({ street }) => ({ address: `${street}, Riverton, WI` }));
    const values = await valuesWith(engine, known, requests);
    assert.ok(values.length >= 4, `${values.length} values`);
    for (const one of values) {
      const area = one?.valuation.inputs.find(({ field }) => field === 'living_area');
      assert.equal(area?.source, 'record');
    }
  });
}
