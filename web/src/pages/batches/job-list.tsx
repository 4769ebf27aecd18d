import { useMemo, useState } from 'preact/hooks';
import {
  hasEnded,
  KINDS,
  listJobs,
  listUploads,
  pathOfFile,
  pathOfJob,
  type Job,
  type SubmittedUpload,
} from '../../api/batches.ts';
import { listRuns, type RunOfPortfolio } from '../../api/portfolios.ts';
import { useRequest, usePolled } from '../../api/use-request.ts';
import { Badge, EmptyState } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatDay, formatMany, formatMoment } from '../../parts/format.ts';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { countsOf, jobSize, KIND_WORDS, STATUS_WORDS, StatusBadge } from './job-words.tsx';

const ANY = { value: '', label: 'any' };
const STATUSES = [ANY, ...Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label }))];
const KIND_CHOICES = [ANY, ...KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))];

/** Running jobs are read again at this interval. */
const POLL_MS = 3000;

export function JobList() {
  const [status, setStatus] = useState('');
  const [kind, setKind] = useState('');
  const list = useList(
    async (cursor, signal) => {
      const query = { status: status || null, avm_type: kind || null, limit: 25, cursor };
      const { jobs: rows, next_cursor } = await listJobs(query, signal);
      return { rows, next_cursor };
    },
    [status, kind],
  );
  const jobs = useNewestState(list.rows);
  const files = useRequest(listUploads, []);
  const runs = useRequest(listRuns, []);
  const columns = useMemo(() => columnsOf(files.data ?? [], runs.data ?? []), [files.data, runs.data]);
  return (
    <div class="stack">
      <FileList files={files.data ?? []} />
      <div class="row filters">
        <SelectField label="Status" value={status} choices={STATUSES} onInput={setStatus} />
        <SelectField label="Kind" value={kind} choices={KIND_CHOICES} onInput={setKind} />
      </div>
      {jobs.length > 0 && (
        <Table caption="Jobs, newest first" columns={columns} rows={jobs} keyOf={({ job_id }) => job_id} />
      )}
      {jobs.length === 0 && !list.isLoading && list.problem === null && (
        <NoJobs isFiltered={status !== '' || kind !== ''} />
      )}
      <ShowMore list={list} waiting="Loading the jobs" />
    </div>
  );
}

/** The listed jobs. While some of them run, their state is read again. */
function useNewestState(jobs: readonly Job[]): readonly Job[] {
  const isRunning = jobs.some((job) => !hasEnded(job));
  const newest = usePolled(
    async (signal) => (isRunning ? (await listJobs({ limit: 100 }, signal)).jobs : []),
    (read) => (isRunning && (read ?? jobs).some((job) => !hasEnded(job)) ? POLL_MS : null),
    [isRunning],
  ).data;
  return jobs.map((job) => newest?.find(({ job_id }) => job_id === job.job_id) ?? job);
}

const columnsOf = (
  files: readonly SubmittedUpload[],
  runs: readonly RunOfPortfolio[],
): readonly Column<Job>[] => [
  {
    label: 'Job',
    isRowHeader: true,
    cell: (job) => (
      <>
        <a class="breaks" href={pathOfJob(job.job_id)}>
          {nameOf(job, files, runs)}
        </a>
        {job.parent_job_id !== null && <span class="quiet small"> retry</span>}
      </>
    ),
  },
  { label: 'Sent', cell: ({ created_at }) => formatMoment(created_at) },
  { label: 'Kind', cell: ({ avm_type }) => KIND_WORDS[avm_type] },
  { label: 'Status', cell: (job) => <StatusBadge job={job} /> },
  { label: 'Properties', cell: (job) => <span class="nowrap">{countsOf(job)}</span> },
  { label: 'Credits', isNumber: true, cell: ({ credits_used }) => formatCount(credits_used) },
  { label: 'Finished', cell: ({ finished_at }) => formatMoment(finished_at) },
];

/** The user's file or the run of a portfolio that it was created from; otherwise its size. */
function nameOf(job: Job, files: readonly SubmittedUpload[], runs: readonly RunOfPortfolio[]): string {
  for (const { name, job_ids: jobIds } of files) {
    const part = jobIds.findIndex((jobId) => jobId === job.job_id || jobId === job.parent_job_id);
    if (part >= 0 && jobIds[part] !== null) {
      return jobIds.length === 1
        ? name
        : `${name}, ${formatCount(part + 1)} of ${formatCount(jobIds.length)}`;
    }
  }
  const run = runs.find(({ job_id: id }) => id === job.job_id || id === job.parent_job_id);
  return run ? `${run.name}, run ${formatCount(run.run)}` : jobSize(job);
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

/** Files that the signed-in user uploaded. */
function FileList({ files }: { readonly files: readonly SubmittedUpload[] }) {
  if (files.length === 0) return null;
  return (
    <details class="fold" open>
      <summary>Your files ({formatCount(files.length)})</summary>
      <Table caption="Your files" columns={FILE_COLUMNS} rows={files} keyOf={({ id }) => id} />
    </details>
  );
}

function unsentOf({ job_ids: jobIds }: SubmittedUpload): number {
  return jobIds.filter((jobId) => jobId === null).length;
}

const FILE_COLUMNS: readonly Column<SubmittedUpload>[] = [
  { label: 'File', isRowHeader: true, cell: ({ id, name }) => <a href={pathOfFile(id)}>{name}</a> },
  {
    label: 'As of',
    cell: ({ as_of_date: day }) => (day === null ? 'dates in the file' : formatDay(day)),
  },
  { label: 'Sent', cell: ({ submitted_at }) => formatMoment(submitted_at) },
  { label: 'Rows', isNumber: true, cell: ({ row_count }) => formatCount(row_count) },
  {
    label: 'Jobs',
    cell: (file) => {
      const { length } = file.job_ids;
      const unsent = unsentOf(file);
      if (unsent === 0) return formatMany(length, 'job');
      return (
        <Badge kind="warn">
          {formatCount(unsent)} of {formatCount(length)} not created
        </Badge>
      );
    },
  },
];
