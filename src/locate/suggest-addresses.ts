import { directionsOf } from '../domain/address-key.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import { findAddressPoints, type AddressPointRow } from '../store/address-points.ts';
import { displayOf } from './display-address.ts';
import type { AddressSources } from './known-place.ts';
import type { AddressCandidate } from './located.ts';
import type { AddressFinding } from './match-address.ts';

const MOST_CANDIDATES = 10;
const MOST_OF_A_KIND = 5;

/**
 * Addresses that may have been meant, best first: the same number and street name elsewhere, the numbers
 * nearest in the same street, the same number in a street of a similar name.
 */
export async function suggestAddresses(
  sources: AddressSources,
  { asked, best, all }: AddressFinding,
): Promise<AddressCandidate[]> {
  const same = (best.length > 0 ? best : all).map(({ row, place }) => candidateOf(row, place.shown));
  if (best.length > 0 || asked.streetName === '' || asked.number === '') return distinct(same);
  const inStreet = await findAddressPoints(sources.store, sources.datasetIds, {
    streetName: asked.streetName,
  });
  const ofNumber = await findAddressPoints(sources.store, sources.datasetIds, { number: asked.number });
  return distinct([
    ...same.slice(0, MOST_OF_A_KIND),
    ...nearestNumbers(asked, inStreet).slice(0, MOST_OF_A_KIND),
    ...similarNames(asked, ofNumber).slice(0, MOST_OF_A_KIND),
  ]);
}

function nearestNumbers(asked: ParsedAddress, rows: readonly AddressPointRow[]): AddressCandidate[] {
  const wanted = Number(asked.number);
  if (Number.isNaN(wanted)) return [];
  const costOf = (row: AddressPointRow): number =>
    Math.abs(Number(row.key.number) - wanted) + (directionsOf(asked) === directionsOf(row.key) ? 0 : 1000);
  return rows
    .filter((row) => row.key.number !== asked.number && row.key.unit === '' && fitsPlace(asked, row))
    .map((row) => ({ row, cost: costOf(row) }))
    .filter(({ cost }) => cost < 2000)
    .sort((a, b) => a.cost - b.cost)
    .map(({ row }) => candidateOf(row, null));
}

function similarNames(asked: ParsedAddress, rows: readonly AddressPointRow[]): AddressCandidate[] {
  const most = asked.streetName.length < 6 ? 1 : 2;
  return rows
    .filter((row) => row.key.streetName !== asked.streetName && row.key.unit === '' && fitsPlace(asked, row))
    .map((row) => ({ row, cost: editDistance(asked.streetName, row.key.streetName, most) }))
    .filter(({ cost }) => cost <= most)
    .sort((a, b) => a.cost - b.cost)
    .map(({ row }) => candidateOf(row, null));
}

/** No suggestion in another state or city than the one asked for, as far as rows say. */
function fitsPlace(asked: ParsedAddress, { key }: AddressPointRow): boolean {
  const differs = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;
  return !differs(asked.stateCode, key.stateCode) && !differs(asked.city, key.city);
}

function candidateOf(
  row: AddressPointRow,
  shown: { readonly city: string; readonly stateCode: string } | null,
): AddressCandidate {
  const address = shown ? { ...row.address, ...shown } : row.address;
  return { formattedAddress: displayOf(address).formatted, latitude: row.lat, longitude: row.lon };
}

function distinct(candidates: readonly AddressCandidate[]): AddressCandidate[] {
  const byText = new Map<string, AddressCandidate>();
  for (const candidate of candidates) {
    const text = candidate.formattedAddress.toUpperCase();
    if (!byText.has(text)) byText.set(text, candidate);
  }
  return [...byText.values()].slice(0, MOST_CANDIDATES);
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
