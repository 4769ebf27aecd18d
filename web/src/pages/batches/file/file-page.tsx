import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { hasEnded } from '../../../api/batches.ts';
import { useAction } from '../../../api/use-answer.ts';
import { Answered } from '../../../parts/answered.tsx';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialog.tsx';
import { formatCount, formatMany, formatMoment } from '../../../parts/format.ts';
import { EmptyState, Notice, ProblemNotice } from '../../../parts/notice.tsx';
import { Page, Section } from '../../../parts/page.tsx';
import { Progress } from '../../../parts/progress.tsx';
import { Table, type Column } from '../../../parts/table.tsx';
import { useSession } from '../../../shell/session-context.tsx';
import { BatchProgress } from '../jobs/batch-progress.tsx';
import { countsOf, failedWords, StatusBadge } from '../jobs/job-words.tsx';
import { cancelledOf, useCancelled } from '../results/count-cancelled.ts';
import { sentJobs } from '../results/downloads.ts';
import { ownerOf, pathOfJob } from '../sending/owner.ts';
import { startSending, stopSending, type Sending } from '../sending/sender.ts';
import { openFileStore, type StoredFile } from '../sending/stored-files.ts';
import { FileDownloads } from './file-downloads.tsx';
import { RetryFile } from './retry-file.tsx';
import { countFile, type PartState } from './count-file.ts';
import { currentJob, useFileJobs, useStoredFile } from './use-file-jobs.ts';

/** A file of one or many jobs, followed as one: sending, progress, downloads. */
export function FilePage({ id }: { readonly id: string }) {
  const stored = useStoredFile(id);
  const { session } = useSession();
  const file = stored.answer?.owner === ownerOf(session) ? stored.answer : null;
  return (
    <Page title={file?.fileName ?? 'File'} lead={<a href="/console/batches">All jobs</a>}>
      {stored.isLoading || file !== null || stored.problem !== null ? (
        <Answered asked={{ ...stored, answer: file }} waiting="Looking for the file in this browser">
          {(found) => <FileBody file={found} sending={stored.sending} onChange={stored.reload} />}
        </Answered>
      ) : (
        <EmptyState title="This browser does not have the file.">
          <p>
            Files are kept for 30 days by the browser they were sent from, for whoever sent them. Their jobs
            are on the server: <a href="/console/batches">all jobs</a>.
          </p>
        </EmptyState>
      )}
    </Page>
  );
}

interface FileProps {
  readonly file: StoredFile;
  readonly sending: Sending;
  readonly onChange: () => void;
}

function FileBody({ file, sending, onChange }: FileProps) {
  const { answer: jobs, problem } = useFileJobs(file.parts);
  const cancelled = useCancelled([...(jobs?.values() ?? [])]);
  const states = file.parts.map((part, at): PartState => {
    const id = currentJob(part);
    const job = (id === null ? undefined : jobs?.get(id)) ?? null;
    return { part, number: at + 1, job, cancelled: job && cancelledOf(job, cancelled) };
  });
  const counts = countFile(states);
  const sent = sentJobs(file);
  const isAllSent = sent.length === file.parts.length;
  const isDone = isAllSent && jobs !== null && states.every(({ job }) => job !== null && hasEnded(job));
  return (
    <>
      <div class="stack">
        <SendingState file={file} sending={sending} />
        {isDone ? (
          <Notice kind={counts.failed > 0 ? 'warn' : 'ok'}>
            {formatCount(counts.completed)} of {formatMany(counts.total, 'row')} valued
            {counts.failed > 0 && `, ${failedWords(counts.failed, counts.cancelled)}`}.
          </Notice>
        ) : (
          <BatchProgress
            {...counts}
            hasBegun={states.some(({ job }) => job !== null && job.status !== 'queued')}
          />
        )}
        {problem && <ProblemNotice problem={problem} />}
        <div class="row">
          {sent.length > 0 && <FileDownloads file={file} jobs={sent} isDone={isDone} />}
          {isDone && counts.failed > 0 && (
            <RetryFile file={file} states={states} counts={counts} onChange={onChange} />
          )}
          <ForgetFile file={file} />
        </div>
        <p class="quiet small">
          Sent {formatMoment(file.storedAt)}; {formatMany(file.rows, 'row')} in the file
          {file.rows > counts.total && `, ${formatCount(file.rows - counts.total)} of them not sent`}. The
          file is kept by this browser alone, for 30 days.
        </p>
      </div>
      <Section title="Jobs">
        <Table
          caption="Jobs of the file"
          columns={COLUMNS}
          rows={states}
          keyOf={({ number }) => String(number)}
        />
      </Section>
    </>
  );
}

function SendingState({ file, sending }: Pick<FileProps, 'file' | 'sending'>) {
  const { isRunning, waiting, problem, replays } = sending;
  const sent = file.parts.filter(({ jobId }) => jobId !== null).length;
  const left = file.parts.length - sent;
  const replayed = replays > 0 && (
    <Notice>
      {formatMany(replays, 'job')} had been taken on before: the server made no second one of{' '}
      {replays === 1 ? 'it' : 'them'}, and nothing is charged twice.
    </Notice>
  );
  if (left === 0) return <>{replayed}</>;
  if (isRunning) {
    const wait =
      waiting === null ? undefined : `${waiting.message} Sent again in ${formatCount(waiting.seconds)} s.`;
    return (
      <div class="stack">
        <Progress
          label={`Sending: ${formatMany(sent, 'job')} of ${formatCount(file.parts.length)} …`}
          value={sent}
          max={file.parts.length}
          note={wait}
        />
        <div class="row">
          <Button isSmall onClick={() => stopSending(file.id)}>
            Stop sending
          </Button>
          <span class="quiet small">You may look at other pages of the console meanwhile.</span>
        </div>
        {replayed}
      </div>
    );
  }
  return (
    <Notice
      kind={problem === null ? 'warn' : 'error'}
      title={`${formatMany(left, 'job')} of ${file.parts.length} not sent yet.`}
    >
      {problem !== null && <p>{problem}</p>}
      <p>What was sent is on the server. Going on sends the rest; no row is valued twice.</p>
      <div class="row">
        <Button kind="primary" onClick={() => void startSending(file.id)}>
          Go on sending
        </Button>
      </div>
    </Notice>
  );
}

function ForgetFile({ file }: { readonly file: StoredFile }) {
  const [isAsking, setAsking] = useState(false);
  const { route } = useLocation();
  const forgetting = useAction(async () => {
    stopSending(file.id);
    await (await openFileStore()).forget(file.id);
    route('/console/batches');
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Forget the file …</Button>
      {isAsking && (
        <ConfirmDialog
          title="Forget the file?"
          action="Forget it"
          busy="Forgetting …"
          doing={forgetting}
          onClose={() => setAsking(false)}
        >
          This browser deletes its copy. The jobs and their results stay on the server; downloads are without
          your file’s columns then.
        </ConfirmDialog>
      )}
    </>
  );
}

const COLUMNS: readonly Column<PartState>[] = [
  {
    name: 'job',
    label: 'Job',
    isRowHeader: true,
    cell: ({ part, number }) => {
      const id = currentJob(part);
      return id === null ? `${number}` : <a href={pathOfJob(id)}>{number}</a>;
    },
  },
  { name: 'rows', label: 'Rows', isNumber: true, cell: ({ part }) => formatCount(part.rows.length) },
  {
    name: 'state',
    label: 'State',
    cell: ({ part, job }) =>
      job === null ? part.jobId === null ? 'not sent' : 'sent' : <StatusBadge job={job} />,
  },
  {
    name: 'counts',
    label: 'Properties',
    cell: ({ job, cancelled }) => (job === null ? '' : countsOf(job, cancelled)),
  },
  {
    name: 'retries',
    label: 'Tried again',
    cell: ({ part }) => (part.retries.length === 0 ? '' : formatMany(part.retries.length, 'time')),
  },
];
