import type { ListedComparable } from '../value-home.ts';

/** Units that are alike, with the listings found for them, best first. */
export interface ListedGroup {
  readonly indexes: readonly number[];
  readonly items: readonly ListedComparable[];
}

/** Listed for the units that `unitIndexes` names, which are alike; adjusted to them. */
export interface UnitComparable extends ListedComparable {
  readonly unitIndexes: readonly number[];
}

/** So many comparables over so many groups, the first groups one more. */
export function shareOut(count: number, groups: number): number[] {
  return Array.from({ length: groups }, (_, g) => Math.floor(count / groups) + Number(g < count % groups));
}

/**
 * One list for all groups, best first. A listing stands once: for the units that it is most like. Each group gives its
 * share of the best that are left to it; what a group falls short of, the best of the others fill up.
 */
export function dealComparables(groups: readonly ListedGroup[], wanted: number): UnitComparable[] {
  const byRow = new Map<number, UnitComparable>();
  for (const { indexes, items } of groups) {
    for (const item of items) {
      const before = byRow.get(item.row);
      if (!before || item.similarity > before.similarity) {
        byRow.set(item.row, { ...item, unitIndexes: indexes });
      }
    }
  }
  const found = [...byRow.values()].sort(bestFirst);
  const shares = shareOut(Math.min(wanted, found.length), groups.length);
  const left = new Map(groups.map(({ indexes }, g) => [indexes, shares[g]]));
  const dealt = new Set<UnitComparable>();
  for (const item of found) {
    const share = left.get(item.unitIndexes) ?? 0;
    if (share > 0) dealt.add(item);
    left.set(item.unitIndexes, share - 1);
  }
  for (const item of found) if (dealt.size < wanted) dealt.add(item);
  return [...dealt].sort(bestFirst);
}

function bestFirst(a: ListedComparable, b: ListedComparable): number {
  return b.similarity - a.similarity || a.row - b.row;
}
