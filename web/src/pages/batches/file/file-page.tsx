import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  cancelUpload,
  deleteUpload,
  pathOfJob,
  priceUploadRetry,
  readUpload,
  resultsOfUpload,
  retryUpload,
  type UploadPart,
  type UploadProgress,
} from '../../../api/uploads.ts';
import { Problem } from '../../../api/problem.ts';
import { useAction } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialog.tsx';
import { formatCount, formatMany, formatMoment } from '../../../parts/format.ts';
import { EmptyState, Notice, ProblemNotice, Waiting } from '../../../parts/notice.tsx';
import { Page, Section } from '../../../parts/page.tsx';
import { Progress } from '../../../parts/progress.tsx';
import { Table, type Column } from '../../../parts/table.tsx';
import { BatchProgress } from '../jobs/batch-progress.tsx';
import { countsOf, failedName, failedWords, isFinal, StatusBadge } from '../jobs/job-words.tsx';
import { RetryDialog } from '../jobs/retry-dialog.tsx';
import { usePolled } from '../use-polled.ts';
import { useSending, type Sending } from './use-sending.ts';

const POLL_MS = 1000;

/** A file of one or many jobs, followed as one: creation, progress, downloads. */
export function FilePage({ id }: { readonly id: string }) {
  const [times, setTimes] = useState(0);
  const inputs = [id, times];
  const { answer: file, problem } = usePolled((signal) => readUpload(id, signal), isDone, POLL_MS, inputs);
  return (
    <Page title={file?.name ?? 'File'} lead={<a href="/console/batches">All jobs</a>}>
      {file === null && problem === null && <Waiting for="Reading the file" />}
      {problem?.status === 404 && (
        <EmptyState title="This file is no longer here.">
          <p>
            Files are kept for 30 days for the person who uploaded them. Their jobs are in the list of{' '}
            <a href="/console/batches">all jobs</a>.
          </p>
        </EmptyState>
      )}
      {problem !== null && problem.status !== 404 && <ProblemNotice problem={problem} />}
      {file !== null && <FileBody file={file} onChange={() => setTimes(times + 1)} />}
    </Page>
  );
}

function unsentParts({ parts }: UploadProgress): number {
  return parts.filter(({ status }) => status === null).length;
}

function isDone({ parts, is_cancelled: isCancelled }: UploadProgress): boolean {
  return parts.every(({ status }) => (status === null ? isCancelled : isFinal(status)));
}

function FileBody({ file, onChange }: { readonly file: UploadProgress; readonly onChange: () => void }) {
  const { total, completed, failed, cancelled } = file;
  const unsent = unsentParts(file);
  const sending = useSending(file.id, unsent > 0 && !file.is_cancelled);
  const leftOut = file.row_count - total;
  return (
    <>
      <div class="stack">
        <SendingState file={file} sending={sending} />
        {isDone(file) ? (
          <Notice kind={completed < total ? 'warn' : 'ok'}>
            {formatCount(completed)} of {formatMany(total, 'row')} valued
            {failed > 0 && `, ${failedWords(failed, cancelled)}`}.
          </Notice>
        ) : (
          <BatchProgress
            completed={completed}
            failed={failed}
            cancelled={cancelled}
            total={total}
            hasBegun={file.parts.some(({ status }) => status !== null && status !== 'queued')}
          />
        )}
        <FileActions file={file} onChange={onChange} />
        <p class="quiet small">
          Sent {formatMoment(file.submitted_at)}; {formatMany(file.row_count, 'row')} in the file
          {leftOut > 0 && `, ${formatCount(leftOut)} left out`}. Kept until {formatMoment(file.kept_until)}.
        </p>
      </div>
      <Section title="Jobs">
        <Table
          caption="Jobs of the file"
          columns={COLUMNS}
          rows={file.parts}
          keyOf={({ part }) => String(part)}
        />
      </Section>
    </>
  );
}

function SendingState(props: {
  readonly file: UploadProgress;
  readonly sending: Sending & { readonly again: () => void };
}) {
  const { file, sending } = props;
  const { done, waiting, problem, replays, again } = sending;
  const unsent = unsentParts(file);
  const created = file.parts.length - unsent;
  if (file.is_cancelled && unsent > 0) {
    return <Notice>{formatMany(unsent, 'job')} not created, because the file was cancelled.</Notice>;
  }
  const replayed = replays > 0 && (
    <Notice>
      {formatMany(replays, 'job')} existed already. The server created no second one, and nothing is charged
      twice.
    </Notice>
  );
  if (problem !== null) {
    return (
      <Notice
        kind="error"
        title={`${formatCount(unsent)} of ${formatMany(file.parts.length, 'job')} not created.`}
      >
        <p>{problem}</p>
        <div class="row">
          <Button isSmall onClick={again}>
            Try again
          </Button>
        </div>
      </Notice>
    );
  }
  if (unsent === 0) return <>{replayed}</>;
  const note =
    waiting === null
      ? 'Keep this page open, or come back later to continue.'
      : `${waiting.message} Trying again in ${formatCount(waiting.seconds)} s.`;
  return (
    <Progress
      label={`Creating jobs: ${formatCount(done ?? created)} of ${formatCount(file.parts.length)} …`}
      value={done ?? created}
      max={file.parts.length}
      note={note}
    />
  );
}

function FileActions({ file, onChange }: { readonly file: UploadProgress; readonly onChange: () => void }) {
  const { id, failed, cancelled } = file;
  const [asked, setAsked] = useState<'cancel' | 'retry' | 'delete' | null>(null);
  const { route } = useLocation();
  const close = (): void => setAsked(null);
  const canceling = useAction(async () => {
    await cancelUpload(id);
    onChange();
  });
  const deleting = useAction(async () => {
    await deleteUpload(id);
    route('/console/batches');
  });
  const retry = async (): Promise<void> => {
    let progress = await retryUpload(id);
    while (progress.message === null && progress.done < progress.total) progress = await retryUpload(id);
    if (progress.message !== null) {
      throw new Problem({ status: 409, code: 'conflict', detail: progress.message });
    }
    onChange();
  };
  return (
    <div class="row">
      {isDone(file) ? (
        <>
          <a class="button primary" href={resultsOfUpload(id, 'csv')} download>
            Download CSV
          </a>
          <a class="button" href={resultsOfUpload(id, 'ndjson')} download>
            Download NDJSON
          </a>
          {failed > 0 && (
            <Button onClick={() => setAsked('retry')}>{`Retry ${failedName(failed, cancelled)} …`}</Button>
          )}
        </>
      ) : (
        <Button kind="danger" onClick={() => setAsked('cancel')}>
          Cancel all …
        </Button>
      )}
      <Button onClick={() => setAsked('delete')}>Delete the file …</Button>
      {asked === 'retry' && (
        <RetryDialog
          title={`Retry ${formatMany(failed, 'row')}?`}
          price={(signal) => priceUploadRetry(id, signal)}
          retry={retry}
          onClose={close}
        >
          The same requests, as of the same date, in new jobs.
        </RetryDialog>
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title="Cancel all jobs of the file?"
          action="Cancel all"
          busy="Canceling …"
          doing={canceling}
          onClose={close}
        >
          Rows that are valued by then stay, and are charged. The others cost nothing; you can retry them
          later.
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title="Delete the file?"
          action="Delete"
          busy="Deleting …"
          doing={deleting}
          onClose={close}
        >
          The server deletes its copy of the file. The jobs and their results stay, without the columns of
          your file.
        </ConfirmDialog>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<UploadPart>[] = [
  {
    name: 'job',
    label: 'Job',
    isRowHeader: true,
    cell: ({ part, job_id }) => (job_id === null ? `${part}` : <a href={pathOfJob(job_id)}>{part}</a>),
  },
  { name: 'rows', label: 'Rows', isNumber: true, cell: ({ row_count }) => formatCount(row_count) },
  {
    name: 'state',
    label: 'Status',
    cell: ({ status, failed }) =>
      status === null ? 'not created' : <StatusBadge job={{ status, failed }} />,
  },
  {
    name: 'counts',
    label: 'Properties',
    cell: ({ status, completed, failed, row_count, cancelled }) =>
      status === null ? '' : countsOf({ status, completed, failed, total: row_count }, cancelled),
  },
  {
    name: 'retries',
    label: 'Retried',
    cell: ({ retries }) => (retries === 0 ? '' : formatMany(retries, 'time')),
  },
];
