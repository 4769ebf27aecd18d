import type { Job } from '../../../api/batches.ts';
import { useAction } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNotice } from '../../../parts/notice.tsx';
import { saveFileCsv, saveJobCsv, saveJobLines } from '../results/downloads.ts';
import type { OfFile } from './job-page.tsx';

/** What came of a job as files; beside the columns of the file that it was made from, where this browser has it. */
export function JobDownloads({ job, origin }: { readonly job: Job; readonly origin: OfFile | null }) {
  const { avm_type: kind, job_id: jobId } = job;
  const csv = useAction(async () => {
    const sent = origin?.part.jobId ?? null;
    if (origin === null || sent === null) return saveJobCsv(kind, jobId);
    await saveFileCsv(origin.file, [{ ...origin.part, jobId: sent }], () => {});
  });
  const lines = useAction(() => saveJobLines(jobId));
  const problem = csv.problem ?? lines.problem;
  return (
    <div class="stack">
      <div class="row">
        <Button busy={csv.isBusy && 'Reading the results …'} onClick={() => void csv.run()}>
          Download CSV
        </Button>
        <Button busy={lines.isBusy && 'Reading the results …'} onClick={() => void lines.run()}>
          Download NDJSON
        </Button>
        <span class="quiet small">
          {origin === null
            ? 'CSV: one line each, by index and reference. NDJSON: everything, comparables too.'
            : 'CSV: your file’s columns with the values behind them. NDJSON: everything, comparables too.'}
        </span>
      </div>
      {problem && <ProblemNotice problem={problem} />}
    </div>
  );
}
