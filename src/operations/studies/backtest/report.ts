import { formatDay } from '../../../domain/day.ts';
import { PROPERTY_TYPES } from '../../../domain/property.ts';
import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import type { RatioCases } from '../../../valuation/ratio-study/cases.ts';
import { studyStratum } from '../../../valuation/ratio-study/stratum.ts';
import { hitRateCurve, priceTiers, studyGroups } from '../../../valuation/ratio-study/groups.ts';
import { areaKey, monthKey } from './case-groups.ts';
import type { StratumJson } from './stratum-json.ts';
import { stratumJson, strataJson, rounded } from './stratum-json.ts';
import type { BacktestProtocol, FoldUnit } from './protocol.ts';
import { everyText, protocolText } from './protocol.ts';
import type { Breakdown, StudyKind } from './study-kinds.ts';
import type { TestedSales } from './tested-sales.ts';
import { baselineCases, keepCases, modelCases } from './tested-sales.ts';

/** Strata of a set of tested sales: all together and by type. */
export interface StratumSet {
  overall: StratumJson;
  by_type: Record<string, StratumJson>;
  /** Of rents: 0 … 4, 5+, unknown. */
  by_bedrooms?: Record<string, StratumJson>;
  /** Of buildings: 2, 3-4, 5-9, 10-19, 20-49, 50+, unknown. */
  by_units?: Record<string, StratumJson>;
}

/** What `plumbline backtest --json` prints. Property types and other keys are in alphabetical order. */
export interface BacktestReport extends StratumSet {
  market: string;
  kind: ValuationKind;
  protocol: {
    type: BacktestProtocol['kind'];
    description: string;
    train_before: string | null;
    from: string;
    to: string;
    every: string | null;
    folds: FoldUnit | null;
    fold_count: number | null;
    recording_lag_days: number;
    trainings: number;
    tested: number;
    bundles: number;
    flagged: number;
    /** Listings of the window that were not tested, by reason. Sales are all tested. */
    not_tested: Record<string, number>;
    /** Listings used by the two rent approaches to buildings; null = sales comparison only. */
    listings: number | null;
  };
  /** By geohash of five characters: about 4.9 × 4.9 km at the equator, 3.5 × 4.9 km at 45°. */
  by_area: Record<string, StratumJson>;
  /** Fifths by ½ · price + ½ · value / median ratio, '1' the cheapest. */
  by_price_tier: Record<string, StratumJson>;
  /** By month of closing, or listing. */
  by_month: Record<string, StratumJson>;
  /** Without sales of one day and price on three parcels or more. */
  without_bundles: StratumSet;
  /** Without sales that the market's own checks flag. */
  unflagged: StratumSet;
  /** What remains if only values up to an FSD are given. */
  hit_rate_curve: { fsd_max: number; n: number; hit_rate: number; mdape: number; ppe10: number }[];
  baselines: Record<string, StratumSet & { without_bundles: StratumSet; unflagged: StratumSet }>;
}

export interface ReportSubject {
  readonly market: string;
  readonly kind: StudyKind;
  readonly protocol: BacktestProtocol;
  readonly trainings: number;
  /** Listings by which buildings were valued besides the sales; null = sales comparison only. */
  readonly rents: SaleColumns | null;
  /** Rows that were not tested, by reason. */
  readonly cleaned: Readonly<Record<string, number>>;
  /** Bootstrap draws of each interval; the default of the ratio study where not given. */
  readonly resamples?: number;
}

/** Measures the tested sales; there must be at least one. */
export function measureBacktest(subject: ReportSubject, tested: TestedSales): BacktestReport {
  const { columns, rows } = tested;
  const cases = modelCases(tested);
  const { breakdown } = subject.kind;
  const { resamples } = subject;
  const keys: RowKeys = {
    types: Array.from(rows, (row) => PROPERTY_TYPES[columns.type[row]]),
    breakdown: breakdown && { ...breakdown, of: Array.from(rows, (row) => breakdown.keyOf(columns, row)) },
  };
  const areas = Array.from(rows, (row) => areaKey(columns.lat[row], columns.lon[row]));
  const months = Array.from(rows, (row) => monthKey(columns.soldOn[row]));
  const sets = (of: RatioCases) => ({
    ...keptSet(of, keys, resamples, () => true),
    without_bundles: keptSet(of, keys, resamples, (i) => tested.isBundle[i] === 0),
    unflagged: keptSet(of, keys, resamples, (i) => tested.isFlagged[i] === 0),
  });
  const model = sets(cases);
  return {
    market: subject.market,
    kind: subject.kind.kind,
    protocol: protocolJson(subject, tested),
    ...model,
    by_area: strataJson(studyGroups(cases, areas, resamples)),
    by_price_tier: strataJson(studyGroups(cases, priceTiers(cases), resamples)),
    by_month: strataJson(studyGroups(cases, months, resamples)),
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

/** The stratum keys of the tested rows, in their order. */
interface RowKeys {
  readonly types: readonly string[];
  readonly breakdown: (Breakdown & { readonly of: readonly string[] }) | null;
}

function keptSet(
  cases: RatioCases,
  keys: RowKeys,
  resamples: number | undefined,
  isKept: (position: number) => boolean,
): StratumSet {
  const kept = keepCases(cases, isKept);
  const pick = (all: readonly string[]) => kept.positions.map((position) => all[position]);
  const set = {
    overall: stratumJson(studyStratum(kept.cases, resamples)),
    by_type: strataJson(studyGroups(kept.cases, pick(keys.types), resamples)),
  };
  if (keys.breakdown === null) return set;
  const { name, keys: order, of } = keys.breakdown;
  const strata = studyGroups(kept.cases, pick(of), resamples);
  const ordered = [...strata].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return { ...set, [name]: strataJson(new Map(ordered)) };
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
    folds: protocol.kind === 'folds' ? protocol.unit : null,
    fold_count: protocol.kind === 'folds' ? protocol.count : null,
    recording_lag_days: columns.recordingLagDays,
    trainings: subject.trainings,
    tested: rows.length,
    bundles: count(tested.isBundle),
    flagged: count(tested.isFlagged),
    not_tested: { ...subject.cleaned },
    listings: subject.rents?.n ?? null,
  };
}
