import type { PostalAddress } from '../domain/address.ts';
import { directionsOf } from '../domain/address-key.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import { distanceMi, METRES_PER_MILE } from '../geo/distance.ts';
import { findAddressPoints, numbersOfStreet, type AddressPointRow } from '../store/address-points.ts';
import { ownPlace, placeOfRow, type AddressSources } from './known-place.ts';
import type { CoarsePlace } from './located.ts';
import { middleOf, quantileOf } from './middle-point.ts';
import { isOtherState, scoreAddress } from './score-address.ts';

/** Numbers of one block: a hundred to a block is how American streets are numbered. */
const BLOCK_NUMBERS = 100;

/** Neighbours farther apart than this tell little of what stands between them. */
const MOST_APART_M = 400;

/** Homes stand this far from the line between their neighbours' points, however close those are (95 % in Milwaukee). */
const LEAST_BETWEEN_M = 50;
/** Half a long block: a single known number says no more of where another one stands. */
const LEAST_ON_STREET_M = 150;

/** Where nine of ten addresses of a street stand says how far off its middle may be. */
const MOST_OF_STREET = 0.9;

/** A row of the street asked for, and its house number as one. */
interface NumberedRow {
  readonly row: AddressPointRow;
  readonly number: number;
}

/**
 * Where a house number that the index lacks would stand: between its neighbours of the same side, else of either.
 * Neighbours come from address files and parcels, never from sales: a later sale moves no home.
 */
export async function interpolateNumber(
  sources: AddressSources,
  asked: ParsedAddress,
): Promise<CoarsePlace | null> {
  const number = numberOf(asked.number);
  if (number === null) return null;
  const block = await rowsOfBlock(sources, asked, number);
  const isSameSide = (candidate: NumberedRow): boolean => candidate.number % 2 === number % 2;
  const pair = neighboursOf(block.filter(isSameSide), number) ?? neighboursOf(block, number);
  if (pair === null) return null;
  const { low, high } = pair;
  const gapM = metresApart(low.row, high.row);
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
 * The street itself: the known number nearest to the one asked for when it is of the same block, else the middle
 * of the street's addresses.
 */
export async function matchStreet(
  sources: AddressSources,
  asked: ParsedAddress,
): Promise<CoarsePlace | null> {
  const number = numberOf(asked.number);
  const block = number === null ? [] : await rowsOfBlock(sources, asked, number);
  const rows = block.length > 0 ? block.map(({ row }) => row) : await rowsOfStreet(sources, asked);
  if (rows.length === 0) return null;
  const nearest =
    number === null ? undefined : block.toSorted((a, b) => farFrom(a, number) - farFrom(b, number))[0];
  const at = nearest?.row ?? middleOf(rows);
  const names = await namesOf(sources, asked, at);
  if (names === null) return null;
  const metres = rows.map((row) => metresApart(row, at)).sort((a, b) => a - b);
  return {
    level: 'street',
    lat: at.lat,
    lon: at.lon,
    accuracyM: Math.round(Math.max(LEAST_ON_STREET_M, quantileOf(metres, nearest ? 1 : MOST_OF_STREET))),
    address: { ...names, street: streetOf(at) },
    isDoubtful: asked.number !== '' && !nearest,
    source: 'index',
  };
}

/** The rows of the street asked for within a block of the number; none where several streets could be meant. */
async function rowsOfBlock(
  sources: AddressSources,
  asked: ParsedAddress,
  number: number,
): Promise<NumberedRow[]> {
  const { store, surveyedDatasetIds } = sources;
  const known = await numbersOfStreet(store, surveyedDatasetIds, asked.streetName);
  const near = known.filter((text) => Math.abs((numberOf(text) ?? Infinity) - number) <= BLOCK_NUMBERS);
  const rows = await findAddressPoints(store, surveyedDatasetIds, {
    streetName: asked.streetName,
    number: near,
  });
  return ofOneStreet(sources, asked, rows)
    .map((row) => ({ row, number: Number(row.key.number) }))
    .filter((candidate) => candidate.number !== number);
}

async function rowsOfStreet(sources: AddressSources, asked: ParsedAddress): Promise<AddressPointRow[]> {
  if (asked.streetName === '') return [];
  const { store, surveyedDatasetIds } = sources;
  const rows = await findAddressPoints(store, surveyedDatasetIds, { streetName: asked.streetName });
  return ofOneStreet(sources, asked, rows);
}

/**
 * The rows whose direction and type fit best, the most trusted source first; none where they are of several
 * streets or cities, so that no number is placed between two towns.
 */
function ofOneStreet(
  sources: AddressSources,
  asked: ParsedAddress,
  rows: readonly AddressPointRow[],
): AddressPointRow[] {
  const street = { ...asked, unit: '', numberSuffix: '' };
  const scored = rows
    .filter((row) => Number.isFinite(row.lat) && Number.isFinite(row.lon))
    .map((row) => ({
      row,
      score: scoreAddress(street, { ...row.key, unit: '', numberSuffix: '' }, ownPlace(row)),
    }))
    .filter(
      ({ row, score }) => !score.isElsewhere && !score.isApproximate && !isOtherState(asked, ownPlace(row)),
    );
  const best = scored.reduce((most, { score }) => Math.max(most, score.door), -Infinity);
  const fitting = scored.filter(({ score }) => score.door === best).map(({ row }) => row);
  const kinds = (of: (row: AddressPointRow) => string): number =>
    new Set(fitting.map(of).filter(Boolean)).size;
  const isOne =
    kinds(({ key }) => `${directionsOf(key)} ${key.streetType}`) === 1 &&
    kinds(({ key }) => key.city) <= 1 &&
    kinds(({ key }) => key.stateCode) <= 1;
  if (!isOne) return [];
  const rank = new Map(sources.datasetIds.map((id, i) => [id, i]));
  return fitting.sort((a, b) => (rank.get(a.datasetId) ?? 0) - (rank.get(b.datasetId) ?? 0));
}

/** The nearest number below and above; of one number's rows the building of the most trusted source. */
function neighboursOf(
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

/** City, state and ZIP at a row of the street; null where they are not the ones asked for. */
async function namesOf(
  sources: AddressSources,
  asked: ParsedAddress,
  row: AddressPointRow,
): Promise<Omit<PostalAddress, 'street'> | null> {
  const place = await placeOfRow(sources, row);
  if (isOtherState(asked, place) || scoreAddress(asked, row.key, place).isElsewhere) return null;
  const { city, stateCode, postalCode } = row.address;
  return { city, stateCode, postalCode, ...place.shown };
}

/** The street's name as published: the row's text without number and unit. */
function streetOf({ address, key }: AddressPointRow): string {
  const named = address.street.trim().replace(/^\S*\d\S*(\s+\d+\/\d+)?\s+/, '');
  if (key.unit === '') return named;
  return named.replace(/[\s,]+(#|(apt|unit|ste|suite|bldg|lot|fl|floor|rm|upper|lower|rear)\b).*$/i, '');
}

/** To a ten-millionth of a degree: a centimetre. */
function between(a: number, b: number, share: number): number {
  return Math.round((a + share * (b - a)) * 1e7) / 1e7;
}

function numberOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function farFrom(row: NumberedRow, number: number): number {
  return Math.abs(row.number - number);
}

function metresApart(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  return distanceMi(a.lat, a.lon, b.lat, b.lon) * METRES_PER_MILE;
}
