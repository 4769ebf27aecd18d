import { yearMonthOf, type Day } from '../../domain/day.ts';
import type { FeatureChoice } from '../../domain/own-features.ts';
import { isOwnFeature } from '../../domain/rent.ts';
import { withFeatures, type SaleColumns } from '../columns/sale-columns.ts';
import { median } from '../order-statistics.ts';
import { seededRandom } from '../random.ts';
import { binColumns, type BinnedTable } from '../trees/bin-columns.ts';
import { bindForests } from '../trees/predict-rows.ts';
import { growForest } from '../trees/grow-forest.ts';
import { FEATURE_CHOICE } from './constants.ts';
import { featureColumns, ownFeaturePositions, planFeatures } from './features.ts';
import { trainingRows } from './fit-model.ts';
import { logPriceAtTraining, type Predictor } from './predictor.ts';

/** Fits and binds a small model. */
export interface SmallModel {
  fit(columns: SaleColumns, trainedOn: Day): Uint8Array;
  bind(model: Uint8Array, columns: SaleColumns): Predictor;
}

/** A span of sales, predicted without any candidate by a model trained before it. */
interface Span {
  /** Numbers by column, of the training rows and then of the tested rows; the last is the model's prediction. */
  readonly numbers: readonly Float64Array[];
  /** The same as bins. */
  readonly table: BinnedTable;
  /** By candidate: its column, −1 where it has a single value. */
  readonly positions: readonly number[];
  /** ln price less the model's prediction: out of fold for training rows. */
  readonly residual: Float64Array;
  readonly trained: Int32Array;
  readonly tested: Int32Array;
  /** By tested sale. */
  readonly month: Int32Array;
}

/**
 * Which of a market's own columns improve its values. A small model without them is trained before each of the newest
 * spans of sales. Trees on what it leaves unexplained are grown with some of the columns, and the errors on the sales of
 * the span are compared: a column counts only for what attributes, place and neighbors do not already say. The columns
 * that matter by more than `leastZ` standard errors are added in order of importance; the number with the least error is
 * used, or none, if that is not better than none by as many.
 */
export function chooseFeatures(
  builder: SmallModel,
  columns: SaleColumns,
  trainedOn: Day,
  onProgress: (done: number) => void = () => {},
): FeatureChoice {
  const names = columns.features.filter(isOwnFeature).map(({ name }) => name);
  const spans = testSpans(columns, trainedOn).map((span, i, all) => {
    onProgress((0.5 * i) / all.length);
    return openSpan(builder, columns, names, span);
  });
  const sales = spans.reduce((sum, { tested }) => sum + tested.length, 0);
  if (sales < FEATURE_CHOICE.leastSales) return { sales: 0, gain: 0, standardError: 0, tests: [] };
  onProgress(0.5);
  const importances = measureImportance(spans, [...names.keys()]).sort((a, b) => b.gain - a.gain);
  const order = importances
    .filter(({ gain, standardError }) => gain > FEATURE_CHOICE.leastZ * standardError)
    .slice(0, FEATURE_CHOICE.mostChosen);
  const none = testErrors(spans, []);
  let best = { count: 0, gain: 0, standardError: 0 };
  for (let count = 1; count <= order.length; count++) {
    onProgress(0.6 + (0.4 * count) / order.length);
    const first = order.slice(0, count).map(({ candidate }) => candidate);
    const tested = pairedGain(spans, none, testErrors(spans, first));
    if (tested.gain > best.gain) best = { count, ...tested };
  }
  const isBetter = best.gain > FEATURE_CHOICE.leastZ * best.standardError;
  const chosen = new Set(isBetter ? order.slice(0, best.count) : []);
  return {
    sales,
    gain: isBetter ? best.gain : 0,
    standardError: best.standardError,
    tests: importances.map((one) => ({
      name: names[one.candidate],
      isChosen: chosen.has(one),
      gain: one.gain,
      standardError: one.standardError,
    })),
  };
}

/** The names of the columns to train with: the chosen ones, and members of requests that are stored as features. */
export function chosenNames(columns: SaleColumns, { tests }: FeatureChoice): string[] {
  const chosen = new Set(tests.filter(({ isChosen }) => isChosen).map(({ name }) => name));
  return columns.features
    .filter((feature) => !isOwnFeature(feature) || chosen.has(feature.name))
    .map(({ name }) => name);
}

interface SpanRows {
  readonly trainedOn: Day;
  readonly rows: Int32Array;
}

/** The newest sales in spans of equal numbers, each with the day before it. */
function testSpans(columns: SaleColumns, trainedOn: Day): SpanRows[] {
  const { windowMonths, spans, testedShare, mostSales, leastSales, fit } = FEATURE_CHOICE;
  const recent = trainingRows(columns, trainedOn, windowMonths);
  const rows = recent.length < mostSales ? trainingRows(columns, trainedOn) : recent;
  const days = Float64Array.from(rows, (row) => columns.soldOn[row]).sort();
  const cuts = Array.from({ length: spans }, (_, i) => {
    return days[Math.floor(days.length * (1 - testedShare + (i * testedShare) / spans))] - 1;
  });
  return cuts.flatMap((cut, i) => {
    const end = cuts[i + 1] ?? trainedOn;
    const tested = rows.filter((row) => columns.soldOn[row] > cut && columns.soldOn[row] <= end);
    const step = Math.max(1, (spans * tested.length) / mostSales);
    const sampled = Int32Array.from(
      { length: Math.floor(tested.length / step) },
      (_, k) => tested[Math.floor(k * step)],
    );
    const isEnough = trainingRows(columns, cut, fit.windowMonths).length >= leastSales;
    return isEnough && sampled.length > 0 ? [{ trainedOn: cut, rows: sampled }] : [];
  });
}

function openSpan(
  builder: SmallModel,
  columns: SaleColumns,
  names: readonly string[],
  { trainedOn, rows }: SpanRows,
): Span {
  const others = columns.features.map(({ name }) => name).filter((name) => !names.includes(name));
  const plain = withFeatures(columns, others);
  const predictor = builder.bind(builder.fit(plain, trainedOn), plain);
  const trainedRows = trainingRows(plain, trainedOn, FEATURE_CHOICE.fit.windowMonths);
  const both = Int32Array.from([...trainedRows, ...rows]);
  // Training sales are predicted out of fold.
  const predicted = Float64Array.from(both, (row) => predictor.logValueOfSale(row));
  const plan = planFeatures(columns, trainedRows);
  const own = ownFeaturePositions(plan);
  const numbers = [...featureColumns(plan, columns, both), predicted];
  return {
    numbers,
    table: binColumns(numbers, both.length),
    positions: names.map((name) => own[plan.own.findIndex((feature) => feature.name === name)] ?? -1),
    residual: Float64Array.from(both, (row, i) => logPriceAtTraining(predictor, row) - predicted[i]),
    trained: Int32Array.from(trainedRows.keys()),
    tested: Int32Array.from(rows, (_, i) => trainedRows.length + i),
    month: Int32Array.from(rows, (row) => {
      const { year, month } = yearMonthOf(columns.soldOn[row]);
      return 12 * year + month;
    }),
  };
}

/** Trees on what the small model leaves unexplained, by its features and the candidates. */
function growOn({ table, positions, residual, trained }: Span, candidates: readonly number[]) {
  const left = new Set(positions.filter((_, c) => !candidates.includes(c)));
  const kept = [...table.codes.keys()].filter((column) => !left.has(column));
  const part = { n: table.n, codes: kept.map((f) => table.codes[f]), edges: kept.map((f) => table.edges[f]) };
  const data = { table: part, target: residual, weights: null, rows: trained };
  return { kept, ...growForest(data, FEATURE_CHOICE.trees) };
}

/** By span: absolute errors of the tested sales by trees with the candidates. */
function testErrors(spans: readonly Span[], candidates: readonly number[]): Float64Array[] {
  return spans.map((span) => {
    const { prediction } = growOn(span, candidates);
    return absoluteErrors(
      span,
      Float64Array.from(span.tested, (row) => prediction[row]),
    );
  });
}

/** Less each month's median, because no column can say how the market will move. */
function absoluteErrors({ residual, tested, month }: Span, explained: Float64Array): Float64Array {
  const errors = Float64Array.from(tested, (row, i) => residual[row] - explained[i]);
  const byMonth = Map.groupBy(errors.keys(), (i) => month[i]);
  for (const positions of byMonth.values()) {
    const level = median(Float64Array.from(positions, (i) => errors[i]));
    for (const i of positions) errors[i] = Math.min(FEATURE_CHOICE.errorCap, Math.abs(errors[i] - level));
  }
  return errors;
}

/** How much the error falls by each candidate's values, against the same values exchanged between the tested sales. */
function measureImportance(spans: readonly Span[], candidates: readonly number[]) {
  const grown = spans.map((span) => ({ span, ...growOn(span, candidates) }));
  const errorsOf = (shuffled: number | null) =>
    grown.map(({ span, forest, kept }) => {
      const { tested, numbers, positions } = span;
      const n = tested.length;
      const values = new Float64Array(kept.length * n);
      kept.forEach((column, f) => {
        const isShuffled = shuffled !== null && column === positions[shuffled];
        const rows = isShuffled ? shuffle(tested) : tested;
        for (let i = 0; i < n; i++) values[f * n + i] = numbers[column][rows[i]];
      });
      return absoluteErrors(span, bindForests([forest])({ n, values }).predict(forest));
    });
  const whole = errorsOf(null);
  return candidates.map((candidate) => ({ candidate, ...pairedGain(spans, errorsOf(candidate), whole) }));
}

function shuffle(rows: Int32Array): Int32Array {
  const shuffled = rows.slice();
  const random = seededRandom(FEATURE_CHOICE.trees.seed);
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
  }
  return shuffled;
}

/** The mean fall of the absolute error, as a share of it, and its standard error: sales of a month err together. */
function pairedGain(spans: readonly Span[], before: readonly Float64Array[], after: readonly Float64Array[]) {
  let n = 0;
  let total = 0;
  let fall = 0;
  let squares = 0;
  const months = new Map<string, { n: number; fall: number }>();
  spans.forEach((span, s) => {
    before[s].forEach((error, i) => {
      const difference = error - after[s][i];
      const key = `${s} ${span.month[i]}`;
      const known = months.get(key) ?? { n: 0, fall: 0 };
      months.set(key, { n: known.n + 1, fall: known.fall + difference });
      n++;
      total += error;
      fall += difference;
      squares += difference ** 2;
    });
  });
  const mean = fall / n;
  const clusters = [...months.values()].reduce((sum, month) => sum + (month.fall - month.n * mean) ** 2, 0);
  const clustered = (clusters * months.size) / Math.max(1, months.size - 1);
  const independent = squares - n * mean ** 2;
  return { gain: fall / total, standardError: Math.sqrt(Math.max(clustered, independent)) / total };
}
