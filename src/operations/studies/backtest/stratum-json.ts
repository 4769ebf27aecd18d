import type { StratumStudy, Interval95 } from '../../../valuation/ratio-study/stratum.ts';
import type { Figure } from '../../../valuation/ratio-study/figures.ts';

/** Figures of a report, defined in docs/methods/measuring.md. Rates are fractions; COD and VEI are on the IAAO scale of hundreds. */
export const FIGURE_NAMES = {
  hit_rate: 'hitRate',
  mdape: 'mdape',
  mape: 'mape',
  ppe5: 'ppe5',
  ppe10: 'ppe10',
  ppe20: 'ppe20',
  rt20: 'rt20',
  rmsle: 'rmsle',
  r2: 'r2',
  median_ratio: 'medianRatio',
  mean_ratio: 'meanRatio',
  cod: 'cod',
  cod_trimmed: 'codTrimmed',
  prd: 'prd',
  prb: 'prb',
  mki: 'mki',
  vei: 'vei',
  coverage_80: 'coverage80',
  coverage_90: 'coverage90',
  coverage_95: 'coverage95',
  width_90: 'width90',
  winkler_90: 'winkler90',
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof FIGURE_NAMES;

const NAMES = Object.keys(FIGURE_NAMES) as FigureName[];

export interface FsdQuintileJson {
  quintile: number;
  n: number;
  fsd_mean: number;
  within: number;
  standard_error: number;
  ci95: Interval95 | null;
}

export type StratumJson = { n: number; is_small: boolean } & { [N in FigureName]: number | null } & {
  fsd_honesty: FsdQuintileJson[] | null;
  ci95: { [N in FigureName]: Interval95 | null };
};

export function stratumJson(stratum: StratumStudy): StratumJson {
  const figures = {} as { [N in FigureName]: number | null };
  const ci95 = {} as { [N in FigureName]: Interval95 | null };
  for (const name of NAMES) {
    const figure = stratum.figures[FIGURE_NAMES[name]];
    figures[name] = figure === null ? null : rounded(figure);
    ci95[name] = roundedInterval(stratum.ci95[FIGURE_NAMES[name]]);
  }
  const honesty = stratum.fsdHonesty.map((quintile) => ({
    quintile: quintile.quintile,
    n: quintile.n,
    fsd_mean: rounded(quintile.fsdMean),
    within: rounded(quintile.within),
    standard_error: rounded(quintile.standardError),
    ci95: roundedInterval(quintile.ci95),
  }));
  return {
    n: stratum.n,
    is_small: stratum.isSmall,
    ...figures,
    fsd_honesty: honesty.length > 0 ? honesty : null,
    ci95,
  };
}

export function strataJson(strata: ReadonlyMap<string, StratumStudy>): Record<string, StratumJson> {
  return Object.fromEntries([...strata].map(([key, stratum]) => [key, stratumJson(stratum)]));
}

/** Six decimals: with 25,000 sales, a figure is known to the third or fourth. */
export function rounded(figure: number): number {
  return Number(figure.toFixed(6));
}

function roundedInterval(interval: Interval95 | null): Interval95 | null {
  return interval && [rounded(interval[0]), rounded(interval[1])];
}
