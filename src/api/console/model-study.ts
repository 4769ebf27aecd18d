import type { Static } from 'typebox';
import { formatDay } from '../../domain/day.ts';
import type { AreaShape } from '../../geo/areas/area-shape.ts';
import type { KeptBacktest } from '../../jobs/market-model-jobs.ts';
import type { ModelStudy } from '../../operations/market/study-model.ts';
import type { StratumSummary, Estimate } from '../../valuation/ratio-study/stratum-summary.ts';
import type { ModelStudyBody } from './market-schemas.ts';

type Body = Static<typeof ModelStudyBody>;

/** What a model measured of itself, in parts, and beside it the backtest that is still kept. */
export function presentModelStudy({ model, measured }: ModelStudy, backtest: KeptBacktest | null): Body {
  return {
    model: model.modelId,
    kind: model.kind,
    trained_on: formatDay(model.trainedOn),
    measured: measured && {
      from: measured.from,
      to: measured.to,
      trainings: measured.trainings,
      held_out: measured.heldOut,
      overall: presentCell(measured.overall),
      types: measured.types.map(({ key, summary }) => ({ key, ...presentCell(summary) })),
      tiers: measured.tiers.map(({ key, summary, medianPriceUsd }) => ({
        key,
        median_price: medianPriceUsd,
        ...presentCell(summary),
      })),
      months: measured.months.map(({ key, summary }) => ({ key, ...presentCell(summary) })),
      areas: measured.areas.map(({ key, level, name, shape, summary }) => ({
        key,
        level,
        name,
        outline: presentOutline(shape),
        ...presentCell(summary),
      })),
    },
    backtest: backtest && presentBacktest(backtest),
  };
}

/** GeoJSON's coordinates of a MultiPolygon; five decimals are a metre. */
function presentOutline({ polygons }: AreaShape): [number, number][][][] {
  const rounded = (degrees: number): number => Number(degrees.toFixed(5));
  return polygons.map((rings) =>
    rings.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i): [number, number] => [
        rounded(ring[2 * i]),
        rounded(ring[2 * i + 1]),
      ]),
    ),
  );
}

function presentCell(cell: StratumSummary) {
  return {
    n: cell.n,
    is_small: cell.isSmall,
    median_ratio: presentEstimate(cell.medianRatio),
    mdape: presentEstimate(cell.mdape),
    ppe10: presentEstimate(cell.ppe10),
    coverage_80: cell.coverage80 && presentEstimate(cell.coverage80),
    coverage_90: cell.coverage90 && presentEstimate(cell.coverage90),
    coverage_95: cell.coverage95 && presentEstimate(cell.coverage95),
  };
}

/** Four decimals: hundredths of a percent. */
function presentEstimate({ figure, ci95 }: Estimate) {
  const rounded = (value: number): number => Number(value.toFixed(4));
  const interval: [number, number] | null = ci95 && [rounded(ci95[0]), rounded(ci95[1])];
  return { figure: rounded(figure), ci95: interval };
}

function presentBacktest({ finishedAt, report }: KeptBacktest): NonNullable<Body['backtest']> {
  const { protocol, overall, baselines } = report;
  const rowOf = (name: string, cell: typeof overall): NonNullable<Body['backtest']>['rows'][number] => {
    const { n, mdape, ppe10, median_ratio, coverage_90 } = cell;
    const mdape_ci95: [number, number] | null = cell.ci95.mdape && [...cell.ci95.mdape];
    return { name, n, mdape, mdape_ci95, ppe10, median_ratio, coverage_90 };
  };
  return {
    finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    protocol: protocol.description,
    from: protocol.from,
    to: protocol.to,
    tested: protocol.tested,
    rows: [
      rowOf('plumbline', overall),
      ...Object.entries(baselines).map(([name, set]) => rowOf(name, set.overall)),
    ],
  };
}
