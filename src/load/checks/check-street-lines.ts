import { bareName, STREET_PARTS } from '../../domain/column-headings.ts';
import type { ColumnSource } from '../rows/column-source.ts';
import { createTally, doNotRead, type Finding } from './finding.ts';

/** Addresses of which more than this share have no number are names of streets. */
const WITHOUT_NUMBER_SHARE = 0.5;
/** No home is in a post office box, but the mail of its owner may be. */
const PO_BOX = /^\W*p\.?\s*o\.?\s*box\b/i;
const PO_BOX_SHARE = 0.01;
const LEAST_PO_BOXES = 3;
const NUMBER_NAMES = new Set(STREET_PARTS.number.split(', ').map(bareName));

/**
 * Finds addresses without house numbers next to a column of house numbers (all homes of a street would have one
 * address), and the mailing addresses of owners.
 */
export function createStreetLineCheck(
  file: string,
  unread: readonly string[],
  address: ColumnSource | undefined,
) {
  const number = unread.find((name) => NUMBER_NAMES.has(bareName(name)));
  const street = address?.source;
  const [tally, boxes] = [createTally(), createTally()];
  let known = 0;
  return {
    add(text: string, line: number): void {
      if (street === undefined || text === '') return;
      known++;
      if (PO_BOX.test(text)) boxes.add(text, line);
      else if (!/^\W*\d/.test(text)) tally.add(text, line);
    },
    findings(): Finding[] {
      if (street === undefined) return [];
      const isOfOwners = boxes.count() >= Math.max(LEAST_PO_BOXES, PO_BOX_SHARE * known);
      return [...(isOfOwners ? ofOwners(street) : []), ...withoutNumbers(street)];
    },
  };

  function ofOwners(source: string): Finding[] {
    return boxes.finding({
      check: 'mailing_addresses',
      column: 'address',
      message: `${boxes.count()} of ${known} addresses of ${file} are post office boxes: "${source}" may have the mailing addresses of owners, not the addresses of homes.`,
      remedy:
        'Read the address of the home as address, and its city and ZIP likewise, or do not read the column.',
      fixes: [doNotRead(`Do not read "${source}"`, 'address', 'city', 'state_code', 'postal_code')],
      isBlocking: true,
    });
  }

  function withoutNumbers(source: string): Finding[] {
    if (number === undefined || tally.count() <= WITHOUT_NUMBER_SHARE * known) return [];
    return tally.finding({
      check: 'addresses_without_numbers',
      column: 'address',
      message: `${tally.count()} of ${known} addresses of ${file} have no house number, which "${number}" may have: all homes of a street would have one address.`,
      remedy: `Join "${number}" and "${source}".`,
      fixes: [
        { label: `Join "${number}" and "${source}"`, mapping: { address: { join: [number, source] } } },
        doNotRead(`Do not read "${source}"`, 'address'),
      ],
      isBlocking: true,
    });
  }
}
