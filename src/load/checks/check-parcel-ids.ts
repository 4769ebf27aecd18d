import type { PlaceIndex } from '../address-index.ts';
import { createTally, type Finding } from './finding.ts';

/** Parcel ids that are looked up. */
const MAX_IDS = 300;
/** Longer ids are not numbers that a spreadsheet changes. */
const MAX_DIGITS = 16;
/** Fewer ids may agree with those of parcels by chance. */
const LEAST_FOUND = 5;
/** If more than this share of ids are those of parcels, few homes have zeros at the beginning. */
const FOUND_SHARE = 0.02;

/**
 * Finds parcel ids that are those of the market's parcels but for zeros at the beginning, which a spreadsheet has
 * dropped in one of the files: the homes would not find their parcels.
 */
export async function findUnpadded(
  rows: Iterable<{ readonly parcelId: string | null }>,
  { parcels }: PlaceIndex,
): Promise<Finding[]> {
  const ids = new Set<string>();
  for (const { parcelId } of rows) {
    if (parcelId !== null && /^\d+$/.test(parcelId) && parcelId.length <= MAX_DIGITS) ids.add(parcelId);
    if (ids.size === MAX_IDS) break;
  }
  const known = await parcels([...ids]);
  const lost = [...ids].filter((id) => !known.has(id));
  const likely = await parcels(lost.flatMap(withOtherZeros));
  const tally = createTally();
  for (const id of lost) {
    const parcel = withOtherZeros(id).find((other) => likely.has(other));
    if (parcel !== undefined) tally.add(`${id} is parcel ${parcel}`);
  }
  if (tally.count() < Math.max(LEAST_FOUND, FOUND_SHARE * ids.size)) return [];
  return tally.finding({
    check: 'lost_zeros',
    column: 'parcel_id',
    message: `${tally.count()} of ${ids.size} parcel ids are those of the market's parcels but for zeros at the beginning, which a spreadsheet may have dropped.`,
    remedy: 'Export the file that lacks the zeros again, with parcel ids as text.',
    isBlocking: true,
  });
}

/** The id with other numbers of zeros at the beginning. */
function withOtherZeros(id: string): string[] {
  const bare = id.replace(/^0+/, '');
  const lengths = Array.from({ length: MAX_DIGITS - bare.length + 1 }, (_, i) => bare.length + i);
  return lengths.filter((length) => length !== id.length).map((length) => bare.padStart(length, '0'));
}
