import { bareName, STREET_PARTS } from '../../domain/column-headings.ts';
import type { ColumnSource } from '../rows/column-source.ts';
import { createTally, doNotRead, type Finding } from './finding.ts';

/** Addresses of which more than this share have no number are names of streets. */
const WITHOUT_NUMBER_SHARE = 0.5;
const NUMBER_NAMES = new Set(STREET_PARTS.number.split(', ').map(bareName));

/**
 * Finds addresses without house numbers next to a column of house numbers: all homes of a street would have one
 * address.
 */
export function createStreetLineCheck(
  file: string,
  unread: readonly string[],
  address: ColumnSource | undefined,
) {
  const number = unread.find((name) => NUMBER_NAMES.has(bareName(name)));
  const street = address?.source;
  const tally = createTally();
  let known = 0;
  return {
    add(text: string, line: number): void {
      if (number === undefined || street === undefined || text === '') return;
      known++;
      if (!/^\W*\d/.test(text)) tally.add(text, line);
    },
    findings(): Finding[] {
      if (number === undefined || street === undefined || tally.count() <= WITHOUT_NUMBER_SHARE * known)
        return [];
      return tally.finding({
        check: 'addresses_without_numbers',
        column: 'address',
        message: `${tally.count()} of ${known} addresses of ${file} have no house number, which "${number}" may have: all homes of a street would have one address.`,
        remedy: `Join "${number}" and "${street}".`,
        fixes: [
          { label: `Join "${number}" and "${street}"`, mapping: { address: { join: [number, street] } } },
          doNotRead(`Do not read "${street}"`, 'address'),
        ],
        isBlocking: true,
      });
    },
  };
}
