import { type StudyMethod, studyMethodOf } from '../../../src/operations/studies/backtest/study-method.ts';
import { testBuilder } from '../valuation/market.ts';

/** The made-up model of the test market, opened for each task, so that tasks share no fit. */
export const method: StudyMethod = {
  value: (market, task) => studyMethodOf(testBuilder).value(market, task),
};
