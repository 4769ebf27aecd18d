/** A listing found for a unit, with its similarity. */
export interface FoundListing {
  readonly row: number;
  readonly similarity: number;
}

/** Identical units with the listings found for them, best first. */
export interface FoundGroup<Found extends FoundListing> {
  readonly indexes: readonly number[];
  readonly items: readonly Found[];
}

/** The listing is for the units in `unitIndexes`, which are identical. */
type Allocated<Found extends FoundListing> = Found & { readonly unitIndexes: readonly number[] };

/** Splits a count evenly over groups, the first groups one more. */
export function splitEvenly(count: number, groups: number): number[] {
  return Array.from({ length: groups }, (_, g) => Math.floor(count / groups) + Number(g < count % groups));
}

/**
 * One list for all groups, best first. Each listing appears once, for the units it is most similar
 * to. Each group gets its share of the best listings left to it; the best of the others fill up the
 * rest.
 */
export function allocateComparables<Found extends FoundListing>(
  groups: readonly FoundGroup<Found>[],
  wanted: number,
): Allocated<Found>[] {
  const byRow = new Map<number, Allocated<Found>>();
  for (const { indexes, items } of groups) {
    for (const item of items) {
      const before = byRow.get(item.row);
      if (!before || item.similarity > before.similarity) {
        byRow.set(item.row, { ...item, unitIndexes: indexes });
      }
    }
  }
  const found = [...byRow.values()].sort(bestFirst);
  const shares = splitEvenly(Math.min(wanted, found.length), groups.length);
  const left = new Map(groups.map(({ indexes }, g) => [indexes, shares[g]]));
  const dealt = new Set<Allocated<Found>>();
  for (const item of found) {
    const share = left.get(item.unitIndexes) ?? 0;
    if (share > 0) dealt.add(item);
    left.set(item.unitIndexes, share - 1);
  }
  for (const item of found) if (dealt.size < wanted) dealt.add(item);
  return [...dealt].sort(bestFirst);
}

function bestFirst(a: FoundListing, b: FoundListing): number {
  return b.similarity - a.similarity || a.row - b.row;
}
