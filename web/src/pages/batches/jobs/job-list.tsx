import { useEffect, useMemo, useState } from 'preact/hooks';
import { hasEnded, listJobs, type Job } from '../../../api/batches.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { SelectField } from '../../../parts/field.tsx';
import { formatCount, formatMoment } from '../../../parts/format.ts';
import { MoreButton, useList } from '../../../parts/more.tsx';
import { EmptyState } from '../../../parts/notice.tsx';
import { useSession } from '../../../shell/session-context.tsx';
import { Table, type Column } from '../../../parts/table.tsx';
import { KINDS } from '../request/members.ts';
import { ownerOf, pathOfJob } from '../sending/owner.ts';
import { openFileStore, partOfJob, type StoredFile } from '../sending/stored-files.ts';
import { FilesOfBrowser } from '../file/files-of-browser.tsx';
import { countsOf, jobSize, KIND_WORDS, StatusBadge } from './job-words.tsx';

const ANY = { value: '', label: 'any' };
const STATUSES = [
  ANY,
  { value: 'queued', label: 'waiting' },
  { value: 'processing', label: 'at work' },
  { value: 'complete', label: 'done' },
  { value: 'failed', label: 'could not run' },
  { value: 'cancelled', label: 'cancelled' },
];
const KIND_CHOICES = [ANY, ...KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))];

/** Jobs that run are looked at again so often. */
const AGAIN_MS = 3000;

export function JobList() {
  const [status, setStatus] = useState('');
  const [kind, setKind] = useState('');
  const [times, setTimes] = useState(0);
  const filter = { status: status || null, avm_type: kind || null, limit: 25 };
  const list = useList(
    async (cursor, signal) => {
      const { jobs, next_cursor } = await listJobs(filter, cursor, signal);
      return { rows: jobs, nextCursor: next_cursor };
    },
    [status, kind],
  );
  const fresh = useFreshJobs(list.rows, times, () => setTimes((count) => count + 1));
  const { session } = useSession();
  const owner = ownerOf(session);
  const files = useAnswer(async () => (await openFileStore()).list(owner), [owner]);
  const columns = useMemo(() => columnsOf(files.answer ?? []), [files.answer]);
  const isFiltered = status !== '' || kind !== '';
  return (
    <div class="stack">
      <FilesOfBrowser />
      <div class="row filters">
        <SelectField label="State" value={status} choices={STATUSES} onInput={setStatus} />
        <SelectField label="Of" value={kind} choices={KIND_CHOICES} onInput={setKind} />
      </div>
      {list.rows.length > 0 && (
        <Table caption="Jobs, newest first" columns={columns} rows={fresh} keyOf={({ job_id }) => job_id} />
      )}
      {list.rows.length === 0 && !list.isLoading && list.problem === null && (
        <NoJobs isFiltered={isFiltered} />
      )}
      <MoreButton list={list} waiting="Reading the jobs" />
    </div>
  );
}

/** The jobs that are listed, those that run as they are now. */
function useFreshJobs(jobs: readonly Job[], times: number, again: () => void): readonly Job[] {
  const [newest, setNewest] = useState<ReadonlyMap<string, Job>>(new Map());
  const fresh = jobs.map((job) => newest.get(job.job_id) ?? job);
  const isRunning = fresh.some((job) => !hasEnded(job));
  useEffect(() => {
    if (!isRunning) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      if (document.hidden) return again();
      listJobs({ limit: 100 }, null, abort.signal).then(
        ({ jobs: read }) => {
          setNewest((before) => new Map([...before, ...read.map((job): [string, Job] => [job.job_id, job])]));
          again();
        },
        // The list that is shown says what it last knew; the next look is as good as this one.
        () => !abort.signal.aborted && again(),
      );
    }, AGAIN_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isRunning, times]);
  return fresh;
}

const columnsOf = (files: readonly StoredFile[]): readonly Column<Job>[] => [
  {
    name: 'job',
    label: 'Job',
    isRowHeader: true,
    cell: (job) => (
      <>
        <a class="breaks" href={pathOfJob(job.job_id)}>
          {nameOf(job, files)}
        </a>
        {job.parent_job_id !== null && <span class="quiet small"> tried again</span>}
      </>
    ),
  },
  { name: 'sent', label: 'Sent', cell: ({ created_at }) => formatMoment(created_at) },
  { name: 'kind', label: 'Of', cell: ({ avm_type }) => KIND_WORDS[avm_type] },
  { name: 'status', label: 'State', cell: (job) => <StatusBadge job={job} /> },
  { name: 'counts', label: 'Properties', cell: (job) => <span class="nowrap">{countsOf(job)}</span> },
  {
    name: 'credits',
    label: 'Credits',
    isNumber: true,
    cell: ({ credits_used }) => formatCount(credits_used),
  },
  { name: 'finished', label: 'Ended', cell: ({ finished_at }) => formatMoment(finished_at) },
];

/** The file it was sent from, where that was this browser; else what is in it. */
function nameOf(job: Job, files: readonly StoredFile[]): string {
  const from = partOfJob(files, job.job_id);
  if (from === null) return jobSize(job);
  const { fileName, parts } = from.file;
  if (parts.length === 1) return fileName;
  return `${fileName}, ${formatCount(parts.indexOf(from.part) + 1)} of ${formatCount(parts.length)}`;
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No job is like that.">
        <p>Choose another state or kind.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="There are no jobs yet.">
      <p>
        <a href="/console/batches/new">Value a file</a> of properties, or send them from a program:{' '}
        <code>POST /v1/avm/batch/property</code>. Results are kept for 30 days.
      </p>
    </EmptyState>
  );
}
