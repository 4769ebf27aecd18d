import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { deserialize, serialize } from 'node:v8';
import { encodeColumns } from '../src/valuation/columns/snapshots.ts';
import { propertyModelOf } from '../src/valuation/model/property-model.ts';
import { runTrainJob, type ModelBuilder, type TrainResult } from '../src/valuation/train-job.ts';
import type { RunTrainJobs } from '../src/valuation/train-market.ts';

/**
 * The folder where one test run (test/run.ts) keeps training results for all its files. Without it, each file
 * keeps its own.
 */
export const TRAINING_CACHE = 'PLUMBLINE_TEST_TRAININGS';

const remembered = new Map<string, TrainResult>();

/**
 * Quick training for tests of interfaces rather than of values: few trees, and one model for all holdout
 * months, trained before the first of them, instead of one model per month. It stays strictly out of time and
 * takes a third of the time.
 */
export function quickJobs(effort: number): RunTrainJobs {
  return withOneHoldoutFit(propertyModelOf({ effort }), `effort ${effort}`);
}

/** The same for any builder. */
export function withOneHoldoutFit(builder: ModelBuilder, makerName: string): RunTrainJobs {
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
    return cachedJobs(oneHoldoutFit, `${makerName}, holdout by ${first}`)(columns, jobs);
  };
}

/**
 * Runs each training job only once per test run: many files train on the same county, and the same columns
 * give the same bytes. The cache key holds everything the result depends on: the bytes of the columns, the
 * job and the name of the builder.
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

/** Written to a temporary name and then renamed, because another file may read at the same time. */
function keep(key: string, result: TrainResult): TrainResult {
  const dir = process.env[TRAINING_CACHE];
  if (dir === undefined) return result;
  const written = join(dir, `${key}.${process.pid}`);
  writeFileSync(written, serialize(result));
  renameSync(written, join(dir, key));
  return result;
}
