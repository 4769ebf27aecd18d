import { formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { RatioCases } from '../../valuation/ratio-study/cases.ts';
import { studyCell } from '../../valuation/ratio-study/cell.ts';
import { hitRateCurve, priceTiers, studyGroups } from '../../valuation/ratio-study/groups.ts';
import { areaKey, monthKey } from './case-groups.ts';
import type { CellJson } from './cell-json.ts';
import { cellJson, cellsJson, rounded } from './cell-json.ts';
import type { BacktestProtocol } from './protocol.ts';
import { everyText, protocolText } from './protocol.ts';
import type { TestedSales } from './tested-sales.ts';
import { baselineCases, keepCases, modelCases } from './tested-sales.ts';

/** Cells of all tested sales of a set together and by type. */
export interface CellSet {
  overall: CellJson;
  by_type: Record<string, CellJson>;
}

/** What `plumbline backtest --json` prints. Property types and other keys are in alphabetical order. */
export interface BacktestReport {
  market: string;
  kind: 'property';
  protocol: {
    type: 'frozen' | 'walk_forward';
    description: string;
    train_before: string | null;
    from: string;
    to: string;
    every: string | null;
    recording_lag_days: number;
    trainings: number;
    tested: number;
    bundles: number;
    flagged: number;
  };
  overall: CellJson;
  by_type: Record<string, CellJson>;
  /** By geohash of five characters: about 4.9 × 4.9 km at the equator, 3.5 × 4.9 km at 45°. */
  by_area: Record<string, CellJson>;
  /** Fifths by ½ · price + ½ · value / median ratio, '1' the cheapest. */
  by_price_tier: Record<string, CellJson>;
  /** By month of closing. */
  by_month: Record<string, CellJson>;
  /** Without sales of one day and price on three parcels or more. */
  without_bundles: CellSet;
  /** Without any sale that the market's own checks flag. */
  unflagged: CellSet;
  /** What remains if only values up to an FSD are given. */
  hit_rate_curve: { fsd_max: number; n: number; hit_rate: number; mdape: number; ppe10: number }[];
  baselines: Record<string, CellSet & { without_bundles: CellSet; unflagged: CellSet }>;
}

export interface ReportSubject {
  readonly market: string;
  readonly protocol: BacktestProtocol;
  readonly trainings: number;
}

/** Measures the tested sales, of which there is at least one. */
export function measureBacktest(subject: ReportSubject, tested: TestedSales): BacktestReport {
  const { columns, rows } = tested;
  const cases = modelCases(tested);
  const types = Array.from(rows, (row) => PROPERTY_TYPES[columns.type[row]]);
  const areas = Array.from(rows, (row) => areaKey(columns.lat[row], columns.lon[row]));
  const months = Array.from(rows, (row) => monthKey(columns.soldOn[row]));
  const sets = (of: RatioCases) => ({
    ...cellSet(of, types),
    without_bundles: keptSet(of, types, (i) => tested.isBundle[i] === 0),
    unflagged: keptSet(of, types, (i) => tested.isFlagged[i] === 0),
  });
  const model = sets(cases);
  return {
    market: subject.market,
    kind: 'property',
    protocol: protocolJson(subject, tested),
    overall: model.overall,
    by_type: model.by_type,
    by_area: cellsJson(studyGroups(cases, areas)),
    by_price_tier: cellsJson(studyGroups(cases, priceTiers(cases))),
    by_month: cellsJson(studyGroups(cases, months)),
    without_bundles: model.without_bundles,
    unflagged: model.unflagged,
    hit_rate_curve: hitRateCurve(cases).map((point) => ({
      fsd_max: point.fsdMax,
      n: point.n,
      hit_rate: rounded(point.hitRate),
      mdape: rounded(point.mdape),
      ppe10: rounded(point.ppe10),
    })),
    baselines: Object.fromEntries(
      Object.keys(tested.baselines).map((name) => [name, sets(baselineCases(tested, name))]),
    ),
  };
}

function cellSet(cases: RatioCases, types: readonly string[]): CellSet {
  return { overall: cellJson(studyCell(cases)), by_type: cellsJson(studyGroups(cases, types)) };
}

function keptSet(
  cases: RatioCases,
  types: readonly string[],
  isKept: (position: number) => boolean,
): CellSet {
  const kept = keepCases(cases, isKept);
  return cellSet(
    kept.cases,
    kept.positions.map((position) => types[position]),
  );
}

function protocolJson(subject: ReportSubject, tested: TestedSales): BacktestReport['protocol'] {
  const { protocol } = subject;
  const { columns, rows } = tested;
  let first = Infinity;
  let last = -Infinity;
  for (const row of rows) {
    first = Math.min(first, columns.soldOn[row]);
    last = Math.max(last, columns.soldOn[row]);
  }
  const count = (marks: Uint8Array): number => marks.reduce((sum, mark) => sum + mark, 0);
  return {
    type: protocol.kind,
    description: protocolText(protocol),
    train_before: protocol.kind === 'frozen' ? formatDay(protocol.trainBefore) : null,
    from: formatDay(first),
    to: formatDay(last),
    every: protocol.kind === 'walk_forward' ? everyText(protocol.every) : null,
    recording_lag_days: columns.recordingLagDays,
    trainings: subject.trainings,
    tested: rows.length,
    bundles: count(tested.isBundle),
    flagged: count(tested.isFlagged),
  };
}
