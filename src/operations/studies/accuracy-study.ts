import { formatDay } from '../../domain/day.ts';
import { PlumblineError } from '../../errors.ts';
import { casesOf } from '../../valuation/ratio-study/cases.ts';
import { studyStratum } from '../../valuation/ratio-study/stratum.ts';
import { priceTiers, studyGroups } from '../../valuation/ratio-study/groups.ts';
import type { ValuedSales } from '../../valuation/ratio-study/valued-sales.ts';
import { areaKey, monthKey } from './backtest/case-groups.ts';
import type { StratumJson } from './backtest/stratum-json.ts';
import { stratumJson, strataJson } from './backtest/stratum-json.ts';
import {
  AREA_COLUMNS,
  EQUITY_COLUMNS,
  INTERVAL_COLUMNS,
  labeled,
  POINT_COLUMNS,
  section,
  type LabeledStratum,
} from './backtest/stratum-table.ts';
import { strataCsv } from './backtest/strata-csv.ts';

/** What `plumbline accuracy --json` prints: a ratio study of values from any source. */
export interface AccuracyReport {
  source: string;
  from: string;
  to: string;
  overall: StratumJson;
  by_type: Record<string, StratumJson>;
  /** By geohash of five characters. Rows without coordinates are in no area. */
  by_area: Record<string, StratumJson>;
  by_price_tier: Record<string, StratumJson>;
  by_month: Record<string, StratumJson>;
  refused: Record<string, number>;
  first_refused: string[];
}

/** Measures values from any source against prices. `source` is the file's name, for the report. */
export function measureValues(source: string, sales: ValuedSales): AccuracyReport {
  const { cases, soldOn, types, lat, lon } = sales;
  if (cases.n === 0) {
    const reasons = Object.entries(sales.rejected).map(([reason, n]) => `${reason} ${n}`);
    throw new PlumblineError(
      'usage',
      `${source} has no row with a price and a date to measure${reasons.length > 0 ? ` (${reasons.join(', ')}; ${sales.firstRejected[0]})` : ''}.`,
    );
  }
  const grouped = (keyOf: (i: number) => string | null): Record<string, StratumJson> => {
    const keys = soldOn.map((_, i) => keyOf(i));
    const positions = [...keys.keys()].filter((i) => keys[i] !== null);
    const kept = positions.map((i) => keys[i] ?? '');
    return strataJson(studyGroups(casesOf(cases, positions), kept));
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
  const rows: LabeledStratum[] = [
    ['all', report.overall],
    ...labeled('', report.by_type),
    ...labeled('price tier ', report.by_price_tier),
  ];
  const refused = Object.entries(report.refused).map(([reason, n]) => `${reason} ${n}`);
  const lines = [`${report.source} · ${report.overall.n} sales closed ${report.from} … ${report.to}`];
  if (refused.length > 0) lines.push(`Rejected: ${refused.join(', ')}; first: ${report.first_refused[0]}`);
  lines.push(...section('Accuracy (percent)', POINT_COLUMNS, rows));
  lines.push(
    ...section('Equity (IAAO: COD 5–15, PRD 0.98–1.03, PRB ±0.05, median 0.90–1.10)', EQUITY_COLUMNS, rows),
  );
  if (report.overall.coverage_90 !== null || report.overall.fsd_honesty !== null) {
    lines.push(...section('Intervals (percent)', INTERVAL_COLUMNS, rows));
  }
  lines.push(...section('Areas', AREA_COLUMNS, labeled('', report.by_area)));
  lines.push(...section('Months', AREA_COLUMNS, labeled('', report.by_month)));
  lines.push('', '*: fewer than 30 sales. 95% intervals by bootstrap.', '');
  return lines.join('\n');
}

/** One line of CSV per stratum. */
export function accuracyCsv(report: AccuracyReport): Generator<string> {
  const { by_type, by_area, by_price_tier, by_month } = report;
  return strataCsv({ overall: { overall: report.overall }, by_type, by_area, by_price_tier, by_month });
}
