/**
 * Inclusive upper bounds of levels 1 to 10: a third of a decade each, from 1 in 10,000 to 1 in 10 per year.
 * The Forest Service's classes (Wildfire Risk to Communities, "wildfire likelihood") have the same bounds up
 * to level 9, rounded to seven decimals. Level 11 is what burns more often than every ten years.
 */
const LEVEL_BOUNDS: readonly number[] = Array.from({ length: 10 }, (_, k) => 1e-4 * 10 ** (k / 3));

/** The Forest Service's five classes, by their highest level. */
const CATEGORIES = [
  { upTo: 0, name: 'none', display: 'None' },
  { upTo: 1, name: 'low', display: 'Low' },
  { upTo: 3, name: 'low_moderate', display: 'Low-Moderate' },
  { upTo: 6, name: 'moderate', display: 'Moderate' },
  { upTo: 8, name: 'moderate_high', display: 'Moderate-High' },
  { upTo: 11, name: 'high', display: 'High' },
] as const;

export const FIRE_CATEGORIES = [...CATEGORIES.map(({ name }) => name), 'unknown'] as const;
const NOT_A_LOSS = 'This is the chance of the map cell burning, not of a house being lost.';

/**
 * The risk for an annual burn probability from 0 to 1; null if no map has data. `level` is 0 (cannot burn, or
 * unknown) to 11, `annualChance` "1-in-312".
 */
export function fireRiskOf(probability: number | null) {
  if (probability === null) {
    return {
      level: 0,
      category: 'unknown' as const,
      categoryDisplay: 'Unknown',
      description: 'No burn-probability map that is loaded has data for this location.',
      annualChance: null,
      returnPeriodYears: null,
    };
  }
  const level = fireLevelOf(probability);
  const { name, display } = CATEGORIES.find(({ upTo }) => level <= upTo) ?? CATEGORIES[CATEGORIES.length - 1];
  const years = returnPeriodOf(probability);
  const annualChance = years === null ? null : `1-in-${years}`;
  return {
    level,
    category: name,
    categoryDisplay: display,
    description:
      annualChance === null
        ? `The map gives this location no chance of burning. ${NOT_A_LOSS}`
        : `Level ${level} of 11: the map gives this location a ${annualChance} chance of burning in a year. ${NOT_A_LOSS}`,
    annualChance,
    returnPeriodYears: years,
  };
}

function fireLevelOf(probability: number): number {
  if (probability === 0) return 0;
  const at = LEVEL_BOUNDS.findIndex((bound) => probability <= bound);
  return (at === -1 ? LEVEL_BOUNDS.length : at) + 1;
}

/** For the smallest float32 probabilities, the number of years would exceed the exact integers. */
function returnPeriodOf(probability: number): number | null {
  return probability === 0 ? null : Math.min(Number.MAX_SAFE_INTEGER, Math.floor(1 / probability));
}
