export const CONFIDENCE_LEVELS = ['high', 'medium', 'low'] as const;

export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number];

/** The largest forecast standard deviations of the levels. The schema of `confidence_level` states the same limits. */
const LIMITS = { high: 0.13, medium: 0.2 } as const;

export function confidenceLevelOf(fsd: number): ConfidenceLevel {
  if (fsd <= LIMITS.high) return 'high';
  return fsd <= LIMITS.medium ? 'medium' : 'low';
}

/** The FSD of a level. It is named with the level, because a score of 75 reads as high although it is low. */
export const LEVEL_RULES: Readonly<Record<ConfidenceLevel, string>> = {
  high: 'up to 13%',
  medium: 'above 13%, up to 20%',
  low: 'above 20%',
};

/** @param prices what the value predicts: `prices`, `asking rents` */
export function fsdMeaning(prices: string): string {
  return `About two thirds of ${prices} are within one FSD (forecast standard deviation) of the value.`;
}
