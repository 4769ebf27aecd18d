import { workerData } from 'node:worker_threads';
import { serveJobs } from '../../threads/serve-jobs.ts';
import { readSharedColumns } from '../../threads/shared-columns.ts';
import { importMethod, runTask, type WorkerStart } from './run-tasks.ts';
import type { StudyTask } from './study-method.ts';
import type { TestedPart } from './tested-sales.ts';

const start = workerData as WorkerStart;
const market = {
  columns: readSharedColumns(start.columns),
  rents: start.rents && readSharedColumns(start.rents),
};
const method = await importMethod(start.methodUrl);
serveJobs<StudyTask[], TestedPart[]>(async (tasks, onShare) => {
  const parts: TestedPart[] = [];
  for (const [i, task] of tasks.entries()) {
    parts.push(await runTask(market, method, task, start.baselines));
    // The last part is reported with the result.
    if (i < tasks.length - 1) onShare((i + 1) / tasks.length);
  }
  return parts;
});
