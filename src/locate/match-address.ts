import type { PostalAddress } from '../domain/address.ts';
import { addressKeyOf, streetLineKeyOf } from '../domain/address-key.ts';
import { addressReadings, type ParsedAddress } from '../domain/address-parts.ts';
import { METERS_PER_MILE, milesApart } from '../geo/distance.ts';
import { addressPointsNear, findAddressPoints, type AddressPointRow } from '../store/address-points.ts';
import { compareTrust, ownPlace, placeOfRow, type AddressSources, type RowPlace } from './known-place.ts';
import type { ParcelGroup } from './located.ts';
import { isOtherState, scoreAddress, type AddressScore } from './score-address.ts';

/** Points closer together are one place: corners of a building, a parcel's center and its address point. */
export const ONE_PLACE_MI = 50 / METERS_PER_MILE;

/** Maximum extent of one full address with several points: a mall's, a campus's. */
const ONE_ADDRESS_MI = 0.25;

/** Maximum number of rows of one address that are compared pairwise. */
const MAX_COMPARED = 200;

/** Most points whose surroundings are searched for a city. Only very large indexes have more for an address. */
const MAX_PLACES = 6;

/** A row with the requested number and street name, and how well it fits. */
export interface AddressMatch {
  readonly row: AddressPointRow;
  readonly place: RowPlace;
  readonly score: AddressScore;
}

export interface AddressFinding {
  /** The reading of the text that the matches belong to; the most likely one if there are none. */
  readonly request: ParsedAddress;
  /** Equally good matches: none, one place, or several. If they are one place, the first is used. */
  readonly best: readonly AddressMatch[];
  /** All rows with the number and street name, except those in another state, best first. */
  readonly all: readonly AddressMatch[];
}

/** Looks an address up in all its readings; the first reading with a match is used. */
export async function matchAddress(sources: AddressSources, text: string): Promise<AddressFinding> {
  const readings = addressReadings(text);
  let closest: AddressFinding | null = null;
  for (const request of readings) {
    const all = await matchesOf(sources, request);
    const best = bestOf(sources, all);
    if (best.length > 0) return { request, best, all };
    if (all.length > 0) closest ??= { request, best, all };
  }
  return closest ?? { request: readings[0], best: [], all: [] };
}

async function matchesOf(sources: AddressSources, request: ParsedAddress): Promise<AddressMatch[]> {
  if (request.number === '' || request.streetName === '') return [];
  const { number, streetName } = request;
  const rows = await findAddressPoints(sources.store, sources.rowsIds, {
    number,
    streetName,
    knownBy: sources.knownBy,
  });
  const placeOf = createPlaceCache(sources, MAX_PLACES);
  const matches: AddressMatch[] = [];
  for (const row of rows) {
    if (!Number.isFinite(row.lat) || !Number.isFinite(row.lon)) continue;
    const place = await placeOf(row);
    if (isOtherState(request, place)) continue;
    matches.push({ row, place, score: scoreAddress(request, row.key, place) });
  }
  matches.sort((a, b) => byFit(a, b) || compareTrust(sources, a.row, b.row));
  return acceptNeighboringCities(sources, request, matches);
}

/**
 * Creates a lookup of the city, state and ZIP of rows. Units of a building share one search of their surroundings.
 * Only the first `mostPlaces` surroundings are searched; later rows have only their own city.
 */
export function createPlaceCache(
  sources: AddressSources,
  mostPlaces: number,
): (row: AddressPointRow) => Promise<RowPlace> {
  const placeAt = new Map<string, RowPlace>();
  return async (row) => {
    if (row.key.city !== '') return ownPlace(row);
    const at = `${row.rowsId} ${row.lat.toFixed(3)} ${row.lon.toFixed(3)}`;
    const place =
      placeAt.get(at) ?? (placeAt.size < mostPlaces ? await placeOfRow(sources, row) : ownPlace(row));
    placeAt.set(at, place);
    return place;
  };
}

/** Postal and legal cities differ at their borders. */
const BORDER_MI = 0.5;

/** If no row matches better, a row in another city matches if addresses of the requested city are near it. */
async function acceptNeighboringCities(
  sources: AddressSources,
  request: ParsedAddress,
  matches: AddressMatch[],
): Promise<AddressMatch[]> {
  if (request.city === '' || matches.some(({ score }) => !score.isElsewhere)) return matches;
  const accepted: AddressMatch[] = [];
  for (const match of matches.slice(0, 3)) {
    const place = { ...match.place, cities: [] };
    const score = scoreAddress(request, match.row.key, place);
    const { lat, lon } = match.row;
    const { store, rowsIds, knownBy } = sources;
    const around = score.isElsewhere
      ? []
      : await addressPointsNear(store, rowsIds, lat, lon, BORDER_MI, { knownBy, city: request.city });
    accepted.push(around.length > 0 ? { ...match, place, score } : match);
  }
  return [...accepted, ...matches.slice(3)].sort(
    (a, b) => byFit(a, b) || compareTrust(sources, a.row, b.row),
  );
}

/**
 * The equally good matches. At one place, the most trusted source's row represents all rows of that address
 * point, so that a later sale never moves an address that an address file has.
 */
function bestOf(sources: AddressSources, all: readonly AddressMatch[]): readonly AddressMatch[] {
  const [first] = all;
  if (!first || first.score.isElsewhere) return [];
  const fitting = all.filter((match) => byFit(match, first) === 0);
  const best = isOnePlace(fitting) ? fitting : withoutOutliers(fitting);
  if (!isOnePlace(best)) return best;
  return all
    .filter(
      ({ row, score }) =>
        !score.isElsewhere && score.line === first.score.line && milesApart(row, best[0].row) <= ONE_PLACE_MI,
    )
    .sort((a, b) => compareTrust(sources, a.row, b.row));
}

/**
 * Publishers misplace some rows of an address (King County has "19600 144TH AVE NE" 92 times in one place and
 * once six miles away). If more than half of the rows are together, the others are ignored.
 */
function withoutOutliers(matches: readonly AddressMatch[]): readonly AddressMatch[] {
  const [first] = matches;
  if (matches.length > MAX_COMPARED || !matches.every(({ row }) => isSameText(row, first.row)))
    return matches;
  for (const { row } of matches) {
    const together = matches.filter((other) => milesApart(row, other.row) <= ONE_ADDRESS_MI / 2);
    if (together.length * 2 > matches.length) return together;
  }
  return matches;
}

/** Whether all matches are at one place, or are one address that its publisher located in several ways. */
export function isOnePlace(matches: readonly AddressMatch[]): boolean {
  const [first] = matches;
  return matches.every(
    ({ row }) => milesApart(row, first.row) <= (isSameText(row, first.row) ? ONE_ADDRESS_MI : ONE_PLACE_MI),
  );
}

function isSameText({ key: a }: AddressPointRow, { key: b }: AddressPointRow): boolean {
  return a.city !== '' && addressKeyOf(a) === addressKeyOf(b);
}

function byFit(a: AddressMatch, b: AddressMatch): number {
  return (
    Number(a.score.isElsewhere) - Number(b.score.isElsewhere) ||
    b.score.line - a.score.line ||
    b.score.place - a.score.place
  );
}

/** The row's address, with the city and state of its surroundings if it names none. */
export function publishedAddress({ row, place }: Pick<AddressMatch, 'row' | 'place'>): PostalAddress {
  return place.shown ? { ...row.address, ...place.shown } : row.address;
}

/** The parcels of a matched address; null if no row names a parcel. */
export function parcelsOfMatch(finding: AddressFinding): ParcelGroup | null {
  return parcelsOfUnit(finding.request.unit, rowsOfStreetLine(finding));
}

/** A row of a building: the parcel that it names, and its normalized unit. */
interface UnitRow {
  readonly parcelId: string | null;
  readonly key: { readonly unit: string };
}

/**
 * The parcels that rows of one street address name: that of the requested unit, otherwise those of the building. Units
 * of a condominium are separate parcels: without a unit the address has all of them. Another unit's parcel is never
 * that of the requested unit. null if no row names a parcel.
 */
export function parcelsOfUnit(unit: string, rows: readonly UnitRow[]): ParcelGroup | null {
  const idsOf = (isMeant: (row: UnitRow) => boolean): string[] => [
    ...new Set(rows.filter(isMeant).flatMap(({ parcelId }) => parcelId ?? [])),
  ];
  const own = idsOf(({ key }) => key.unit === unit);
  const all = idsOf(() => true);
  if (unit === '') {
    // Some rows of a tower omit their unit: then one of them is not the building.
    const parcelIds = own.length === 1 && all.length <= 2 ? own : all;
    return parcelIds.length === 0 ? null : { parcelIds, awayM: 0, tie: 'address' };
  }
  if (own.length > 0) return { parcelIds: own, awayM: 0, tie: own.length === 1 ? 'unit' : 'address' };
  const building = idsOf(({ key }) => key.unit === '');
  const isShared = all.length === 1 && unitsOf(rows.filter(({ parcelId }) => parcelId !== null)).size > 1;
  const parcelIds = building.length > 0 ? building : isShared ? all : [];
  return parcelIds.length === 0 ? null : { parcelIds, awayM: 0, tie: 'address' };
}

/** How many units the index has at the matched address. */
export function unitCountOf(finding: AddressFinding): number {
  return unitsOf(rowsOfStreetLine(finding)).size;
}

function unitsOf(rows: readonly UnitRow[]): Set<string> {
  return new Set(rows.map(({ key }) => key.unit).filter((unit) => unit !== ''));
}

/** A row of each unit of the matched address, by unit; none if the request names a unit. */
export function unitRowsOf(finding: AddressFinding): AddressPointRow[] {
  if (finding.request.unit !== '') return [];
  const rows = rowsOfStreetLine(finding).filter(({ key }) => key.unit !== '');
  // One with a parcel says more about the unit.
  const byUnit = Map.groupBy(rows, ({ key }) => key.unit);
  const units = [...byUnit.values()].map((same) => same.find((row) => row.parcelId !== null) ?? same[0]);
  return units.sort((a, b) => a.key.unit.localeCompare(b.key.unit, 'en', { numeric: true }));
}

/** All rows of the matched number and street at its place, whatever their unit. */
function rowsOfStreetLine({ best, all }: AddressFinding): AddressPointRow[] {
  const [{ row: matched }] = best;
  const lineOf = ({ key }: AddressPointRow): string => streetLineKeyOf({ ...key, unit: '' });
  const matches = all.filter(
    ({ row, score }) =>
      !score.isElsewhere &&
      milesApart(row, matched) <= ONE_PLACE_MI &&
      (row === matched || lineOf(row) === lineOf(matched)),
  );
  return matches.map(({ row }) => row);
}
