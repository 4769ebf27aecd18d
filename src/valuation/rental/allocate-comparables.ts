/** A listing found for a unit, and how like it. */
export interface FoundListing {
  readonly row: number;
  readonly similarity: number;
}

/** Units that are alike, with the listings found for them, best first. */
export interface FoundGroup<Found extends FoundListing> {
  readonly indexes: readonly number[];
  readonly items: readonly Found[];
}

/** For the units that `unitIndexes` names, which are alike. */
type Allocated<Found extends FoundListing> = Found & { readonly unitIndexes: readonly number[] };

/** So many comparables over so many groups, the first groups one more. */
export function splitEvenly(count: number, groups: number): number[] {
  return Array.from({ length: groups }, (_, g) => Math.floor(count / groups) + Number(g < count % groups));
}

/**
 * One list for all groups, best first. A listing stands once: for the units that it is most like. Each group gives its
 * share of the best that are left to it; what a group falls short of, the best of the others fill up.
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
