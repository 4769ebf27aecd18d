import { directionsOf } from '../domain/address-key.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import { findAddressPoints, type AddressPointRow } from '../store/address-points.ts';
import { displayOf } from './display-address.ts';
import { placeOfRow, type AddressSources } from './known-place.ts';
import type { AddressCandidate } from './located.ts';
import type { AddressFinding } from './match-address.ts';
import { isOtherState } from './score-address.ts';

const MOST_CANDIDATES = 10;
const MOST_OF_A_KIND = 5;
const MOST_LOOKED_AT = 20;

/** House numbers farther from the one asked for than this are no help; another direction counts as half of it. */
const FARTHEST_NUMBER = 2000;
const OTHER_DIRECTION = 1000;

/**
 * Addresses that may have been meant, best first: the same number and street name elsewhere, the numbers
 * nearest in the same street, the same number in a street of a similar name.
 */
export async function suggestAddresses(
  sources: AddressSources,
  { asked, best, all }: AddressFinding,
): Promise<AddressCandidate[]> {
  const same = (best.length > 0 ? best : all).map(({ row }) => row);
  if (best.length > 0 || asked.streetName === '' || asked.number === '') return present(sources, asked, same);
  const inStreet = await findAddressPoints(sources.store, sources.datasetIds, {
    streetName: asked.streetName,
  });
  const ofNumber = await findAddressPoints(sources.store, sources.datasetIds, { number: asked.number });
  return present(sources, asked, [
    ...same.slice(0, MOST_OF_A_KIND),
    ...nearestNumbers(asked, inStreet).slice(0, MOST_OF_A_KIND),
    ...similarNames(asked, ofNumber).slice(0, MOST_OF_A_KIND),
  ]);
}

function nearestNumbers(asked: ParsedAddress, rows: readonly AddressPointRow[]): AddressPointRow[] {
  const wanted = Number(asked.number);
  if (Number.isNaN(wanted)) return [];
  const costOf = (row: AddressPointRow): number =>
    Math.abs(Number(row.key.number) - wanted) +
    (directionsOf(asked) === directionsOf(row.key) ? 0 : OTHER_DIRECTION);
  return rows
    .filter((row) => row.key.number !== asked.number && row.key.unit === '' && fitsPlace(asked, row))
    .map((row) => ({ row, cost: costOf(row) }))
    .filter(({ cost }) => cost < FARTHEST_NUMBER)
    .sort((a, b) => a.cost - b.cost)
    .map(({ row }) => row);
}

function similarNames(asked: ParsedAddress, rows: readonly AddressPointRow[]): AddressPointRow[] {
  const most = asked.streetName.length < 6 ? 1 : 2;
  return rows
    .filter((row) => row.key.streetName !== asked.streetName && row.key.unit === '' && fitsPlace(asked, row))
    .map((row) => ({ row, cost: editDistance(asked.streetName, row.key.streetName, most) }))
    .filter(({ cost }) => cost <= most)
    .sort((a, b) => a.cost - b.cost)
    .map(({ row }) => row);
}

/** No suggestion in another state or city than the one asked for, as far as rows say. */
function fitsPlace(asked: ParsedAddress, { key }: AddressPointRow): boolean {
  const differs = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;
  return !differs(asked.stateCode, key.stateCode) && !differs(asked.city, key.city);
}

/** As the caller sees them: each address once, with its city, and none of another state than the one asked for. */
async function present(
  sources: AddressSources,
  asked: ParsedAddress,
  rows: readonly AddressPointRow[],
): Promise<AddressCandidate[]> {
  const candidates = new Map<string, AddressCandidate>();
  const seen = new Set<string>();
  for (const row of rows) {
    const words = Object.values(row.address).join('|').toUpperCase();
    if (seen.has(words)) continue;
    seen.add(words);
    if (seen.size > MOST_LOOKED_AT || candidates.size === MOST_CANDIDATES) break;
    const place = await placeOfRow(sources, row);
    if (isOtherState(asked, place)) continue;
    const formattedAddress = displayOf(
      place.shown ? { ...row.address, ...place.shown } : row.address,
    ).formatted;
    const text = formattedAddress.toUpperCase();
    if (!candidates.has(text))
      candidates.set(text, { formattedAddress, latitude: row.lat, longitude: row.lon });
  }
  return [...candidates.values()];
}

/** Letters to add, drop or change to make one text of the other; anything above `most` once it is sure. */
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
