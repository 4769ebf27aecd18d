import { useEffect, useMemo, useState } from 'preact/hooks';
import { hasEnded, listJobs, type Job } from '../../../api/batches.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { SelectField } from '../../../parts/field.tsx';
import { formatCount, formatMoment } from '../../../parts/format.ts';
import { MoreButton, useList } from '../../../parts/more.tsx';
import { EmptyState } from '../../../parts/notice.tsx';
import { Table, type Column } from '../../../parts/table.tsx';
import { KINDS, listUploads, pathOfJob, type SubmittedUpload } from '../../../api/uploads.ts';
import { FileList } from '../file/file-list.tsx';
import { countsOf, jobSize, KIND_WORDS, STATUS_WORDS, StatusBadge } from './job-words.tsx';

const ANY = { value: '', label: 'any' };
const STATUSES = [ANY, ...Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label }))];
const KIND_CHOICES = [ANY, ...KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))];

/** Running jobs are read again at this interval. */
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
  const files = useAnswer(listUploads, []);
  const columns = useMemo(() => columnsOf(files.answer ?? []), [files.answer]);
  const isFiltered = status !== '' || kind !== '';
  return (
    <div class="stack">
      <FileList files={files.answer ?? []} />
      <div class="row filters">
        <SelectField label="Status" value={status} choices={STATUSES} onInput={setStatus} />
        <SelectField label="Kind" value={kind} choices={KIND_CHOICES} onInput={setKind} />
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

/** The listed jobs, with the current state of those that run. */
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
        // The list keeps its last state until the next attempt.
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

const columnsOf = (files: readonly SubmittedUpload[]): readonly Column<Job>[] => [
  {
    name: 'job',
    label: 'Job',
    isRowHeader: true,
    cell: (job) => (
      <>
        <a class="breaks" href={pathOfJob(job.job_id)}>
          {nameOf(job, files)}
        </a>
        {job.parent_job_id !== null && <span class="quiet small"> retry</span>}
      </>
    ),
  },
  { name: 'sent', label: 'Sent', cell: ({ created_at }) => formatMoment(created_at) },
  { name: 'kind', label: 'Kind', cell: ({ avm_type }) => KIND_WORDS[avm_type] },
  { name: 'status', label: 'Status', cell: (job) => <StatusBadge job={job} /> },
  { name: 'counts', label: 'Properties', cell: (job) => <span class="nowrap">{countsOf(job)}</span> },
  {
    name: 'credits',
    label: 'Credits',
    isNumber: true,
    cell: ({ credits_used }) => formatCount(credits_used),
  },
  { name: 'finished', label: 'Finished', cell: ({ finished_at }) => formatMoment(finished_at) },
];

/** The file that it was made from, where that is one of the user's; else its size. */
function nameOf(job: Job, files: readonly SubmittedUpload[]): string {
  for (const { name, job_ids: jobIds } of files) {
    const part = jobIds.findIndex((jobId) => jobId === job.job_id || jobId === job.parent_job_id);
    if (part >= 0 && jobIds[part] !== null) {
      return jobIds.length === 1
        ? name
        : `${name}, ${formatCount(part + 1)} of ${formatCount(jobIds.length)}`;
    }
  }
  return jobSize(job);
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No job matches.">
        <p>Choose another status or kind.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No jobs yet">
      <p>
        <a href="/console/batches/new">Value a file</a> of properties, or send them from your software:{' '}
        <code>POST /v1/avm/batch/property</code>. Results are kept for 30 days.
      </p>
    </EmptyState>
  );
}
