import { fsdOf, PERCENTILE_LEVELS, type Distribution } from '../calibration/distribution.ts';

/**
 * Total rent of several units. Their errors are correlated, so bounds are neither added nor
 * combined as independent: at each percentile the total's distance from its point is √((1−ρ)·Σd² +
 * ρ·(Σd)²), with d the units' distances and ρ their correlation. A single unit keeps its
 * distribution.
 */
export function totalRentOf(
  units: readonly { readonly pointUsd: number; readonly distribution: Distribution }[],
  correlation: number,
): { readonly pointUsd: number; readonly distribution: Distribution } {
  const pointUsd = units.reduce((sum, unit) => sum + unit.pointUsd, 0);
  if (units.length === 1) return units[0];
  const together = (distances: readonly number[]): number => {
    const sum = distances.reduce((total, distance) => total + distance, 0);
    const squares = distances.reduce((total, distance) => total + distance ** 2, 0);
    return Math.sqrt((1 - correlation) * squares + correlation * sum ** 2);
  };
  const percentilesUsd = PERCENTILE_LEVELS.map((level, p) => {
    if (level === 50) return pointUsd;
    const away = together(units.map((unit) => Math.abs(unit.distribution.percentilesUsd[p] - unit.pointUsd)));
    return level < 50 ? Math.max(1, Math.round(pointUsd - away)) : Math.round(pointUsd + away);
  });
  return {
    pointUsd,
    distribution: {
      percentilesUsd,
      meanUsd: units.reduce((sum, unit) => sum + unit.distribution.meanUsd, 0),
      sdUsd: Math.round(together(units.map((unit) => unit.distribution.sdUsd))),
      fsd: fsdOf(percentilesUsd, pointUsd),
    },
  };
}
