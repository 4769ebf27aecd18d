import { seededRandom, type Random } from '../random.ts';

/** A candidate for the set of comparables. */
interface Candidate {
  readonly similarity: number;
  /** Ln of the adjusted price. */
  readonly logAdjusted: number;
  readonly isChosen: boolean;
}

/** Random sets are drawn within groups of about this many candidates of nearly equal similarity. */
const GROUP = 10;
const DRAWS = 1999;
const SEED = 17;
/** Two-sided: the share of random sets that look selected, at most. */
const SIGNIFICANCE = 0.05;

interface Group {
  readonly logs: Float64Array;
  readonly chosen: number;
}

/** Of a set that looks selected by price. */
interface PriceSelection {
  readonly isLow: boolean;
  /** How many of the random sets are as low, or as high. */
  readonly asFar: number;
  readonly randomSets: number;
}

/**
 * The rank of the chosen set by its mean ln adjusted price among random sets of the same size and equal similarity: as
 * many of each group of candidates. Null if it is not extreme. A permutation test, which assumes nothing about the prices.
 */
export function selectionByPrice(candidates: readonly Candidate[]): PriceSelection | null {
  const sorted = [...candidates].sort((a, b) => b.similarity - a.similarity);
  const count = Math.max(1, Math.round(sorted.length / GROUP));
  const startOf = (group: number) => Math.round((group * sorted.length) / count);
  const groups = Array.from({ length: count }, (_, group): Group => {
    const members = sorted.slice(startOf(group), startOf(group + 1));
    return {
      logs: Float64Array.from(members, ({ logAdjusted }) => logAdjusted),
      chosen: members.filter(({ isChosen }) => isChosen).length,
    };
  });
  const own = sorted.reduce((sum, { isChosen, logAdjusted }) => sum + (isChosen ? logAdjusted : 0), 0);
  const random = seededRandom(SEED);
  // Sums in another order differ in their last bits.
  const tolerance = 1e-9 * Math.max(1, Math.abs(own));
  let [lower, higher] = [0, 0];
  for (let draw = 0; draw < DRAWS; draw++) {
    const sum = groups.reduce((total, group) => total + sumOfDraw(group, random), 0);
    if (sum <= own + tolerance) lower++;
    if (sum >= own - tolerance) higher++;
  }
  const asFar = Math.min(lower, higher);
  // The chosen set is one of the sets.
  const isExtreme = (2 * (asFar + 1)) / (DRAWS + 1) <= SIGNIFICANCE;
  return isExtreme ? { isLow: lower <= higher, asFar, randomSets: DRAWS } : null;
}

/** The sum of as many random members of a group as were chosen. Reorders them. */
function sumOfDraw({ logs, chosen }: Group, random: Random): number {
  let sum = 0;
  for (let i = 0; i < chosen; i++) {
    const at = i + Math.floor(random() * (logs.length - i));
    [logs[i], logs[at]] = [logs[at], logs[i]];
    sum += logs[i];
  }
  return sum;
}
