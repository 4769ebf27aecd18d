import type { PostalAddress } from '../domain/address.ts';
import { directionsOf } from '../domain/address-key.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import { findAddressPoints, numbersOfStreet, type AddressPointRow } from '../store/address-points.ts';
import { ownPlace, placeOfRow, type AddressSources } from './known-place.ts';
import { isOtherState, scoreAddress } from './score-address.ts';

/** Numbers per block: American streets are numbered by hundreds. */
const BLOCK_NUMBERS = 100;

/** House numbers sampled evenly to represent a street: all 900 rows of a common one would take 13 ms. */
const MOST_NUMBERS = 60;

/** A row of the requested street, with its numeric house number. */
export interface NumberedRow {
  readonly row: AddressPointRow;
  readonly number: number;
}

/**
 * Rows along each street that may be meant, one list per street, the most trusted source first. Address files
 * and parcels only, so that a later sale moves no home.
 */
export async function rowsOfStreets(
  sources: AddressSources,
  asked: ParsedAddress,
): Promise<readonly (readonly AddressPointRow[])[]> {
  const { store, surveyedDatasetIds } = sources;
  if (asked.streetName === '') return [];
  const known = await numbersOfStreet(store, surveyedDatasetIds, asked.streetName);
  const sorted = known.toSorted((a, b) => (numberOf(a) ?? Infinity) - (numberOf(b) ?? Infinity) || 0);
  const step = Math.max(1, sorted.length / MOST_NUMBERS);
  const drawn = sorted.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
  const wanted = { streetName: asked.streetName, number: drawn };
  return streetsOf(sources, asked, await findAddressPoints(store, surveyedDatasetIds, wanted));
}

/** The same for all rows with other house numbers within a block of the requested one. */
export async function rowsOfBlocks(
  sources: AddressSources,
  asked: ParsedAddress,
): Promise<readonly (readonly NumberedRow[])[]> {
  const { store, surveyedDatasetIds } = sources;
  const number = numberOf(asked.number);
  if (number === null || asked.streetName === '') return [];
  const known = await numbersOfStreet(store, surveyedDatasetIds, asked.streetName);
  const isNear = (other: number | null): boolean =>
    other !== null && other !== number && Math.abs(other - number) <= BLOCK_NUMBERS;
  const rows = await findAddressPoints(store, surveyedDatasetIds, {
    streetName: asked.streetName,
    number: known.filter((text) => isNear(numberOf(text))),
  });
  const streets = streetsOf(sources, asked, rows);
  return streets.map((street) => street.map((row) => ({ row, number: Number(row.key.number) })));
}

/** A house number as a number; null if it has letters or a hyphen. */
function numberOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/**
 * The rows whose direction and type fit best, by street. Rows without a city belong to the city of their
 * file.
 */
function streetsOf(
  sources: AddressSources,
  asked: ParsedAddress,
  rows: readonly AddressPointRow[],
): AddressPointRow[][] {
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
  const rank = new Map(sources.datasetIds.map((id, i) => [id, i]));
  const fitting = scored
    .filter(({ score }) => score.door === best)
    .map(({ row }) => row)
    .sort((a, b) => (rank.get(a.datasetId) ?? 0) - (rank.get(b.datasetId) ?? 0));
  const streets = Map.groupBy(fitting, (row) => (row.key.city === '' ? row.datasetId : 'named'));
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
export async function namesOf(
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
export function streetOf({ address, key }: AddressPointRow): string {
  const named = address.street.trim().replace(/^\S*\d\S*(\s+\d+\/\d+)?\s+/, '');
  if (key.unit === '') return named;
  return named.replace(/[\s,]+(#|(apt|unit|ste|suite|bldg|lot|fl|floor|rm|upper|lower|rear)\b).*$/i, '');
}
