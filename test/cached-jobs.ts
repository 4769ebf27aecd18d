import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { deserialize, serialize } from 'node:v8';
import { encodeColumns } from '../src/valuation/columns/snapshot-codec.ts';
import { propertyModelOf } from '../src/valuation/model/property-model.ts';
import { runTrainJob, type ModelBuilder, type TrainResult } from '../src/valuation/train-job.ts';
import type { RunTrainJobs } from '../src/valuation/train-market.ts';

/** Where results are kept for the files of one run of tests (test/run.ts); without it, for one file. */
export const TRAINING_CACHE = 'PLUMBLINE_TEST_TRAININGS';

const remembered = new Map<string, TrainResult>();

/**
 * Quick training for tests of doors, not of values: hardly a tree, and all holdout months valued by one model, of the day before the
 * first of them, in place of one a month. As strictly out of time, in a third of the time.
 */
export function quickJobs(effort: number): RunTrainJobs {
  const builder = propertyModelOf({ effort });
  return (columns, jobs) => {
    const holdoutDays = jobs.flatMap(({ kind, trainedOn }) => (kind === 'holdout' ? [trainedOn] : []));
    const first = Math.min(...holdoutDays);
    let ofFirst: Uint8Array | null = null;
    const oneHoldoutFit: ModelBuilder = {
      ...builder,
      fit(seen, trainedOn) {
        if (seen !== columns || !holdoutDays.includes(trainedOn)) return builder.fit(seen, trainedOn);
        ofFirst ??= builder.fit(seen, first);
        return ofFirst;
      },
    };
    return cachedJobs(oneHoldoutFit, `effort ${effort}, holdout by ${first}`)(columns, jobs);
  };
}

/**
 * Runs training jobs, each only once in a run of the tests: many files train on the same county, and the same columns
 * give the same bytes. Named by what the result depends on: the columns' bytes, the job, the builder by its name.
 */
export function cachedJobs(builder: ModelBuilder, makerName: string): RunTrainJobs {
  return async (columns, jobs) => {
    const ofColumns = createHash('sha256').update(encodeColumns(columns)).digest('hex');
    return jobs.map((job) => {
      const key = createHash('sha256')
        .update(serialize([makerName, ofColumns, job]))
        .digest('hex');
      const result = remembered.get(key) ?? readKept(key) ?? keep(key, runTrainJob(builder, columns, job));
      remembered.set(key, result);
      return result;
    });
  };
}

function readKept(key: string): TrainResult | null {
  const dir = process.env[TRAINING_CACHE];
  if (dir === undefined || !existsSync(join(dir, key))) return null;
  const result: TrainResult = deserialize(readFileSync(join(dir, key)));
  return result;
}

/** Written beside and renamed: another file may read at the same moment. */
function keep(key: string, result: TrainResult): TrainResult {
  const dir = process.env[TRAINING_CACHE];
  if (dir === undefined) return result;
  const written = join(dir, `${key}.${process.pid}`);
  writeFileSync(written, serialize(result));
  renameSync(written, join(dir, key));
  return result;
}
