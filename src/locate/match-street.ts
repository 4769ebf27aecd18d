import { directionsOf } from '../domain/address-key.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import type { PostalAddress } from '../domain/address.ts';
import { metersApart } from '../geo/distance.ts';
import { numbersOfStreet, type AddressPointRow } from '../store/address-points.ts';
import { findTrusted, ownPlace, placeOfRow, type AddressSources } from './known-place.ts';
import type { CoarsePlace } from './located.ts';
import { middleOf, weightedQuantile } from './middle-point.ts';
import { isOtherState, scoreAddress } from './score-address.ts';

/** Neighbors farther apart than this do not locate what is between them. */
const MAX_APART_M = 400;

/** However close its neighbors are, a home is this far from the line between them (95% in Milwaukee). */
const LEAST_BETWEEN_M = 50;
/** Half a long block: the error if only one number is known. */
const LEAST_ON_STREET_M = 150;

/** The extent of nine of ten addresses of a street is the error of its middle. */
const SHARE_OF_STREET = 0.9;

/** Numbers per block: American streets are numbered by hundreds. */
const BLOCK_NUMBERS = 100;

/** House numbers sampled evenly to represent a street: all 900 rows of a common one would take 13 ms. */
const MAX_NUMBERS = 60;

/** A row of the requested street, with its numeric house number. */
interface NumberedRow {
  readonly row: AddressPointRow;
  readonly number: number;
}

/** Locates an unknown house number between its neighbors on the same side, otherwise on either side. */
export async function interpolateNumber(
  sources: AddressSources,
  request: ParsedAddress,
): Promise<CoarsePlace | null> {
  const blocks = await rowsOfBlocks(sources, request);
  return onlyPlace(blocks, (block) => placeBetween(sources, request, block));
}

/** The known number nearest to the requested one in its block, otherwise the median of the street. */
export async function matchStreet(
  sources: AddressSources,
  request: ParsedAddress,
): Promise<CoarsePlace | null> {
  const blocks = await rowsOfBlocks(sources, request);
  if (blocks.length > 0) {
    const number = Number(request.number);
    return onlyPlace(blocks, (block) => {
      const [nearest] = block.toSorted((a, b) => farFrom(a, number) - farFrom(b, number));
      const rows = block.map(({ row }) => row);
      return placeOnStreet(sources, request, nearest.row, rows, 1, false);
    });
  }
  const streets = await rowsOfStreets(sources, request);
  return onlyPlace(streets, (rows) =>
    placeOnStreet(sources, request, middleOf(rows), rows, SHARE_OF_STREET, request.number !== ''),
  );
}

/** The first of several locations that are one place; null if they are in different towns. */
async function onlyPlace<Street>(
  streets: readonly Street[],
  placeOf: (street: Street) => Promise<CoarsePlace | null>,
): Promise<CoarsePlace | null> {
  const places: CoarsePlace[] = [];
  for (const street of streets) {
    const place = await placeOf(street);
    if (place) places.push(place);
  }
  const [first = null] = places;
  return first && places.every((place) => metersApart(place, first) <= MAX_APART_M) ? first : null;
}

async function placeBetween(
  sources: AddressSources,
  request: ParsedAddress,
  block: readonly NumberedRow[],
): Promise<CoarsePlace | null> {
  const number = Number(request.number);
  const sameSide = block.filter((neighbor) => neighbor.number % 2 === number % 2);
  const pair = neighborsOf(sameSide, number) ?? neighborsOf(block, number);
  if (pair === null) return null;
  const { low, high } = pair;
  const gapM = metersApart(low.row, high.row);
  if (gapM > MAX_APART_M) return null;
  const names = await namesOf(sources, request, low.row);
  if (names === null || (await namesOf(sources, request, high.row)) === null) return null;
  const share = (number - low.number) / (high.number - low.number);
  return {
    level: 'interpolated',
    lat: between(low.row.lat, high.row.lat, share),
    lon: between(low.row.lon, high.row.lon, share),
    accuracyM: Math.round(Math.max(LEAST_BETWEEN_M, share * gapM, (1 - share) * gapM)),
    address: { ...names, street: `${request.number} ${streetOf(low.row)}` },
    isDoubtful: false,
    source: 'index',
  };
}

/** A row that represents its street; its error is the distance within which that share of the rows lies. */
async function placeOnStreet(
  sources: AddressSources,
  request: ParsedAddress,
  at: AddressPointRow,
  rows: readonly AddressPointRow[],
  share: number,
  isDoubtful: boolean,
): Promise<CoarsePlace | null> {
  const names = await namesOf(sources, request, at);
  if (names === null) return null;
  const meters = rows.map((row) => ({ value: metersApart(row, at), weight: 1 }));
  return {
    level: 'street',
    lat: at.lat,
    lon: at.lon,
    accuracyM: Math.round(Math.max(LEAST_ON_STREET_M, weightedQuantile(meters, share))),
    address: { ...names, street: streetOf(at) },
    isDoubtful,
    source: 'index',
  };
}

/** The nearest numbers below and above; of one number, the building from the most trusted source. */
function neighborsOf(
  rows: readonly NumberedRow[],
  number: number,
): { readonly low: NumberedRow; readonly high: NumberedRow } | null {
  const nearest = (side: readonly NumberedRow[]): NumberedRow | null => {
    const least = side.reduce((min, row) => Math.min(min, farFrom(row, number)), Infinity);
    const best = side.filter((row) => farFrom(row, number) === least);
    return best.find(({ row }) => row.key.unit === '') ?? best[0] ?? null;
  };
  const low = nearest(rows.filter((row) => row.number < number));
  const high = nearest(rows.filter((row) => row.number > number));
  return low && high && { low, high };
}

/** Rounded to a ten-millionth of a degree (a centimeter). */
function between(a: number, b: number, share: number): number {
  return Math.round((a + share * (b - a)) * 1e7) / 1e7;
}

function farFrom(row: NumberedRow, number: number): number {
  return Math.abs(row.number - number);
}

/** Rows along each street that may be meant, by street. Sales are not used: a later sale must not move a home. */
async function rowsOfStreets(sources: AddressSources, request: ParsedAddress): Promise<AddressPointRow[][]> {
  if (request.streetName === '') return [];
  const known = await numbersOfStreet(sources.store, sources.surveyedRowsIds, request.streetName);
  const sorted = known.toSorted((a, b) => (numberOf(a) ?? Infinity) - (numberOf(b) ?? Infinity) || 0);
  const step = Math.max(1, sorted.length / MAX_NUMBERS);
  const drawn = sorted.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
  return streetsOf(sources, request, drawn);
}

/** The same for all rows with other house numbers within a block of the requested one. */
async function rowsOfBlocks(sources: AddressSources, request: ParsedAddress): Promise<NumberedRow[][]> {
  const number = numberOf(request.number);
  if (number === null || request.streetName === '') return [];
  const known = await numbersOfStreet(sources.store, sources.surveyedRowsIds, request.streetName);
  const isNear = (other: number | null): boolean =>
    other !== null && other !== number && Math.abs(other - number) <= BLOCK_NUMBERS;
  const near = known.filter((text) => isNear(numberOf(text)));
  const streets = await streetsOf(sources, request, near);
  return streets.map((street) => street.map((row) => ({ row, number: Number(row.key.number) })));
}

/** A house number as a number; null if it has letters or a hyphen. */
function numberOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** The rows whose direction and type fit best, by street. A row without a city has the one of its file. */
async function streetsOf(
  sources: AddressSources,
  request: ParsedAddress,
  numbers: readonly string[],
): Promise<AddressPointRow[][]> {
  const wanted = { streetName: request.streetName, number: numbers };
  const rows = await findTrusted(sources, wanted, sources.surveyedRowsIds);
  const street = { ...request, unit: '', numberSuffix: '' };
  const scored = rows
    .filter((row) => Number.isFinite(row.lat) && Number.isFinite(row.lon))
    .map((row) => ({
      row,
      score: scoreAddress(street, { ...row.key, unit: '', numberSuffix: '' }, ownPlace(row)),
    }))
    .filter(
      ({ row, score }) => !score.isElsewhere && !score.isApproximate && !isOtherState(request, ownPlace(row)),
    );
  const best = scored.reduce((most, { score }) => Math.max(most, score.line), -Infinity);
  const fitting = scored.filter(({ score }) => score.line === best).map(({ row }) => row);
  const streets = Map.groupBy(fitting, (row) => (row.key.city === '' ? row.rowsId : 'named'));
  return [...streets.values()].filter(isOneStreet);
}

/** Neighbors must be in one street and one town. */
function isOneStreet(rows: readonly AddressPointRow[]): boolean {
  const kinds = (of: (row: AddressPointRow) => string): number =>
    new Set(rows.map(of).filter((text) => text !== '')).size;
  return (
    kinds(({ key }) => `${directionsOf(key)} ${key.streetType}`) === 1 &&
    kinds(({ key }) => key.city) <= 1 &&
    kinds(({ key }) => key.stateCode) <= 1
  );
}

/** City, state and ZIP at a row of the street; null if they differ from the requested ones. */
async function namesOf(
  sources: AddressSources,
  request: ParsedAddress,
  row: AddressPointRow,
): Promise<Omit<PostalAddress, 'street'> | null> {
  const place = await placeOfRow(sources, row);
  if (isOtherState(request, place) || scoreAddress(request, row.key, place).isElsewhere) return null;
  const { city, stateCode, postalCode } = row.address;
  return { city, stateCode, postalCode, ...place.shown };
}

/** The street's name as published: the row's text without number and unit. */
function streetOf({ address, key }: AddressPointRow): string {
  const named = address.street.trim().replace(/^\S*\d\S*(\s+\d+\/\d+)?\s+/, '');
  if (key.unit === '') return named;
  return named.replace(/[\s,]+(#|(apt|unit|ste|suite|bldg|lot|fl|floor|rm|upper|lower|rear)\b).*$/i, '');
}
