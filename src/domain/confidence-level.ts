export const CONFIDENCE_LEVELS = ['high', 'medium', 'low'] as const;

export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number];

/** Level of a value's forecast standard deviation. The schema of `confidence_level` states the same limits. */
export function confidenceLevelOf(fsd: number): ConfidenceLevel {
  if (fsd <= 0.13) return 'high';
  return fsd <= 0.2 ? 'medium' : 'low';
}
