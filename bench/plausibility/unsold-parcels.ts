import type { Parcel } from '../../src/domain/parcel.ts';
import { gatherPropertyInputs } from '../../src/operations/property/gather-property-inputs.ts';
import { locate } from '../../src/operations/locate-place.ts';
import { readAddressPoints } from '../../src/store/address-points.ts';
import { readParcels } from '../../src/store/property-records.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { textAt } from '../../src/valuation/typed-columns.ts';
import { OFFSET_M, pointNear } from './right-property.ts';
import { requestOf, shareFinding, shuffled, type Finding, type SampledMarket } from './sampling.ts';

const PARCELS = 300;
const HOMES: ReadonlySet<Parcel['type']> = new Set(['houses', 'townhomes', 'small_multifamily']);

/** Section 1 for homes that were never sold, which are most of a county: by address, and by coordinates beside the point. */
export async function checkUnsoldParcels(market: SampledMarket): Promise<Finding[]> {
  const parcels = shuffled(await unsoldHomes(market), 16).slice(0, PARCELS);
  const random = seededRandom(17);
  const near: { own: string; found: string | null }[] = [];
  for (const { parcelId: own, lat, lon, attributes } of parcels) {
    const { bedrooms, bathrooms } = attributes;
    // A request must state both; Milwaukee's parcel file has no baths.
    const rooms = { bedrooms, bathrooms: bathrooms ?? 1 };
    near.push({ own, found: await parcelFound(market, pointNear({ lat, lon }, random), rooms) });
  }
  const atAddress: (string | null)[] = [];
  for (const address of await randomAddresses(market)) {
    atAddress.push(await parcelFound(market, { address }, { bedrooms: 3, bathrooms: 1 }));
  }
  const where = `parcels never sold, coordinates ${OFFSET_M} m from the parcel's point`;
  return [
    shareFinding(
      `${where}: the record is lost`,
      '≤ 10%',
      near.map(({ found }) => found === null),
    ),
    shareFinding(
      `${where}: another parcel's record`,
      '≤ 2%',
      near.map(({ own, found }) => found !== null && found !== own),
    ),
    shareFinding(
      'random addresses, three bedrooms: no parcel of one home is used',
      '–',
      atAddress.map((found) => found === null),
    ),
  ];
}

/** Homes of the parcel file with known bedrooms that no sale names. */
async function unsoldHomes({ store, entry, columns }: SampledMarket): Promise<Parcel[]> {
  if (!entry.parcels) return [];
  const sold = new Set(Array.from(columns.parcel, (_, row) => textAt(columns.parcelId, row)));
  const parcels: Parcel[] = [];
  for await (const page of readParcels(store, entry.parcels.datasetId)) {
    for (const parcel of page) {
      const isHome = HOMES.has(parcel.type) && parcel.attributes.bedrooms !== null;
      if (isHome && !sold.has(parcel.parcelId)) parcels.push(parcel);
    }
  }
  return parcels;
}

/** Random addresses without a unit, as a user would enter them. Most of their homes were never sold. */
async function randomAddresses({ store, entry }: SampledMarket): Promise<string[]> {
  const addresses: string[] = [];
  if (!entry.addresses) return addresses;
  for await (const page of readAddressPoints(store, entry.addresses.datasetId)) {
    for (const { key, address } of page) {
      const parts = [address.street, address.city, address.stateCode].filter((part) => part !== '');
      if (key.unit === '') addresses.push(parts.join(', '));
    }
  }
  return shuffled(addresses, 18).slice(0, PARCELS);
}

async function parcelFound(
  { deps, asOf }: SampledMarket,
  at: Parameters<typeof requestOf>[1],
  rooms: Parameters<typeof requestOf>[2],
): Promise<string | null> {
  const request = requestOf(asOf, at, rooms);
  const located = await locate(deps, request.location, 'home', asOf);
  return (await gatherPropertyInputs(deps, located, request)).subject.home.parcelId;
}
