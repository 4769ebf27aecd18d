import type { Day } from '../../domain/day.ts';
import { blendedAt, levelledBy } from '../../valuation/calibration/blend.ts';
import { blindSalesOf } from '../../valuation/calibration/blind-sales.ts';
import type { BlindSales } from '../../valuation/calibration/blind-sales.ts';
import { completeSubject } from '../../valuation/evidence/complete-subject.ts';
import {
  distributionOf,
  percentileUsd,
  type Distribution,
} from '../../valuation/calibration/distribution.ts';
import { rawEstimate } from '../../valuation/evidence/estimate.ts';
import { homeOfSale } from '../../valuation/columns/home-of-sale.ts';
import { buildEvidence } from '../../valuation/evidence/market-evidence.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { withholdRows } from '../../valuation/columns/withhold-rows.ts';
import { blindSaleOf, type ModelMaker } from '../../valuation/train-job.ts';
import {
  bindTrained,
  learnFromBlind,
  newestScores,
  outOfFoldScores,
  trainMarket,
} from '../../valuation/train-market.ts';
import { valueHome } from '../../valuation/value-home.ts';
import type { BlindResult, BlindTask, StudyMethod, StudyValues, WithheldTask } from './study-method.ts';
import { STUDY_PERCENTILES } from './study-method.ts';

/**
 * A market's model as the service runs it, in the two halves that a study needs: fit and raw estimates of the
 * sales' homes as recorded, then levels, blend and distribution. Values equal the service's but for the rounding of
 * single comparables to whole dollars.
 */
export function studyMethodOf(maker: ModelMaker): StudyMethod {
  return {
    valueBlind: (columns, task) => valueBlind(maker, columns, task),
    finish,
    valueWithheld: (columns, task) => valueWithheld(maker, columns, task),
  };
}

function valueBlind(maker: ModelMaker, columns: SaleColumns, task: BlindTask): BlindResult {
  const predictor = maker.bind(maker.fit(columns, task.trainedOn), columns);
  const evidence = buildEvidence(columns, predictor);
  const sales = Array.from(task.rows, (row) => {
    const asOf = columns.soldOn[row];
    const moment = { asOf, knownBy: task.knownBy ?? asOf - 1 };
    const subject = completeSubject(evidence, homeOfSale(columns, row), {}, moment);
    return blindSaleOf(columns, row, task.trainedOn, rawEstimate(evidence, subject, moment));
  });
  return { blind: blindSalesOf(sales), crossValidated: outOfFoldScores(predictor) };
}

function finish(trainedOn: Day, blind: BlindSales, result: BlindResult): StudyValues {
  const { blind: tested, crossValidated } = result;
  const learned = learnFromBlind(newestScores(blind), trainedOn, () => crossValidated);
  const levelled = levelledBy(tested, learned.blend);
  return collectValues(tested.n, (i) => {
    const logPoint = blendedAt(tested, levelled, learned.blend, i);
    const pointUsd = Math.max(1, Math.round(Math.exp(logPoint)));
    const home = homeOf(tested, i, logPoint);
    return { pointUsd, distribution: distributionOf(learned.calibration, home, pointUsd) };
  });
}

/**
 * Trained and asked exactly as a service is, as of each row's own day: where dates tell nothing that is the training
 * day for all, elsewhere a value of another day than the price's would measure the market's movement.
 */
async function valueWithheld(
  maker: ModelMaker,
  columns: SaleColumns,
  { trainedOn, rows, withheld }: WithheldTask,
): Promise<StudyValues> {
  const seen = withholdRows(columns, withheld);
  const market = bindTrained(await trainMarket(seen, trainedOn, { maker }), seen, maker);
  return collectValues(rows.length, (i) => {
    const moment = { asOf: columns.soldOn[rows[i]], knownBy: trainedOn };
    const { estimate, distribution } = valueHome(market, homeOfSale(columns, rows[i]), {}, moment);
    return { pointUsd: estimate.pointUsd, distribution };
  });
}

/** Values one by one as columns. */
function collectValues(
  n: number,
  valueAt: (i: number) => { readonly pointUsd: number; readonly distribution: Distribution },
): StudyValues {
  const valueUsd = new Float64Array(n);
  const percentilesUsd = STUDY_PERCENTILES.map(() => new Float64Array(n));
  const fsd = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const { pointUsd, distribution } = valueAt(i);
    valueUsd[i] = pointUsd;
    for (const [p, level] of STUDY_PERCENTILES.entries()) {
      percentilesUsd[p][i] = percentileUsd(distribution, level);
    }
    fsd[i] = distribution.fsd;
  }
  return { valueUsd, percentilesUsd, fsd };
}

function homeOf(tested: BlindSales, i: number, logPoint: number) {
  const width = tested.difficultyWidth;
  return {
    lat: tested.lat[i],
    lon: tested.lon[i],
    type: tested.type[i],
    logPoint,
    difficulty: tested.difficulty.subarray(i * width, (i + 1) * width),
    variantsSpread: tested.variantsSpread[i],
    ageDays: tested.ageDays[i],
  };
}
