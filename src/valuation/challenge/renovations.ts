import { yearMonthOf, type Day } from '../../domain/day.ts';
import { RENOVATIONS } from '../../domain/renovation-assumptions.ts';

/** Work on a home, with its cost in whole USD. */
export interface Renovation {
  readonly costUsd: number;
  /** The year in which it was or will be completed; null if that is open. */
  readonly year: number | null;
  /** Share of the cost that it adds to the value; null for the assumption. */
  readonly valueShare: number | null;
}

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
