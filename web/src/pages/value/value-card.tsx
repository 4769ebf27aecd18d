import type { Figures as ValueFigures, Valued } from '../../api/valuations.ts';
import type { Problem } from '../../api/problem.ts';
import { reportUrl } from '../../api/reports.ts';
import { fsdMeaning, LEVEL_RULES } from '../../../../src/domain/confidence-level.ts';
import { Notice } from '../../parts/basics.tsx';
import { formatChangeUsd, formatDay, formatPercent, formatShortUsd, formatUsd } from '../../parts/format.ts';
import { Figures, GoToSection } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table } from '../../parts/table.tsx';
import { CHALLENGE } from './challenge-section.tsx';
import { densityOf, type DensityPoint } from './density.ts';
import { announcement, comparedWith, rangeSentence, warningWords } from './words.ts';

const TITLES = { home: 'Value', rent: 'Monthly rent', building: 'Value of the building' } as const;

const LEVELS = { high: 'High', medium: 'Medium', low: 'Low' } as const;

/** The prediction range, the value, how it changed, and its distribution. */
export function ValueCard(props: {
  readonly valued: Valued;
  readonly previous: Valued | null;
  readonly isLoading: boolean;
  /** The stored value of a home that is shown; null while changes of it are not saved. */
  readonly reportedId: string | null;
  /** Whether the page has the section to challenge it. */
  readonly canChallenge: boolean;
}) {
  const { valued, previous, isLoading, reportedId, canChallenge } = props;
  const { kind, response } = valued;
  const { as_of_date } = response.valuation;
  const figures: ValueFigures = response.valuation;
  const previousFigures = previous?.response.valuation ?? null;
  const change = previousFigures === null ? 0 : figures.point_value - previousFigures.point_value;
  const { lower, upper } = figures.confidence_interval_95;
  const range = rangeSentence(kind, figures);
  return (
    <section class="value-card card" aria-labelledby="value-range" aria-busy={isLoading}>
      <p class="quiet small">
        {TITLES[kind]} as of {formatDay(as_of_date)}
      </p>
      <h2 id="value-range" class="value-range">
        {formatUsd(figures.estimated_value_low)} – {formatUsd(figures.estimated_value_high)}
        <span class="quiet small">90% prediction range{kind === 'rent' && ' per month'}</span>
      </h2>
      <p class="value-now">
        <span class="quiet">{TITLES[kind]}</span>
        <strong id="point-value" class="point-value">
          {formatUsd(figures.point_value)}
        </strong>
        {previous !== null && change !== 0 && (
          <span class={`value-change ${change > 0 ? 'more' : 'less'}`}>
            {formatChangeUsd(change)} {comparedWith(as_of_date, previous.response.valuation)}
          </span>
        )}
      </p>
      <DistributionPlot
        figures={figures}
        previous={previousFigures}
        label={`${TITLES[kind]}: distribution of likely prices. ${range}`}
      />
      <Figures
        look="value-facts"
        figures={[
          {
            label: 'Confidence',
            value: LEVELS[figures.confidence_level],
            note: `FSD ${formatPercent(figures.fsd)} (${figures.confidence_level}: ${LEVEL_RULES[figures.confidence_level]})`,
          },
          {
            label: 'Within 10% of the value',
            value: formatPercent(figures.probability_within_10_pct),
            note: 'probability',
          },
          { label: '95% range', value: `${formatUsd(lower)} – ${formatUsd(upper)}` },
          ...repairedFigures(valued),
          ...unitFigures(valued),
        ]}
      />
      <p class="quiet small">{fsdMeaning(kind === 'rent' ? 'asking rents' : 'prices')}</p>
      {kind === 'home' && <Why reportedId={reportedId} canChallenge={canChallenge} />}
      <p class="visually-hidden" role="status">
        {isLoading ? '' : announcement(kind, figures.point_value, change)}
      </p>
    </section>
  );
}

/** Always one line: a card of another height would draw the map next to it again, 100 ms in bench/challenge-page.ts. */
function Why(props: { readonly reportedId: string | null; readonly canChallenge: boolean }) {
  const { reportedId, canChallenge } = props;
  return (
    <p class="small screen-only row spread">
      {reportedId === null ? (
        <span class="quiet">Save the changes to read why in plain words.</span>
      ) : (
        <a
          href={reportUrl(reportedId, { version: 'owner', format: 'html', paper: 'letter' })}
          target="_blank"
          rel="noreferrer"
        >
          Why this value? Read it in plain words
        </a>
      )}
      {canChallenge && <GoToSection anchor={CHALLENGE}>Challenge or appeal it</GoToSection>}
    </p>
  );
}

/** What the reader must know about the value. `problem`: why it does not include the last change of a challenge. */
export function Warnings(props: { readonly valued: Valued; readonly problem: Problem | null }) {
  const { problem } = props;
  const { warnings, inputs } = props.valued.response.valuation;
  return (
    <>
      {problem && (
        <Notice kind="error" title="The value does not include your last change.">
          <p>{problem.message} Change it under “Challenge this value”.</p>
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice kind="warn" title="Note">
          <ul>
            {warnings.map((warning) => (
              <li key={`${warning.code} ${warning.field}`}>{warningWords(warning, inputs)}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

/** The value with planned renovations, if there are any. */
function repairedFigures({ kind, response }: Valued) {
  const renovations = kind === 'home' ? response.changes?.renovations : null;
  if (!renovations?.items.some(({ is_planned: isPlanned }) => isPlanned)) return [];
  const {
    estimated_value: value,
    estimated_value_low: low,
    estimated_value_high: high,
  } = renovations.as_repaired;
  return [{ label: 'As repaired', value: formatUsd(value), note: `${formatUsd(low)} – ${formatUsd(high)}` }];
}

/** The value per square foot, year or unit. */
function unitFigures({ kind, response }: Valued) {
  if (kind === 'rent') return [{ label: 'Per year', value: formatUsd(response.valuation.annual_rent) }];
  if (kind === 'building') {
    const { price_per_unit: each, price_per_unit_low: low, price_per_unit_high: high } = response.valuation;
    return [{ label: 'Per unit', value: formatUsd(each), note: `${formatUsd(low)} – ${formatUsd(high)}` }];
  }
  const { price_per_sqft: each, price_per_sqft_low: low, price_per_sqft_high: high } = response.valuation;
  if (each === null) return [];
  return [{ label: 'Per sq ft', value: formatUsd(each), note: `${formatUsd(low)} – ${formatUsd(high)}` }];
}

/** The distribution of likely prices, with the 90% range shaded. A dashed curve shows the value before the last change. */
function DistributionPlot(props: {
  readonly figures: ValueFigures;
  readonly previous: ValueFigures | null;
  readonly label: string;
}) {
  const { figures, previous, label } = props;
  const value = figures.point_value;
  const { lower, upper } = figures.confidence_interval_90;
  return (
    <PlotFigure
      label={label}
      isLabelHidden
      inputs={[figures, previous]}
      plot={(Plot, width) => {
        const points = densityOf(figures);
        const ghost = previous && previous.point_value !== value ? densityOf(previous) : [];
        const top = Math.max(...[...points, ...ghost].map(({ density }) => density));
        const peak = Math.max(...points.map(({ density }) => density));
        const inRange = between(points, lower, upper);
        const marks = [
          { usd: lower, anchor: 'end' as const },
          { usd: upper, anchor: 'start' as const },
        ];
        return {
          height: width < 420 ? 150 : 190,
          marginTop: 26,
          marginBottom: 30,
          marginLeft: 8,
          marginRight: 8,
          y: { axis: null, domain: [0, top * 1.02] },
          x: { label: null, ticks: width < 420 ? 4 : 7, tickFormat: formatShortUsd },
          marks: [
            Plot.areaY(points, { x: 'usd', y: 'density', fill: 'var(--line)' }),
            Plot.areaY(inRange, { x: 'usd', y: 'density', fill: 'var(--accent)', fillOpacity: 0.28 }),
            Plot.lineY(points, { x: 'usd', y: 'density', stroke: 'var(--accent)', strokeWidth: 1.5 }),
            Plot.ruleX(marks, {
              x: 'usd',
              y1: 0,
              y2: peak * 0.32,
              stroke: 'var(--accent)',
              strokeDasharray: '3 3',
            }),
            ...marks.map(({ usd, anchor }) =>
              Plot.text([usd], {
                x: [usd],
                y: [peak * 0.32],
                text: [formatShortUsd(usd)],
                textAnchor: anchor,
                dx: anchor === 'end' ? -5 : 5,
                fill: 'var(--quiet)',
              }),
            ),
            Plot.lineY(ghost, {
              x: 'usd',
              y: 'density',
              stroke: 'var(--series-2)',
              strokeOpacity: 0.7,
              strokeDasharray: '2 3',
            }),
            Plot.ruleX(ghost.length > 0 && previous ? [previous.point_value] : [], {
              y1: 0,
              y2: top,
              stroke: 'var(--series-2)',
              strokeDasharray: '2 3',
            }),
            Plot.ruleX([value], { y1: 0, y2: peak, stroke: 'var(--ink)', strokeWidth: 2 }),
            Plot.text([value], {
              x: [value],
              y: [peak],
              text: [formatUsd(value)],
              dy: -12,
              fontWeight: 650,
              fontSize: 13,
              fill: 'var(--ink)',
              // The curve before the last change may pass behind it.
              stroke: 'var(--ground)',
              strokeWidth: 4,
            }),
            Plot.ruleY([0], { stroke: 'var(--edge)' }),
          ],
        };
      }}
      table={() => <Percentiles figures={figures} />}
    />
  );
}

/** The part of the curve between two prices, interpolated at both ends. */
function between(points: readonly DensityPoint[], lower: number, upper: number): DensityPoint[] {
  const at = (usd: number): DensityPoint[] => {
    const after = points.findIndex((point) => point.usd > usd);
    if (after <= 0) return [];
    const [a, b] = [points[after - 1], points[after]];
    return [{ usd, density: a.density + ((b.density - a.density) * (usd - a.usd)) / (b.usd - a.usd) }];
  };
  return [...at(lower), ...points.filter(({ usd }) => usd > lower && usd < upper), ...at(upper)];
}

function Percentiles({ figures }: { readonly figures: ValueFigures }) {
  const { percentiles: p, mean, std } = figures.probabilistic_distribution;
  const rows = [
    ['5th percentile', p.p5],
    ['10th percentile', p.p10],
    ['25th percentile', p.p25],
    ['Median', p.p50],
    ['75th percentile', p.p75],
    ['90th percentile', p.p90],
    ['95th percentile', p.p95],
    ['Mean', mean],
    ['Standard deviation', std],
  ] as const;
  return (
    <Table
      caption="Distribution of likely prices"
      rows={rows}
      keyOf={([name]) => name}
      columns={[
        { label: 'Measure', isRowHeader: true, cell: ([name]) => name },
        { label: 'Price', isNumber: true, cell: ([, usd]) => formatUsd(usd) },
      ]}
    />
  );
}
