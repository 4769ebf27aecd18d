import { useLocation } from 'preact-iso/router';
import {
  cancelUpload,
  deleteUpload,
  hasEnded,
  pathOfJob,
  priceUploadRetry,
  readUpload,
  resultsOfUpload,
  retryUpload,
  type UploadPart,
  type UploadProgress,
} from '../../api/batches.ts';
import { Problem } from '../../api/problem.ts';
import { usePolled } from '../../api/use-request.ts';
import { Button, EmptyState, Notice, ProblemNotice, Progress, Waiting } from '../../parts/basics.tsx';
import { formatCount, formatDay, formatMany, formatMoment } from '../../parts/format.ts';
import { Page, Section } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { PortfolioResults } from './portfolio/portfolio.tsx';
import { CancelButton, ConfirmButton, RetryButton } from './batch-actions.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { RerunButton } from './rerun-file.tsx';
import { countsOf, failedName, failedWords, StatusBadge } from './job-words.tsx';
import { WatchButton } from './watch-file.tsx';
import { useSending, type Sending } from './use-sending.ts';

const POLL_MS = 1000;

/** An uploaded file: its jobs are created, followed and downloaded together. */
export function FilePage({ id }: { readonly id: string }) {
  const polled = usePolled(
    (signal) => readUpload(id, signal),
    (file) => (file && isDone(file) ? null : POLL_MS),
    [id],
  );
  const { problem, reload } = polled;
  const isGone = problem?.status === 404;
  // The last response would offer to download or retry a deleted file.
  const file = isGone ? null : polled.data;
  return (
    <Page title={file?.name ?? 'File'} lead={<a href="/console/batches">All jobs</a>}>
      {file === null && problem === null && <Waiting for="Loading the file" />}
      {isGone && (
        <EmptyState title="This file is no longer here.">
          <p>
            Files are kept for 30 days for the user who uploaded them. Their jobs are in the list of{' '}
            <a href="/console/batches">all jobs</a>.
          </p>
        </EmptyState>
      )}
      {problem !== null && !isGone && <ProblemNotice problem={problem} />}
      {file !== null && <FileBody file={file} onChange={reload} />}
    </Page>
  );
}

interface FileProps {
  readonly file: UploadProgress;
  readonly onChange: () => void;
}

function unsentParts({ parts }: UploadProgress): number {
  return parts.filter(({ status }) => status === null).length;
}

function isDone({ parts, is_cancelled: isCancelled }: UploadProgress): boolean {
  return parts.every(({ status }) => (status === null ? isCancelled : hasEnded({ status })));
}

function FileBody({ file, onChange }: FileProps) {
  const { total, completed, failed, cancelled } = file;
  const sending = useSending(file.id, unsentParts(file) > 0 && !file.is_cancelled);
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
            of={file}
            isQueued={file.parts.every(({ status }) => status === null || status === 'queued')}
          />
        )}
        <FileActions file={file} onChange={onChange} />
        <p class="quiet small">
          {file.as_of_date === null
            ? 'As-of dates from the file. '
            : `Values as of ${formatDay(file.as_of_date)}. `}
          Sent {formatMoment(file.submitted_at)}; {formatMany(file.row_count, 'row')} in the file
          {leftOut > 0 && `, ${formatCount(leftOut)} left out`}. Kept until {formatMoment(file.kept_until)}.
        </p>
      </div>
      {isDone(file) && <PortfolioResults id={file.id} kind={file.avm_type} />}
      <Section title="Jobs">
        <Table caption="Jobs of the file" columns={COLUMNS} rows={file.parts} keyOf={({ part }) => part} />
      </Section>
    </>
  );
}

function SendingState(props: {
  readonly file: UploadProgress;
  readonly sending: Sending & { readonly again: () => void };
}) {
  const { file, sending } = props;
  const { waiting, problem, replays, again } = sending;
  const unsent = unsentParts(file);
  const { length } = file.parts;
  const done = sending.done ?? length - unsent;
  if (file.is_cancelled && unsent > 0) {
    return <Notice>{formatMany(unsent, 'job')} not created, because the file was canceled.</Notice>;
  }
  if (problem !== null) {
    return (
      <Notice kind="error" title={`${formatCount(unsent)} of ${formatMany(length, 'job')} not created.`}>
        <p>{problem}</p>
        <div class="row">
          <Button isSmall onClick={again}>
            Try again
          </Button>
        </div>
      </Notice>
    );
  }
  if (unsent === 0) {
    if (replays === 0) return null;
    return <Notice>{formatMany(replays, 'job')} already existed. Nothing is charged twice.</Notice>;
  }
  return (
    <Progress
      label={`Creating jobs: ${formatCount(done)} of ${formatCount(length)} …`}
      value={done}
      max={length}
      note={
        waiting === null
          ? 'Keep this page open, or come back later to continue.'
          : `${waiting.message} Trying again in ${formatCount(waiting.seconds)} s.`
      }
    />
  );
}

function FileActions({ file, onChange }: FileProps) {
  const { id, failed, cancelled } = file;
  const { route } = useLocation();
  const retry = async (): Promise<void> => {
    let progress = await retryUpload(id);
    while (progress.message === null && progress.done < progress.total) progress = await retryUpload(id);
    if (progress.message !== null) throw new Problem(progress.message, { status: 409, code: 'conflict' });
    onChange();
  };
  return (
    <div class="row">
      {isDone(file) ? (
        <>
          <a class="button primary" href={resultsOfUpload(id, 'xlsx')} download>
            Download Excel
          </a>
          <a class="button" href={resultsOfUpload(id, 'csv')} download>
            Download CSV
          </a>
          <a class="button" href={resultsOfUpload(id, 'ndjson')} download>
            Download NDJSON
          </a>
          <RerunButton id={id} rows={file.total} />
          {file.avm_type === 'property' && <WatchButton id={id} name={file.name} />}
          {failed > 0 && (
            <RetryButton
              label={`Retry ${failedName(failed, cancelled)} …`}
              title={`Retry ${formatMany(failed, 'row')}?`}
              price={(signal) => priceUploadRetry(id, signal)}
              retry={retry}
            >
              The same requests, as of the same date, in new jobs. A wrong address or date will fail again:
              “Value again” suggests addresses.
            </RetryButton>
          )}
        </>
      ) : (
        <CancelButton
          label="Cancel all"
          title="Cancel all jobs of the file?"
          items="Rows"
          cancel={() => cancelUpload(id)}
          onChange={onChange}
        />
      )}
      <ConfirmButton
        label="Delete the file …"
        title="Delete the file?"
        action="Delete"
        busy="Deleting …"
        act={async () => {
          await deleteUpload(id);
          route('/console/batches');
        }}
      >
        The server deletes its copy of the file. The jobs and their results stay, without the columns of your
        file.
      </ConfirmButton>
    </div>
  );
}

const COLUMNS: readonly Column<UploadPart>[] = [
  {
    label: 'Job',
    isRowHeader: true,
    cell: ({ part, job_id }) => (job_id === null ? `${part}` : <a href={pathOfJob(job_id)}>{part}</a>),
  },
  { label: 'Rows', isNumber: true, cell: ({ row_count }) => formatCount(row_count) },
  {
    label: 'Status',
    cell: ({ status, failed }) =>
      status === null ? 'not created' : <StatusBadge job={{ status, failed }} />,
  },
  {
    label: 'Properties',
    cell: ({ status, completed, failed, row_count, cancelled }) =>
      status !== null && countsOf({ status, completed, failed, total: row_count }, cancelled),
  },
  { label: 'Retried', cell: ({ retries }) => retries > 0 && formatMany(retries, 'time') },
];
