import { PlumblineError } from '../../src/errors.ts';
import type { Attributes } from '../../src/domain/property.ts';
import { METERS_PER_MILE, type LatLon } from '../../src/geo/distance.ts';
import { locate } from '../../src/operations/locate-place.ts';
import { gatherMultifamilyInputs } from '../../src/operations/multifamily/gather-multifamily-inputs.ts';
import { gatherPropertyInputs } from '../../src/operations/property/gather-property-inputs.ts';
import type { PropertyValuationRequest } from '../../src/operations/valuation-types.ts';
import { readAddressPoints, type AddressPointRow } from '../../src/store/address-points.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import {
  percent,
  quantile,
  relativeWidth,
  requestOf,
  sampleSales,
  shareFinding,
  shuffled,
  valueProperty,
  type Finding,
  type PropertyResponse,
  type SampledMarket,
} from './sampling.ts';

const ADDRESSES = 150;
const HOMES = 300;
/** How far coordinates from another source miss a parcel's point. */
export const OFFSET_M = 8;
const METERS_PER_DEGREE = 69.172 * METERS_PER_MILE;

/** Typed warnings by which a caller can see that the value may be of another property. */
const UNIT_WARNINGS = /unit|building/;

/** Section 1: an address with a unit, a tower's address without one, and coordinates next to a parcel's point. */
export async function checkRightProperty(market: SampledMarket): Promise<Finding[]> {
  const points = await addressesOf(market);
  const units = shuffled(
    points.filter(({ key }) => key.unit !== ''),
    1,
  ).slice(0, ADDRESSES);
  const towers = shuffled(towerAddresses(points), 2).slice(0, ADDRESSES);
  const ofUnits = await valuesAt(market, units);
  const ofTowers = await valuesAt(market, towers, false);
  return [
    shareFinding(
      'address with a unit: value of a building of 2 or more units',
      '0%',
      ofUnits.map((one) => one.valuation.totalUnits >= 2),
    ),
    shareFinding(
      'address of 5 or more units without a unit: area of some unit as record, without a warning',
      '0%',
      ofTowers.map((one) => one.valuation.totalUnits < 3 && isRecorded(one, 'living_area') && !isWarned(one)),
    ),
    ...(await checkCoordinates(market)),
    ...(await checkBuildings(market)),
  ];
}

async function addressesOf({ store, entry }: SampledMarket): Promise<AddressPointRow[]> {
  const points: AddressPointRow[] = [];
  if (!entry.addresses) return points;
  for await (const page of readAddressPoints(store, entry.addresses.datasetId)) points.push(...page);
  return points;
}

/** One point for each address with five units or more, without the unit. */
function towerAddresses(points: readonly AddressPointRow[]): AddressPointRow[] {
  const doorOf = ({ key }: AddressPointRow): string =>
    [key.number, key.streetName, key.streetType, key.preDirection].join(' ');
  const byDoor = Map.groupBy(
    points.filter(({ key }) => key.unit !== ''),
    doorOf,
  );
  return [...byDoor.values()].filter((rows) => rows.length >= 5).map(([first]) => first);
}

/** Values of two-bedroom homes at these addresses; of towers without the unit. Places without a value are left out. */
async function valuesAt(
  market: SampledMarket,
  points: readonly AddressPointRow[],
  withUnit = true,
): Promise<PropertyResponse[]> {
  const values: PropertyResponse[] = [];
  for (const { address } of points) {
    const street = withUnit ? address.street : address.street.replace(/\s*(#|APT|UNIT).*$/i, '');
    const text = [street, address.city, address.stateCode].filter((part) => part !== '').join(', ');
    const request = requestOf(market.asOf, { address: text }, { bedrooms: 2, bathrooms: 1 });
    const response = await valueIfFound(market, request);
    if (response) values.push(response);
  }
  return values;
}

async function valueIfFound(
  market: SampledMarket,
  request: Parameters<typeof valueProperty>[1],
): Promise<PropertyResponse | null> {
  try {
    return await valueProperty(market, request);
  } catch (error) {
    // An error with a code is an honest response: it is not counted as a value.
    if (error instanceof PlumblineError) return null;
    throw error;
  }
}

function isWarned({ valuation }: PropertyResponse): boolean {
  return valuation.warnings.some(({ code }) => UNIT_WARNINGS.test(code));
}

function isRecorded({ valuation }: PropertyResponse, field: string): boolean {
  return valuation.inputs.some((input) => input.field === field && input.source === 'record');
}

/** The parcels of a home, and those used for coordinates beside its point; null if the record was left open. */
interface ParcelsFound {
  readonly own: string;
  readonly found: string | null;
  readonly foundIfChanged: string | null;
}

async function parcelOf(
  { deps }: SampledMarket,
  request: PropertyValuationRequest,
  totalUnits: number | null = null,
): Promise<string | null> {
  const located = await locate(deps, request.location, 'home', request.asOf);
  const { subject } =
    totalUnits === null
      ? await gatherPropertyInputs(deps, located, request)
      : await gatherMultifamilyInputs(deps, located, { ...request, propertyType: null, totalUnits });
  return subject.home.parcelId;
}

/** The parcels used for buildings of two or more units whose coordinates are 8 m from their parcel's point. */
async function checkBuildings(market: SampledMarket): Promise<Finding[]> {
  const random = seededRandom(9);
  const found: { own: string; parcelId: string | null }[] = [];
  for (const { home } of sampleSales(market, ['small_multifamily', 'multifamily'], HOMES)) {
    const { bedrooms, bathrooms, totalUnits } = home.attributes;
    if (home.parcelId === null || totalUnits === null || totalUnits < 2) continue;
    // A request must state both. Where the record has none, a user would state about one per unit.
    const rooms = { bedrooms: bedrooms ?? totalUnits, bathrooms: bathrooms ?? totalUnits };
    const request = requestOf(market.asOf, pointNear(home, random), rooms);
    found.push({ own: home.parcelId, parcelId: await parcelOf(market, request, totalUnits) });
  }
  const where = `buildings, coordinates ${OFFSET_M} m from the parcel's point`;
  return [
    shareFinding(
      `${where}: the record is lost`,
      '≤ 10%',
      found.map(({ parcelId }) => parcelId === null),
    ),
    shareFinding(
      `${where}: another parcel's record`,
      '≤ 2%',
      found.map(({ own, parcelId }) => parcelId !== null && parcelId !== own),
    ),
  ];
}

/** A point at the offset from a home, in a random direction. */
export function pointNear({ lat, lon }: LatLon, random: () => number): LatLon {
  const angle = 2 * Math.PI * random();
  const lonDegree = METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  return {
    lat: lat + (OFFSET_M * Math.cos(angle)) / METERS_PER_DEGREE,
    lon: lon + (OFFSET_M * Math.sin(angle)) / lonDegree,
  };
}

/** The same homes at their parcel's point, and at a point 8 m away in a random direction. */
async function checkCoordinates(market: SampledMarket): Promise<Finding[]> {
  const random = seededRandom(8);
  const known: { exact: PropertyResponse; near: PropertyResponse; parcels: ParcelsFound }[] = [];
  const homes = sampleSales(market, ['houses', 'townhomes', 'small_multifamily'], 4 * HOMES);
  for (const { home } of homes) {
    if (known.length === HOMES) break;
    const { bedrooms, bathrooms } = home.attributes;
    if (home.parcelId === null || bedrooms === null || bathrooms === null) continue;
    const rooms: Partial<Attributes> = { bedrooms, bathrooms };
    const point = pointNear(home, random);
    const exact = await valueProperty(
      market,
      requestOf(market.asOf, { lat: home.lat, lon: home.lon }, rooms),
    );
    // Without a record at the exact point there is nothing to lose.
    if (!isRecorded(exact, 'living_area')) continue;
    const request = requestOf(market.asOf, point, rooms);
    const changed = requestOf(market.asOf, point, { ...rooms, bedrooms: bedrooms + 1 });
    const parcels = {
      own: home.parcelId,
      found: await parcelOf(market, request),
      foundIfChanged: await parcelOf(market, changed),
    };
    known.push({ exact, near: await valueProperty(market, request), parcels });
  }
  const changes = known.map(({ exact, near }) =>
    Math.abs(near.valuation.pointValue / exact.valuation.pointValue - 1),
  );
  const where = `coordinates ${OFFSET_M} m from the parcel's point`;
  const widths = known
    .filter(({ near }) => near.valuation.warnings.some(({ code }) => code === 'parcel_ambiguous'))
    .map(({ exact, near }) => relativeWidth(near) / relativeWidth(exact));
  return [
    {
      check: `${where}: width of the range where several parcels are possible, relative to the point's, median`,
      measured: widths.length === 0 ? '–' : quantile(widths, 0.5).toFixed(2),
      goal: '> 1',
      n: widths.length,
    },
    shareFinding(
      `${where}: the record is lost`,
      '≤ 10%',
      known.map(({ near }) => !isRecorded(near, 'living_area')),
    ),
    shareFinding(
      `${where}: another parcel's record`,
      '≤ 2%',
      known.map(({ parcels: { own, found } }) => found !== null && found !== own),
    ),
    shareFinding(
      `${where}, one bedroom more than recorded: another parcel's record`,
      '–',
      known.map(({ parcels: { own, foundIfChanged: found } }) => found !== null && found !== own),
    ),
    {
      check: `${where}: median change of the value`,
      measured: percent(quantile(changes, 0.5)),
      goal: '≤ 2%',
      n: known.length,
    },
    {
      check: `${where}: 90th percentile of the change`,
      measured: percent(quantile(changes, 0.9)),
      goal: '–',
      n: known.length,
    },
    shareFinding(
      `${where}: another property type`,
      '0%',
      known.map(({ exact, near }) => exact.valuation.propertyType !== near.valuation.propertyType),
    ),
  ];
}
