import type { Estimate } from '../../api/markets.ts';

/** A domain that holds the estimates with their intervals, and at least `least`. */
export function rangeAround(
  estimates: readonly (Estimate | null)[],
  least: readonly [number, number],
): [number, number] {
  const ends = estimates.flatMap((estimate) =>
    estimate === null ? [] : [estimate.figure, ...(estimate.ci95 ?? [])],
  );
  return [Math.min(least[0], ...ends), Math.max(least[1], ...ends)];
}

/** Channels of the interval of an estimate; where it has none, of nothing at its figure. */
export function whisker<Row>(of: (row: Row) => Estimate): {
  readonly y1: (row: Row) => number;
  readonly y2: (row: Row) => number;
} {
  return {
    y1: (row) => of(row).ci95?.[0] ?? of(row).figure,
    y2: (row) => of(row).ci95?.[1] ?? of(row).figure,
  };
}
