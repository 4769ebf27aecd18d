import type { AddressPoint } from '../../../src/domain/address.ts';
import { addressPartsOf } from '../../../src/domain/address-parts.ts';
import { attributesOf } from '../../../src/domain/property.ts';
import { insertAddressPoints } from '../../../src/store/address-points.ts';
import { insertParcels, insertRents, insertSales } from '../../../src/store/property-records.ts';
import type { Store } from '../../../src/store/store.ts';
import { SOURCE, testRent, testSale } from '../store/rows.ts';
import type { DatasetKind } from '../../../src/store/tables/datasets.ts';
import { beginDataset, publishDataset } from '../../../src/store/publish-dataset.ts';

/**
 * Small markets for tests. "river" has an address file as cities publish it, without city and state, and
 * sales that name both. "hill" has full addresses. "loft" has rental listings, one sale and no address file.
 * One thousandth of a degree of latitude is 111 m.
 */

/** street | city | state | ZIP | lat | lon | parcel */
const RIVER_ADDRESSES = `
100 N LAKE DR|||| 43.000 | -88.000 |
102 N LAKE DR|||| 43.000 | -88.001 |
102 N LAKE DR #A|||| 43.000 | -88.001 |
102 N LAKE DR #B|||| 43.000 | -88.001 |
100 S LAKE DR|||| 42.990 | -88.000 |
55 MILL ST|||| 43.002 | -88.000 |
55 MILL AV|||| 43.006 | -88.000 |
7 BROADWAY|||| 43.001 | -88.002 |
31A ELM TR|||| 43.001 | -88.003 |
9 TOWER CT #1|||| 43.003 | -88.003 |
9 TOWER CT #2|||| 43.003 | -88.003 |
12 KEEFE AV|||| 43.001 | -88.004 |
200 RIDGE RD|||| 43.0100 | -88.0100 |
201 RIDGE RD|||| 43.0103 | -88.0100 |
203 RIDGE RD|||| 43.0103 | -88.0105 |
208 RIDGE RD|||| 43.0100 | -88.0120 |
230 RIDGE RD|||| 43.0100 | -88.0175 |
600 RIDGE RD|||| 43.0100 | -88.0300 |
700 RIDGE RD|||| 43.0100 | -88.0380 |
4 SHORT CT|||| 43.0200 | -88.0100 |
6 SHORT CT|||| 43.0204 | -88.0100 |
8 SHORT CT #1|||| 43.0208 | -88.0100 |
8 SHORT CT #2|||| 43.0208 | -88.0100 |
14 W TWIN ST|||| 43.0250 | -88.0100 |
10 E TWIN ST|||| 43.0250 | -88.0090 |
`;

const RIVER_SALES = `
100 N LAKE DR|Riverton|WI|53001| 43.0001 | -88.0001 | P100N
102 N LAKE DR, Unit B|Riverton|WI|53001| 43.0001 | -88.0011 | P102B
100 S LAKE DR|Riverton|WI|53002| 42.9901 | -88.0001 | P100S
20-22 OAK ST|Riverton|WI|53001| 43.004 | -88.001 | POAK
9 TOWER CT, Unit 1|Riverton|WI|53001| 43.003 | -88.003 | PT1
9 TOWER CT, Unit 2|Riverton|WI|53001| 43.003 | -88.003 | PT2
55 MILL ST|Riverton|WI|53001| 43.002 | -88.000 | PMILL
1 RIDGE RD|Riverton|WI|53001| 43.0101 | -88.0101 | P1R
299 RIDGE RD|Riverton|WI|53001| 43.0101 | -88.0181 | P299R
3 SHORT CT|Riverton|WI|53003| 43.0201 | -88.0101 | P3S
15 TWIN ST|Riverton|WI|53003| 43.0251 | -88.0101 | P15T
`;

const HILL_ADDRESSES = `
55 MILL ST|Hillton|WA|98001| 47.000 | -122.000 | H55
12 PINE ST|Hillton|WA|98001| 47.001 | -122.000 | H12
12 PINE ST|Farton|WA|98009| 47.500 | -122.000 | F12
14 PINE ST|Border Falls|WA|98002| 47.001 | -122.001 | B14
80 PLAZA WAY|Hillton|WA|98001| 47.002 | -122.000 |
80 PLAZA WAY|Hillton|WA|98001| 47.003 | -122.000 |
81 PLAZA WAY|Hillton|WA|98001| 47.900 | -122.000 |
81 PLAZA WAY|Hillton|WA|98001| 47.002 | -122.001 |
81 PLAZA WAY|Hillton|WA|98001| 47.003 | -122.001 |
82 PLAZA WAY|Hillton|WA|98001| 47.002 | -122.002 |
82 PLAZA WAY|Hillton|WA|98001| 47.900 | -122.002 |
10 SHARED LN|Hillton|WA|98001| 47.0030 | -122.0030 |
14 SHARED LN|Farton|WA|98009| 47.0030 | -122.0040 |
8 FARM RD|Riverton|WA|98030| 47.1000 | -122.1000 |
`;

const LOFT_RENTS = `
5 LOFT ST #3|Loftville|IA|52001| 42.0010 | -91.0000 | L5
9 LOFT ST|Loftville|IA|52001| 42.0020 | -91.0000 | L9
`;

const LOFT_SALES = `
9 LOFT ST|Loftville|IA|52001| 42.0021 | -91.0000 | L9
`;

const RIVER_PARCELS = [
  { parcelId: 'P12', lat: 43.001, lon: -88.004 },
  { parcelId: 'PX', lat: 43.05, lon: -88.05 },
  { parcelId: 'PY', lat: 43.0502, lon: -88.05 },
  { parcelId: 'C1', lat: 43.06, lon: -88.05 },
  { parcelId: 'C2', lat: 43.06, lon: -88.05 },
];

export async function openTestCounty(store: Store): Promise<void> {
  await publishPoints(store, 'hill', 'addresses', pointsOf(HILL_ADDRESSES));
  await publishPoints(store, 'river', 'sales', pointsOf(RIVER_SALES));
  await publishPoints(store, 'river', 'addresses', pointsOf(RIVER_ADDRESSES));
  await publishPoints(store, 'loft', 'rents', pointsOf(LOFT_RENTS));
  await publishPoints(store, 'loft', 'sales', pointsOf(LOFT_SALES));
  const parcels = await beginDataset(store, { marketId: 'river', kind: 'parcels', source: SOURCE });
  const nothing = { asOf: 18_000, type: null, attributes: attributesOf({}), features: {} };
  const address = { street: '', city: '', stateCode: '', postalCode: '' };
  await insertParcels(
    store,
    parcels,
    RIVER_PARCELS.map((parcel) => ({ ...nothing, address, ...parcel })),
  );
  await publishDataset(store, parcels, { rows: RIVER_PARCELS.length, contentHash: 'parcels' });
}

function pointsOf(table: string): AddressPoint[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [street, city, stateCode, postalCode, lat, lon, parcelId] = line
        .split('|')
        .map((cell) => cell.trim());
      const address = { street, city, stateCode, postalCode };
      return { address, lat: Number(lat), lon: Number(lon), parcelId: parcelId || null };
    });
}

async function publishPoints(
  store: Store,
  marketId: string,
  kind: DatasetKind,
  points: readonly AddressPoint[],
): Promise<void> {
  const datasetId = await beginDataset(store, { marketId, kind, source: SOURCE });
  if (kind === 'sales') {
    const sales = points.map((point, i) => ({ ...testSale(i), ...point }));
    await insertSales(store, datasetId, sales);
  }
  if (kind === 'rents') {
    const rents = points.map((point, i) => ({ ...testRent(i), ...point }));
    await insertRents(store, datasetId, rents);
  }
  await insertAddressPoints(
    store,
    datasetId,
    points.map((point) => ({ ...point, key: addressPartsOf(point.address), knownOn: null })),
  );
  await publishDataset(store, datasetId, { rows: points.length, contentHash: marketId });
}
