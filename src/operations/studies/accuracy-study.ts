import { formatDay } from '../../domain/day.ts';
import { PlumblineError } from '../../errors.ts';
import { casesOf, type ValuedSales } from '../../valuation/ratio-study/cases.ts';
import { priceTiers, studyGroups, studyStratum } from '../../valuation/ratio-study/strata.ts';
import { areaKey, monthKey } from './backtest/study-kinds.ts';
import {
  EQUITY_TITLE,
  labeled,
  section,
  strataCsv,
  strataJson,
  stratumJson,
  type LabeledStratum,
  type StrataJson,
  type StratumJson,
} from './strata.ts';

/** What `plumbline accuracy --json` prints: a ratio study of values from any source. */
export interface AccuracyReport {
  source: string;
  from: string;
  to: string;
  overall: StratumJson;
  by_type: StrataJson;
  /** By geohash of five characters. Rows without coordinates are in no area. */
  by_area: StrataJson;
  by_price_tier: StrataJson;
  by_month: StrataJson;
  refused: Record<string, number>;
  first_refused: string[];
}

/** Measures values from any source against prices. `source` is the file's name, for the report. */
export function measureValues(source: string, sales: ValuedSales): AccuracyReport {
  const { cases, soldOn, types, lat, lon } = sales;
  if (cases.n === 0) {
    const reasons = rejectedText(sales.rejected);
    throw new PlumblineError(
      'usage',
      `${source} has no row with a price and a date to measure${reasons === '' ? '' : ` (${reasons}; ${sales.firstRejected[0]})`}.`,
    );
  }
  const grouped = (keyOf: (i: number) => string | null): StrataJson => {
    const keys = soldOn.map((_, i) => keyOf(i));
    const positions = [...keys.keys()].filter((i) => keys[i] !== null);
    return strataJson(
      studyGroups(
        casesOf(cases, positions),
        keys.filter((key) => key !== null),
      ),
    );
  };
  const tiers = priceTiers(cases);
  const days = [...soldOn].sort((a, b) => a - b);
  return {
    source,
    from: formatDay(days[0]),
    to: formatDay(days[days.length - 1]),
    overall: stratumJson(studyStratum(cases)),
    by_type: grouped((i) => types[i]),
    by_area: grouped((i) =>
      Math.abs(lat[i]) <= 90 && Math.abs(lon[i]) <= 180 ? areaKey(lat[i], lon[i]) : null,
    ),
    by_price_tier: grouped((i) => tiers[i]),
    by_month: grouped((i) => monthKey(soldOn[i])),
    refused: { ...sales.rejected },
    first_refused: [...sales.firstRejected],
  };
}

/** The study for a terminal. */
export function formatAccuracyTable(report: AccuracyReport): string {
  const { source, from, to, overall } = report;
  const rows: LabeledStratum[] = [
    ['all', overall],
    ...labeled('', report.by_type),
    ...labeled('price tier ', report.by_price_tier),
  ];
  const rejected = rejectedText(report.refused);
  const hasIntervals = overall.coverage_90 !== null || overall.fsd_honesty !== null;
  return [
    `${source} · ${overall.n} sales closed ${from} … ${to}`,
    ...(rejected === '' ? [] : [`Rejected: ${rejected}; first: ${report.first_refused[0]}`]),
    ...section('Accuracy (percent)', 'point', rows),
    ...section(EQUITY_TITLE, 'equity', rows),
    ...(hasIntervals ? section('Intervals (percent)', 'intervals', rows) : []),
    ...section('Areas', 'areas', labeled('', report.by_area)),
    ...section('Months', 'areas', labeled('', report.by_month)),
    '',
    '*: fewer than 30 sales. 95% intervals by bootstrap.',
    '',
  ].join('\n');
}

function rejectedText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, n]) => `${reason} ${n}`)
    .join(', ');
}

/** One line of CSV per stratum. */
export function accuracyCsv(report: AccuracyReport): Generator<string> {
  const { by_type, by_area, by_price_tier, by_month } = report;
  return strataCsv({ overall: { overall: report.overall }, by_type, by_area, by_price_tier, by_month });
}
