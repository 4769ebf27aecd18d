import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { dayOfInstant, formatDay } from '../domain/day.ts';
import { PlumblineError } from '../errors.ts';
import { findFailedBefore, type ImportedUpload, type UploadTraining } from '../jobs/import-uploads.ts';
import { describeOutcome } from '../jobs/market-history.ts';
import { AFTER_OPTION } from '../jobs/model-jobs.ts';
import type { OnProgress } from '../load/import-options.ts';
import { importUpload, type ImportSubmission } from '../load/import-upload.ts';
import { fitInThreads } from '../operations/training/fit-pool.ts';
import { train } from '../operations/training/train.ts';
import { parseJsonText } from '../store/json-text.ts';
import type { Store } from '../store/store.ts';
import { deletePieces, findAnyUpload } from '../store/uploads.ts';
import { withStore } from './configured-store.ts';
import { MARKET_OPTION } from './options.ts';
import { printJson } from './print.ts';
import { withProgress } from './progress.ts';
import { recordRun } from './run-task.ts';
import { describeAccuracy, describeData } from './train.ts';

/** The command of a job that the console queues. Its result is JSON, also if nothing was loaded. */
export function registerImportUpload(program: Command): void {
  program
    .command('import-upload', { hidden: true })
    .requiredOption('--upload <id>', 'the uploaded file')
    .requiredOption(...MARKET_OPTION)
    .requiredOption('--kind <kind>', 'what its rows are')
    .option(`${AFTER_OPTION} <jobs>`, 'the imports that this one waited for')
    .action(async ({ upload }: { readonly upload: string }) => {
      const result = await withProgress((show) =>
        withStore((store, config) => importAndTrain(store, config, upload, show)),
      );
      printJson(result);
    });
}

export async function importAndTrain(
  store: Store,
  config: Pick<Config, 'dataDir' | 'threads'>,
  uploadId: string,
  show: OnProgress,
): Promise<ImportedUpload> {
  const upload = await findAnyUpload(store, uploadId);
  if (!upload?.submission) {
    const failure = 'The uploaded file was deleted before it was imported. Upload it again.';
    return { failure, report: null, rejectedRows: null, training: null };
  }
  const submission = parseJsonText<ImportSubmission>(upload.submission);
  const { marketId, kind } = submission;
  const missing = await findFailedBefore(store, submission);
  if (missing !== null) {
    const failure = `This file waits for ${missing}, which places its rows and was not loaded.`;
    return { failure, report: null, rejectedRows: null, training: null };
  }
  const imported = await recordRun(store, { task: 'import', marketId, kind }, show, (progress) =>
    importUpload({ store, clock: systemClock, dataDir: config.dataDir, progress }, upload, submission),
  );
  if (imported.failure !== null) return { ...imported, training: null };
  const training = submission.trains ? await trainMarket(store, config, submission, show) : null;
  // Not before: if the process is stopped during the training, the next one reads the file again.
  await deletePieces(store, uploadId);
  return { ...imported, training };
}

async function trainMarket(
  store: Store,
  { threads }: Pick<Config, 'threads'>,
  { marketId, actingFor }: ImportSubmission,
  show: OnProgress,
): Promise<UploadTraining> {
  const deps = { store, clock: systemClock, runJobs: fitInThreads(threads), actingFor };
  const request = { marketId, trainedOn: dayOfInstant(systemClock()), kind: null };
  try {
    const { models, untrained } = await recordRun(
      store,
      { task: 'train', marketId, kind: null },
      show,
      (progress) => train(deps, request, progress),
    );
    return {
      failure: null,
      models: models.map((model) => ({
        kind: model.kind,
        trainedOn: formatDay(model.trainedOn),
        isActive: model.state === 'active',
        accuracy: `${describeAccuracy(model)} ${describeOutcome(model)}`,
      })),
      untrained,
      notes: await describeData(store, marketId),
    };
  } catch (error) {
    if (!(error instanceof PlumblineError)) throw error;
    return { failure: error.message, models: [], untrained: [], notes: [] };
  }
}
