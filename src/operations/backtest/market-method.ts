import type { Day } from '../../domain/day.ts';
import { blended } from '../../valuation/calibration/blend.ts';
import { blindSalesOf } from '../../valuation/calibration/blind-sales.ts';
import type { BlindSales } from '../../valuation/calibration/blind-sales.ts';
import { completeSubject } from '../../valuation/evidence/complete-subject.ts';
import { distributionOf, percentileUsd } from '../../valuation/calibration/distribution.ts';
import { rawEstimate } from '../../valuation/evidence/estimate.ts';
import { homeOfSale } from '../../valuation/columns/home-of-sale.ts';
import { buildEvidence } from '../../valuation/evidence/market-evidence.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { blindSaleOf, type ModelMaker } from '../../valuation/train-job.ts';
import { learnFromBlind, newestScores, outOfFoldScores } from '../../valuation/train-market.ts';
import type { BlindResult, BlindTask, StudyMethod, StudyValues } from './study-method.ts';
import { STUDY_PERCENTILES } from './study-method.ts';

/**
 * A market's model as the service runs it, in the two halves that a study needs: fit and raw estimates of the
 * sales' homes as recorded, then levels, blend and distribution. Values equal the service's but for the rounding of
 * single comparables to whole dollars.
 */
export function studyMethodOf(maker: ModelMaker): StudyMethod {
  return { valueBlind: (columns, task) => valueBlind(maker, columns, task), finish };
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
  const valueUsd = new Float64Array(tested.n);
  const percentilesUsd = STUDY_PERCENTILES.map(() => new Float64Array(tested.n));
  const fsd = new Float64Array(tested.n);
  for (let i = 0; i < tested.n; i++) {
    const logPoint = pointOf(tested, i, learned.blend);
    valueUsd[i] = Math.max(1, Math.round(Math.exp(logPoint)));
    const distribution = distributionOf(learned.calibration, homeOf(tested, i, logPoint), valueUsd[i]);
    for (const [p, level] of STUDY_PERCENTILES.entries()) {
      percentilesUsd[p][i] = percentileUsd(distribution, level);
    }
    fsd[i] = distribution.fsd;
  }
  return { valueUsd, percentilesUsd, fsd };
}

type Blend = ReturnType<typeof learnFromBlind>['blend'];

function pointOf(tested: BlindSales, i: number, blend: Blend): number {
  const type = tested.type[i];
  return blended(
    tested.logModel[i] + blend.modelLevel[type],
    tested.logComparables[i] + blend.comparablesLevel[type],
    blend.comparablesWeight[type] * tested.comparablesTrust[i],
  );
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
