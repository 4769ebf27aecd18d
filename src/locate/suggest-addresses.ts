import { directionsOf, doorKeyOf } from '../domain/address-key.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import {
  findAddressPoints,
  numbersOfStreet,
  streetNamesOfNumber,
  type AddressPointQuery,
  type AddressPointRow,
} from '../store/address-points.ts';
import { displayOf } from './display-address.ts';
import { placeOfRow, type AddressSources, type RowPlace } from './known-place.ts';
import type { AddressCandidate } from './located.ts';
import type { AddressFinding } from './match-address.ts';
import { isOtherState } from './score-address.ts';

const MOST_CANDIDATES = 10;
const MOST_OF_A_KIND = 5;
const MOST_LOOKED_AT = 10;

/** House numbers farther away are not suggested. Another direction counts as half of this. */
const FARTHEST_NUMBER = 2000;
const OTHER_DIRECTION = 1000;

/** Numbers of the street to read: enough even if other towns have a street of that name. */
const MOST_NUMBERS = 40;
/** Similar street names that are read. */
const MOST_NAMES = 10;

/**
 * Addresses that may have been meant, best first: the same number and street name elsewhere, the nearest
 * numbers in the same street, the same number in a street with a similar name.
 */
export async function suggestAddresses(
  sources: AddressSources,
  { asked, best, all }: AddressFinding,
): Promise<AddressCandidate[]> {
  const same = (best.length > 0 ? best : all).map(({ row }) => row);
  if (best.length > 0 || asked.streetName === '' || asked.number === '') return present(sources, asked, same);
  return present(sources, asked, [
    ...same.slice(0, MOST_OF_A_KIND),
    ...(await nearestNumbers(sources, asked)).slice(0, MOST_OF_A_KIND),
    ...(await similarNames(sources, asked)).slice(0, MOST_OF_A_KIND),
  ]);
}

/** Address files come first, so that their row represents an address point. */
async function findTrusted(sources: AddressSources, wanted: AddressPointQuery): Promise<AddressPointRow[]> {
  const rows = await findAddressPoints(sources.store, sources.datasetIds, wanted);
  const rank = new Map(sources.datasetIds.map((id, i) => [id, i]));
  return rows.sort((a, b) => (rank.get(a.datasetId) ?? 0) - (rank.get(b.datasetId) ?? 0));
}

async function nearestNumbers(sources: AddressSources, asked: ParsedAddress): Promise<AddressPointRow[]> {
  const wanted = Number(asked.number);
  if (Number.isNaN(wanted)) return [];
  const farOf = (number: string): number => Math.abs(Number(number) - wanted);
  const known = await numbersOfStreet(sources.store, sources.datasetIds, asked.streetName);
  const near = known
    .filter((number) => number !== asked.number && farOf(number) < FARTHEST_NUMBER)
    .sort((a, b) => farOf(a) - farOf(b))
    .slice(0, MOST_NUMBERS);
  const rows = await findTrusted(sources, { streetName: asked.streetName, number: near });
  const costOf = (row: AddressPointRow): number =>
    farOf(row.key.number) + (directionsOf(asked) === directionsOf(row.key) ? 0 : OTHER_DIRECTION);
  return rows
    .filter((row) => row.key.unit === '' && fitsPlace(asked, row))
    .map((row) => ({ row, cost: costOf(row) }))
    .filter(({ cost }) => cost < FARTHEST_NUMBER)
    .sort((a, b) => a.cost - b.cost)
    .map(({ row }) => row);
}

async function similarNames(sources: AddressSources, asked: ParsedAddress): Promise<AddressPointRow[]> {
  const most = asked.streetName.length < 6 ? 1 : 2;
  const costOf = (name: string): number => editDistance(asked.streetName, name, most);
  const names = (await streetNamesOfNumber(sources.store, sources.datasetIds, asked.number))
    .filter((name) => name !== asked.streetName && costOf(name) <= most)
    .sort((a, b) => costOf(a) - costOf(b))
    .slice(0, MOST_NAMES);
  const rows = await findTrusted(sources, { number: asked.number, streetName: names });
  return rows
    .filter((row) => row.key.unit === '' && fitsPlace(asked, row))
    .map((row) => ({ row, cost: costOf(row.key.streetName) }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ row }) => row);
}

/** No suggestions in another state or city than requested, as far as rows show. */
function fitsPlace(asked: ParsedAddress, { key }: AddressPointRow): boolean {
  const differs = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;
  return !differs(asked.stateCode, key.stateCode) && !differs(asked.city, key.city);
}

async function present(
  sources: AddressSources,
  asked: ParsedAddress,
  rows: readonly AddressPointRow[],
): Promise<AddressCandidate[]> {
  const shown = await showRows(sources, asked, rows, MOST_CANDIDATES);
  return shown.map(({ row, formattedAddress }) => ({
    formattedAddress,
    latitude: row.lat,
    longitude: row.lon,
  }));
}

/** A row, and its address for display. */
export interface ShownRow {
  readonly row: AddressPointRow;
  readonly formattedAddress: string;
}

/** Rows as a caller sees them: each address point once, with its city, and none in another state. */
export async function showRows(
  sources: AddressSources,
  asked: ParsedAddress,
  rows: readonly AddressPointRow[],
  most: number,
): Promise<ShownRow[]> {
  const shown: ShownRow[] = [];
  const seen = new Set<string>();
  const placeOfBlock = new Map<string, RowPlace>();
  for (const row of rows) {
    const door = `${doorKeyOf({ ...row.key, numberTo: '' })} ${row.lat.toFixed(2)} ${row.lon.toFixed(2)}`;
    if (seen.has(door)) continue;
    seen.add(door);
    if (seen.size > MOST_LOOKED_AT || shown.length === most) break;
    const block = `${row.datasetId} ${row.key.city} ${row.lat.toFixed(3)} ${row.lon.toFixed(3)}`;
    const place = placeOfBlock.get(block) ?? (await placeOfRow(sources, row));
    placeOfBlock.set(block, place);
    if (isOtherState(asked, place)) continue;
    const { formatted } = displayOf(place.shown ? { ...row.address, ...place.shown } : row.address);
    shown.push({ row, formattedAddress: formatted });
  }
  return shown;
}

/** Edit distance of two texts; stops with a value above `most` once it is exceeded. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, above[j] + 1, row[j - 1] + 1));
    }
    if (Math.min(...row) > most) return most + 1;
    above = row;
  }
  return above[b.length];
}
