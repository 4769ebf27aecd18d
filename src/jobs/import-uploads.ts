import type { ValuationKind } from '../domain/valuation-kind.ts';
import { PlumblineError } from '../errors.ts';
import type { ImportSubmission, UploadedImport } from '../load/import-upload.ts';
import { appendAudit } from '../store/audit-log.ts';
import { parseJsonText } from '../store/json-text.ts';
import { findAnyJob, readResults } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import type { Upload } from '../store/tables/jobs.ts';
import { inTransaction } from '../store/transaction.ts';
import { replaceSubmission } from '../store/uploads.ts';
import type { Clock } from '../clock.ts';
import { AFTER_OPTION, insertModelJob } from './model-jobs.ts';

/** The training after an import. */
export interface UploadTraining {
  /** Why no model was trained; null if one was. */
  readonly failure: string | null;
  readonly models: readonly {
    readonly kind: ValuationKind;
    readonly trainedOn: string;
    /** Whether values use it: otherwise it is held back. Missing in results of earlier versions. */
    readonly isActive?: boolean;
    /** Sentences: the accuracy, whether it is active, and how it compares with the model before. */
    readonly accuracy: string;
  }[];
  readonly untrained: readonly { readonly kind: ValuationKind; readonly reason: string }[];
  /** Sentences about the data: its age, and the columns that are not used. */
  readonly notes: readonly string[];
}

/** The result of the job that imports an uploaded file. */
export interface ImportedUpload extends UploadedImport {
  /** Null if the market was not to be trained, or nothing was loaded. */
  readonly training: UploadTraining | null;
}

/** The import of an uploaded file: queued, running or ended. */
export interface ImportState {
  readonly submission: ImportSubmission;
  readonly status: 'queued' | 'running' | 'complete' | 'failed';
  /** Why the job itself failed, for example because it was cancelled. */
  readonly failure: string | null;
  readonly result: ImportedUpload | null;
}

/**
 * Queues the import of an uploaded file, also again after it failed.
 *
 * @throws PlumblineError `conflict` if the file is being loaded or was loaded
 */
export async function queueUploadImport(
  { store, clock, newId }: { readonly store: Store; readonly clock: Clock; readonly newId: () => string },
  upload: Upload,
  submission: Omit<ImportSubmission, 'jobId'>,
): Promise<void> {
  const before = await readImportState(store, upload);
  if (before !== null && before.status !== 'failed') throw loadedBefore();
  const { uploadId, name } = upload;
  const {
    marketId,
    kind,
    actingFor,
    accept = [],
    leaveOut = [],
    trains,
    after = [],
    replace = false,
  } = submission;
  const jobId = newId();
  const at = clock().getTime();
  await inTransaction(store, async (transaction) => {
    const isFirst = await replaceSubmission(transaction, upload, { ...submission, jobId });
    if (!isFirst) throw loadedBefore();
    const detail = {
      market: marketId,
      kind,
      file: name,
      accepted: [...accept],
      left_out: [...leaveOut],
      replaces: replace,
      trains,
    };
    await appendAudit(transaction, { ...actingFor, at }, 'import.submitted', uploadId, detail);
    const options = ['--upload', uploadId, '--market', marketId, '--kind', kind];
    if (after.length > 0) options.push(AFTER_OPTION, after.map((file) => file.jobId).join(','));
    const job = { jobId, createdAt: at };
    await insertModelJob(store, transaction, job, { task: 'import-upload', options });
  });
}

function loadedBefore(): PlumblineError {
  return new PlumblineError(
    'conflict',
    'This file is being loaded, or was loaded. Upload it again to load it once more.',
  );
}

/** Null for a file whose import was not submitted. */
export async function readImportState(store: Store, { submission }: Upload): Promise<ImportState | null> {
  if (submission === null) return null;
  const given = parseJsonText<ImportSubmission>(submission);
  return { submission: given, ...(await readImportJob(store, given.jobId)) };
}

async function readImportJob(store: Store, jobId: string): Promise<Omit<ImportState, 'submission'>> {
  const job = await findAnyJob(store.db, jobId);
  if (job === null) throw new Error(`job ${jobId}, which imports a file, is gone`);
  const open = job.startedAt === null ? 'queued' : 'running';
  if (job.finishedAt === null) return { status: open, failure: null, result: null };
  const [ended] = await readResults(store, jobId, { from: 0, limit: 1 });
  const result = ended?.data ? parseJsonText<ImportedUpload>(ended.data) : null;
  if (result !== null && result.failure === null) return { status: 'complete', failure: null, result };
  const failure = result?.failure ?? ended?.error ?? 'The import was canceled.';
  return { status: 'failed', failure, result };
}

/** The name of a file that places rows of this one and was not loaded; null if there is none. */
export async function findFailedBefore(
  store: Store,
  { after = [] }: ImportSubmission,
): Promise<string | null> {
  for (const { jobId, name, isPlacing } of after) {
    if (isPlacing && (await readImportJob(store, jobId)).status !== 'complete') return name;
  }
  return null;
}
