import type {
  EquityFigure,
  EquityStudy,
  Estimate,
  Measured,
  ModelStudy,
  StudiedStratum,
} from '../../api/markets.ts';
import { EmptyState } from '../../parts/basics.tsx';
import { formatMonth, formatPercent, formatShortUsd, formatUsd, UNKNOWN } from '../../parts/format.ts';
import { PlotFigure, type PlotOf } from '../../parts/plot.tsx';
import { numberColumn, Table, type Column } from '../../parts/table.tsx';
import { measureWords } from './equity-words.ts';
import { percentTexts, percentWithInterval, ratioTexts, sampleWords } from './words.ts';

type PlotModule = Parameters<PlotOf>[0];

interface PlotProps {
  readonly measured: Measured;
  readonly kind: ModelStudy['kind'];
}

/** Dots with confidence intervals, one per row, and the same figures as a table. */
function EstimatePlot<Row extends { readonly key: string }>(props: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly estimateOf: (row: Row) => Estimate;
  /** The text of the x axis below a row. */
  readonly tickOf: (key: string, at: number) => string;
  readonly yLabel: string;
  /** The y axis covers at least this range. */
  readonly yRange: readonly [number, number];
  readonly isPercent: boolean;
  /** The radius of a row's dot. */
  readonly radiusOf?: (row: Row) => number;
  /** Drawn below the dots. */
  readonly marks?: (Plot: PlotModule) => ReturnType<PlotModule['dot']>[];
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
}) {
  const { label, rows, estimateOf, tickOf, yLabel, yRange, isPercent, radiusOf, marks, caption, columns } =
    props;
  const intervalOf = (row: Row): readonly [number, number] => {
    const { figure, ci95 } = estimateOf(row);
    return ci95 ? [ci95[0], ci95[1]] : [figure, figure];
  };
  const values = rows.flatMap((row) => [estimateOf(row).figure, ...intervalOf(row)]);
  const [stroke, fill] = ['var(--series-1)', 'var(--series-1)'];
  return (
    <PlotFigure
      label={label}
      inputs={[rows]}
      plot={(Plot) => ({
        height: 240,
        marginLeft: 44,
        x: { label: null, type: 'band', padding: 0.6, tickFormat: tickOf },
        y: {
          label: yLabel,
          domain: [Math.min(yRange[0], ...values), Math.max(yRange[1], ...values)],
          grid: true,
          ...(isPercent ? { tickFormat: (share: number) => `${Math.round(share * 100)}%` } : {}),
        },
        marks: [
          ...(marks?.(Plot) ?? []),
          Plot.ruleX(rows, {
            x: 'key',
            y1: (row: Row) => intervalOf(row)[0],
            y2: (row: Row) => intervalOf(row)[1],
            stroke,
            strokeWidth: 2,
          }),
          Plot.dot(rows, {
            x: 'key',
            y: (row: Row) => estimateOf(row).figure,
            r: radiusOf ? { value: radiusOf, scale: null } : 5,
            fill,
          }),
        ],
      })}
      table={() => <Table caption={caption} columns={columns} rows={rows} keyOf={({ key }) => key} />}
    />
  );
}

/** The median ratio of each fifth: whether low-priced homes are valued as accurately as others. */
export function TierPlot({ measured: { tiers, equity }, kind }: PlotProps) {
  const { price } = sampleWords(kind);
  const nameOf = (key: string): string =>
    formatShortUsd(tiers.find((tier) => tier.key === key)?.median_price);
  return (
    <EstimatePlot
      label={`Median ratio of value to ${price}, by value tier: fifths by the mean of value and ${price}, because fifths by ${price} alone make any model look regressive. Shaded: 0.9 to 1.1, the range that assessment standards accept.`}
      rows={tiers}
      estimateOf={({ median_ratio }) => median_ratio}
      tickOf={nameOf}
      yLabel={`value / ${price}`}
      yRange={[0.88, 1.12]}
      isPercent={false}
      marks={(Plot) => [
        Plot.rect([0], { y1: 0.9, y2: 1.1, fill: 'var(--good-wash)' }),
        Plot.ruleY([1], { stroke: 'var(--quiet)' }),
      ]}
      caption="Errors by price"
      columns={[
        {
          label: 'Value tier',
          isRowHeader: true,
          cell: ({ key, median_price }) => `${key}, around ${formatUsd(median_price)}`,
        },
        ...stratumColumns<(typeof tiers)[number]>(kind, equity),
      ]}
    />
  );
}

const LARGEST_DOT = 9;

/** The median error of each holdout month. */
export function MonthPlot({ measured: { months, equity }, kind }: PlotProps) {
  const most = Math.max(...months.map(({ n }) => n));
  return (
    <EstimatePlot
      label={`Median error by month. Larger dots: more ${sampleWords(kind).many}.`}
      rows={months}
      // The interval of a few sales is so wide that it would flatten all other months.
      estimateOf={({ mdape, is_small: isSmall }) => (isSmall ? { ...mdape, ci95: null } : mdape)}
      tickOf={(key, at) => {
        const [month, year] = formatMonth(key).split(' ');
        return at === 0 || key.endsWith('-01') ? `${month}\n${year}` : month;
      }}
      yLabel="median error"
      yRange={[0, 0.1]}
      isPercent
      // The area of a dot is proportional to its count.
      radiusOf={({ n }) => Math.max(1, LARGEST_DOT * Math.sqrt(n / most))}
      caption="Errors by month"
      columns={[
        {
          label: 'Month',
          isRowHeader: true,
          cell: ({ key }) => <span class="nowrap">{formatMonth(key)}</span>,
        },
        ...stratumColumns<(typeof months)[number]>(kind, equity),
      ]}
    />
  );
}

/** Whether prediction ranges contain as many prices as they should. */
export function CoveragePlot({ measured: { overall }, kind }: PlotProps) {
  const { many, one, price } = sampleWords(kind);
  const { coverage_80, coverage_90, coverage_95 } = overall;
  const rows = [
    { key: '80%', target: 0.8, actual: coverage_80 },
    { key: '90%', target: 0.9, actual: coverage_90 },
    { key: '95%', target: 0.95, actual: coverage_95 },
  ].flatMap(({ actual, ...row }) => (actual ? [{ ...row, actual }] : []));
  if (rows.length === 0) {
    return (
      <EmptyState title="The coverage of the ranges could not be measured.">
        <p>
          It takes 200 {many} in at least two groups, so that the range of each {one} is calibrated on the
          other groups.
        </p>
      </EmptyState>
    );
  }
  return (
    <EstimatePlot
      label={`Share of ${price}s within each prediction range (dot) and its target (line). A dot below its line means that the range is too narrow.`}
      rows={rows}
      estimateOf={({ actual }) => actual}
      tickOf={(key) => `${key} range`}
      yLabel="actual coverage"
      yRange={[0.75, 1]}
      isPercent
      marks={(Plot) => [
        Plot.tickY(rows, { x: 'key', y: 'target', stroke: 'var(--series-2)', strokeWidth: 3 }),
      ]}
      caption="Target and actual coverage"
      columns={[
        { label: 'Target', isRowHeader: true, cell: ({ target }) => formatPercent(target, 0) },
        { label: 'Actual coverage', isNumber: true, cell: ({ actual }) => percentWithInterval(actual) },
      ]}
    />
  );
}

/** The accuracy figures of a stratum. The standard of assessors is about sales: rents have no COD, PRD and PRB. */
export function stratumColumns<Row extends StudiedStratum & { readonly key?: string }>(
  kind: ModelStudy['kind'],
  studies: readonly EquityStudy[],
): Column<Row>[] {
  const { many, price } = sampleWords(kind);
  const estimate = (
    label: string,
    of: (row: Row) => Estimate | null,
    textsOf = percentTexts,
  ): Column<Row> => ({
    label,
    isNumber: true,
    sortBy: (row) => of(row)?.figure ?? null,
    cell: (row) => {
      const estimated = of(row);
      if (estimated === null) return UNKNOWN;
      const [figure, interval] = textsOf(estimated);
      return (
        <>
          {figure}
          {interval !== null && <span class="quiet small nowrap second-line">({interval})</span>}
        </>
      );
    },
  });
  return [
    numberColumn(many === 'sales' ? 'Sales' : 'Listings', ({ n }) => n),
    estimate('Median error', ({ mdape }) => mdape),
    estimate('Within 10%', ({ ppe10 }) => ppe10),
    {
      ...estimate('Median ratio', ({ median_ratio }) => median_ratio, ratioTexts),
      note: `value / ${price}`,
    },
    ...(studies.length === 0 ? [] : UNIFORMITY.map((measure) => uniformityColumn<Row>(measure, studies))),
    estimate('In the 90% range', ({ coverage_90 }) => coverage_90),
  ];
}

/** The figures of a stratum as columns of a file. */
export function stratumFileRow(stratum: StudiedStratum) {
  const { n, median_ratio, cod, prd, prb, vei, mdape, ppe10, coverage_90 } = stratum;
  const [low, high] = median_ratio.ci95 ?? [null, null];
  return {
    n,
    median_ratio: median_ratio.figure,
    median_ratio_ci95_low: low,
    median_ratio_ci95_high: high,
    cod,
    prd,
    prb,
    vei,
    mdape: mdape.figure,
    ppe10: ppe10.figure,
    coverage_90: coverage_90?.figure ?? null,
  };
}

const UNIFORMITY = ['cod', 'prd', 'prb', 'vei'] as const;

/**
 * A measure of uniformity. Types are compared with the range of the standard by confidence interval. Other groups have
 * none: the figure itself is compared, from 30 sales on.
 */
function uniformityColumn<Row extends StudiedStratum & { readonly key?: string }>(
  measure: (typeof UNIFORMITY)[number],
  studies: readonly EquityStudy[],
): Column<Row> {
  const { name, decimals } = measureWords(measure);
  const measuredIn = (study: EquityStudy | undefined): EquityFigure | undefined =>
    study?.measures.find((each) => each.measure === measure);
  const isOutside = ({ key, is_small: isSmall }: Row, figure: number): boolean => {
    const own = measuredIn(studies.find(({ stratum }) => stratum === key));
    if (own) return own.verdict === 'below' || own.verdict === 'above';
    const [low, high] = measuredIn(studies[0])?.range ?? [-Infinity, Infinity];
    return !isSmall && (figure < low || figure > high);
  };
  return {
    label: name,
    ...(measure === 'vei' ? { note: '20+ sales' } : {}),
    isNumber: true,
    sortBy: (row) => row[measure],
    cell: (row) => {
      const figure = row[measure];
      if (figure === null) return UNKNOWN;
      const text = figure.toFixed(decimals).replace('-', '−');
      return isOutside(row, figure) ? (
        <>
          {text} <span class="wrong nowrap second-line">outside</span>
        </>
      ) : (
        text
      );
    },
  };
}
