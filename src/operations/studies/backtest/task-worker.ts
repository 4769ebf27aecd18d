import { workerData } from 'node:worker_threads';
import { handleCalls } from '../../../threads/open-thread.ts';
import { readSharedColumns } from '../../threads/job-threads.ts';
import { openStudy, type SharedStudyRun } from '../backtest.ts';
import type { StudyTask } from './study-method.ts';
import type { TestedPart } from './tested-sales.ts';

const { columns, rents, sales, ...study } = workerData as SharedStudyRun;
const market = {
  columns: readSharedColumns(columns),
  rents: rents && readSharedColumns(rents),
  sales: sales && readSharedColumns(sales),
};
const runTask = await openStudy({ ...study, market });
handleCalls<StudyTask[], TestedPart[]>(async (tasks, onShare) => {
  const parts: TestedPart[] = [];
  for (const task of tasks) {
    parts.push(await runTask(task));
    // The last part is reported with the result.
    if (parts.length < tasks.length) onShare(parts.length / tasks.length);
  }
  return parts;
});
