import { yearMonthOf, type Day } from '../../domain/day.ts';

/** Work on a home, with its cost in whole USD. */
export interface Renovation {
  readonly costUsd: number;
  /** The year in which it was or will be completed; null if that is open. */
  readonly year: number | null;
  /** Share of the cost that it adds to the value; null for the assumption. */
  readonly valueShare: number | null;
}

/**
 * Assumptions, not measured: the records of sales do not say what was renovated. Surveys of remodelers and agents,
 * such as the yearly Cost vs. Value report, put the share of the cost recovered at resale between about a quarter and
 * all of it. The share falls to 0 in a straight line, as in the age-life method of the cost approach.
 */
export const RENOVATIONS = {
  valueShare: 0.6,
  lifeYears: 20,
  /** Standard deviation of what a renovation adds, as a share of it. */
  relativeSd: 0.5,
} as const;

/** What renovations add to a value, whole USD. Planned ones add to the value as repaired only. */
export function renovationsUsd(renovations: readonly Renovation[], asOf: Day) {
  const { year: now } = yearMonthOf(asOf);
  const isPlanned = renovations.map(({ year }) => year === null || year > now);
  const addedUsd = renovations.map(({ costUsd, year, valueShare }) => {
    const age = year === null ? 0 : Math.max(0, now - year);
    const share = valueShare ?? RENOVATIONS.valueShare * Math.max(0, 1 - age / RENOVATIONS.lifeYears);
    return Math.round(costUsd * share);
  });
  const sumOf = (planned: boolean) =>
    addedUsd.reduce((sum, usd, i) => sum + (isPlanned[i] === planned ? usd : 0), 0);
  return { addedUsd, isPlanned, asIsUsd: sumOf(false), plannedUsd: sumOf(true) };
}
