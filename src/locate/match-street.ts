import type { ParsedAddress } from '../domain/address-parts.ts';
import { distanceMi, METERS_PER_MILE } from '../geo/distance.ts';
import type { AddressPointRow } from '../store/address-points.ts';
import type { AddressSources } from './known-place.ts';
import type { CoarsePlace } from './located.ts';
import { middleOf, quantileOf } from './middle-point.ts';
import { namesOf, rowsOfBlocks, rowsOfStreets, streetOf, type NumberedRow } from './street-rows.ts';

/** Neighbors farther apart than this do not locate what is between them. */
const MOST_APART_M = 400;

/** However close its neighbors are, a home is this far from the line between them (95% in Milwaukee). */
const LEAST_BETWEEN_M = 50;
/** Half a long block: the error if only one number is known. */
const LEAST_ON_STREET_M = 150;

/** The extent of nine of ten addresses of a street is the error of its middle. */
const MOST_OF_STREET = 0.9;

/** Locates an unknown house number between its neighbors on the same side, otherwise on either side. */
export async function interpolateNumber(
  sources: AddressSources,
  asked: ParsedAddress,
): Promise<CoarsePlace | null> {
  const places: CoarsePlace[] = [];
  for (const block of await rowsOfBlocks(sources, asked)) {
    const place = await placeBetween(sources, asked, block);
    if (place) places.push(place);
  }
  return theOnlyOne(places);
}

async function placeBetween(
  sources: AddressSources,
  asked: ParsedAddress,
  block: readonly NumberedRow[],
): Promise<CoarsePlace | null> {
  const number = Number(asked.number);
  const sameSide = block.filter((neighbor) => neighbor.number % 2 === number % 2);
  const pair = neighborsOf(sameSide, number) ?? neighborsOf(block, number);
  if (pair === null) return null;
  const { low, high } = pair;
  const gapM = metersApart(low.row, high.row);
  if (gapM > MOST_APART_M) return null;
  const names = await namesOf(sources, asked, low.row);
  if (names === null || (await namesOf(sources, asked, high.row)) === null) return null;
  const share = (number - low.number) / (high.number - low.number);
  return {
    level: 'interpolated',
    lat: between(low.row.lat, high.row.lat, share),
    lon: between(low.row.lon, high.row.lon, share),
    accuracyM: Math.round(Math.max(LEAST_BETWEEN_M, share * gapM, (1 - share) * gapM)),
    address: { ...names, street: `${asked.number} ${streetOf(low.row)}` },
    isDoubtful: false,
    source: 'index',
  };
}

/**
 * The street itself: the known number nearest to the requested one in its block, otherwise the median of the
 * street's addresses.
 */
export async function matchStreet(
  sources: AddressSources,
  asked: ParsedAddress,
): Promise<CoarsePlace | null> {
  const blocks = await rowsOfBlocks(sources, asked);
  const places: CoarsePlace[] = [];
  for (const block of blocks) {
    const number = Number(asked.number);
    const [nearest] = block.toSorted((a, b) => farFrom(a, number) - farFrom(b, number));
    const rows = block.map(({ row }) => row);
    const place = await placeOnStreet(sources, asked, nearest.row, rows, { share: 1, isDoubtful: false });
    if (place) places.push(place);
  }
  if (blocks.length > 0) return theOnlyOne(places);
  const isDoubtful = asked.number !== '';
  for (const rows of await rowsOfStreets(sources, asked)) {
    const place = await placeOnStreet(sources, asked, middleOf(rows), rows, {
      share: MOST_OF_STREET,
      isDoubtful,
    });
    if (place) places.push(place);
  }
  return theOnlyOne(places);
}

/** A row that represents its street; its error is the distance within which that share of the rows lies. */
async function placeOnStreet(
  sources: AddressSources,
  asked: ParsedAddress,
  at: AddressPointRow,
  rows: readonly AddressPointRow[],
  { share, isDoubtful }: { readonly share: number; readonly isDoubtful: boolean },
): Promise<CoarsePlace | null> {
  const names = await namesOf(sources, asked, at);
  if (names === null) return null;
  const meters = rows.map((row) => metersApart(row, at)).sort((a, b) => a - b);
  return {
    level: 'street',
    lat: at.lat,
    lon: at.lon,
    accuracyM: Math.round(Math.max(LEAST_ON_STREET_M, quantileOf(meters, share))),
    address: { ...names, street: streetOf(at) },
    isDoubtful,
    source: 'index',
  };
}

/** The first of several locations that are one place; null if they are in different towns. */
function theOnlyOne(places: readonly CoarsePlace[]): CoarsePlace | null {
  const [first = null] = places;
  return first && places.every((place) => metersApart(place, first) <= MOST_APART_M) ? first : null;
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

function metersApart(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  return distanceMi(a.lat, a.lon, b.lat, b.lon) * METERS_PER_MILE;
}
