import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { ImportSubmission, UploadedImport } from '../load/import-upload.ts';
import { appendAudit } from '../store/audit-log.ts';
import { parseJsonText } from '../store/json-text.ts';
import { findAnyJob, readResults } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import type { Upload } from '../store/tables/jobs.ts';
import { inTransaction } from '../store/transaction.ts';
import { setImportSubmission } from '../store/uploads.ts';
import type { Clock } from '../clock.ts';
import { queueModelJob } from './model-jobs.ts';

/** The training after an import. */
export interface UploadTraining {
  /** Why no model was trained; null if one was. */
  readonly failure: string | null;
  readonly models: readonly {
    readonly kind: ValuationKind;
    readonly trainedOn: string;
    /** A sentence. */
    readonly accuracy: string;
  }[];
  readonly untrained: readonly { readonly kind: ValuationKind; readonly reason: string }[];
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

/** Queues the import of an uploaded file. */
export async function queueUploadImport(
  deps: { readonly store: Store; readonly clock: Clock; readonly newId: () => string },
  { uploadId, name }: Pick<Upload, 'uploadId' | 'name'>,
  submission: Omit<ImportSubmission, 'jobId'>,
): Promise<void> {
  const { store, clock, newId } = deps;
  const { marketId, kind, actingFor, accept = [], leaveOut = [], trains } = submission;
  const jobId = newId();
  await inTransaction(store, async (transaction) => {
    await setImportSubmission({ db: transaction }, uploadId, { ...submission, jobId });
    const by = { ...actingFor, at: clock().getTime() };
    const detail = {
      market: marketId,
      kind,
      file: name,
      accepted: [...accept],
      left_out: [...leaveOut],
      trains,
    };
    await appendAudit(transaction, by, 'import.submitted', uploadId, detail);
  });
  const options = ['--upload', uploadId, '--market', marketId, '--kind', kind];
  await queueModelJob({ store, clock, newId: () => jobId }, { task: 'import-upload', options });
}

/** Null for a file whose import was not submitted. */
export async function readImportState(store: Store, { submission }: Upload): Promise<ImportState | null> {
  if (submission === null) return null;
  const given = parseJsonText<ImportSubmission>(submission);
  const job = await findAnyJob(store.db, given.jobId);
  if (job === null) {
    const lost = 'The import was not queued. Load the file again.';
    return { submission: given, status: 'failed', failure: lost, result: null };
  }
  const open = job.startedAt === null ? 'queued' : 'running';
  if (job.finishedAt === null) return { submission: given, status: open, failure: null, result: null };
  const [ended] = await readResults(store, given.jobId, { from: 0, limit: 1 });
  const result = ended?.data ? parseJsonText<ImportedUpload>(ended.data) : null;
  if (result !== null && result.failure === null) {
    return { submission: given, status: 'complete', failure: null, result };
  }
  const failure = result?.failure ?? ended?.error ?? 'The import was cancelled.';
  return { submission: given, status: 'failed', failure, result };
}
