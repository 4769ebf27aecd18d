import { useLocation } from 'preact-iso/router';
import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  cancelJob,
  hasEnded,
  pathOfFile,
  pathOfJob,
  priceRetry,
  readJob,
  resultsOfJob,
  retryFailed,
  type ConsoleJob,
} from '../../api/batches.ts';
import { usePolled } from '../../api/use-request.ts';
import { EmptyState, Notice, ProblemNotice, Waiting } from '../../parts/basics.tsx';
import { formatCount, formatMany, formatMoment } from '../../parts/format.ts';
import { Facts, Figures, Page, Section } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { CancelButton, RetryButton } from './batch-actions.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { DeliveryList } from './deliveries.tsx';
import { JobFailures, JobResults } from './job-results.tsx';
import { failedName, failedWords, KIND_WORDS, StatusBadge } from './job-words.tsx';

/** A job of 500 homes takes about a second on an idle server. */
const POLL_MS = 1000;

export function JobPage({ jobId }: { readonly jobId: string }) {
  const { data, problem, reload } = usePolled(
    (signal) => readJob(jobId, signal),
    (job) => (job && hasEnded(job) ? null : POLL_MS),
    [jobId],
  );
  const isGone = problem?.status === 404 || problem?.status === 410;
  return (
    <Page
      title={data === null ? 'Job' : `${KIND_WORDS[data.avm_type]}, ${formatMoment(data.created_at)}`}
      lead={<a href="/console/batches">All jobs</a>}
      actions={data && <JobActions job={data} onChange={reload} />}
    >
      {data === null && problem === null && <Waiting for="Loading the job" />}
      {isGone && (
        <EmptyState title={problem.status === 410 ? 'The results are no longer kept.' : 'Job not found'}>
          <p>
            {problem.status === 410 && problem.message} <a href="/console/batches">All jobs</a>
          </p>
        </EmptyState>
      )}
      {problem !== null && !isGone && <ProblemNotice problem={problem} onRetry={reload} />}
      {data !== null && <JobBody job={data} />}
    </Page>
  );
}

function JobActions({ job, onChange }: { readonly job: ConsoleJob; readonly onChange: () => void }) {
  const { job_id: jobId, failed, cancelled, retry_job_id: retryId } = job;
  const { route } = useLocation();
  // The same key while the page is open: if a response is lost, a second attempt creates no second job.
  const attempt = useMemo(() => crypto.randomUUID(), []);
  if (!hasEnded(job)) {
    return (
      <CancelButton
        label="Cancel job"
        title="Cancel the job?"
        items="Properties"
        cancel={() => cancelJob(jobId)}
        onChange={onChange}
      />
    );
  }
  if (failed === 0) return null;
  return (
    <RetryButton
      label={`Retry ${failedName(failed, cancelled)}${retryId === null ? '' : ' again'} …`}
      kind={retryId === null ? 'primary' : 'plain'}
      title={`Retry ${formatMany(failed, 'property', 'properties')}?`}
      price={(signal) => priceRetry(jobId, signal)}
      retry={async () => route(pathOfJob((await retryFailed(jobId, `retry-${attempt}-${jobId}`)).job_id))}
    >
      {retryId !== null && (
        <>
          <strong>
            They were retried already, in <a href={pathOfJob(retryId)}>a later job</a>.
          </strong>{' '}
        </>
      )}
      The same requests, as of the same date, in a new job. A wrong address or date will fail again.
    </RetryButton>
  );
}

function JobBody({ job }: { readonly job: ConsoleJob }) {
  const { completed, failed, cancelled, total, job_id: jobId } = job;
  const isDone = hasEnded(job);
  const results = { name: 'results', label: 'Properties', content: () => <JobResults job={job} /> };
  const failures = {
    name: 'failures',
    label: `${cancelled === 0 ? 'Failures' : 'Not valued'} (${formatCount(failed)})`,
    content: () => <JobFailures job={job} />,
  };
  const delivery = { name: 'delivery', label: 'Delivery', content: () => <DeliveryList jobId={jobId} /> };
  return (
    <>
      <div class="stack">
        <Ending job={job} />
        {!isDone && <BatchProgress of={job} isQueued={job.status === 'queued'} />}
        <Figures
          figures={[
            { label: 'Status', value: <StatusBadge job={job} /> },
            { label: 'Valued', value: formatCount(completed), note: `of ${formatCount(total)}` },
            { label: 'Failed', value: formatCount(failed - cancelled) },
            ...(cancelled > 0 ? [{ label: 'Canceled', value: formatCount(cancelled) }] : []),
            { label: 'Credits', value: formatCount(job.credits_used) },
          ]}
        />
        <JobFacts job={job} />
        {isDone && (
          <div class="row">
            <a class="button" href={resultsOfJob(jobId, 'xlsx')} download>
              Download Excel
            </a>
            <a class="button" href={resultsOfJob(jobId, 'csv')} download>
              Download CSV
            </a>
            {job.upload !== null && (
              <span class="quiet small">
                The page of <a href={pathOfFile(job.upload.id)}>the file</a> has a download with its own
                columns.
              </span>
            )}
          </div>
        )}
      </div>
      {isDone && (
        <Section title="Results">
          <Tabs
            key={jobId}
            label="Results"
            tabs={[
              results,
              ...(failed > 0 ? [failures] : []),
              ...(job.notify_url === null ? [] : [delivery]),
            ]}
          />
        </Section>
      )}
    </>
  );
}

/** Screen readers announce it once, when a job finishes while its page is open. */
function Ending({ job }: { readonly job: ConsoleJob }) {
  const { completed, failed, cancelled, total } = job;
  const [wasRunning, setRunning] = useState(false);
  const isDone = hasEnded(job);
  useEffect(() => {
    if (!isDone) setRunning(true);
  }, [isDone]);
  if (!wasRunning || !isDone) return null;
  return (
    <Notice kind={failed > 0 ? 'warn' : 'ok'}>
      The job has finished: {formatCount(completed)} of {formatCount(total)} valued
      {failed > 0 && `, ${failedWords(failed, cancelled)}`}.
    </Notice>
  );
}

function JobFacts({ job }: { readonly job: ConsoleJob }) {
  const { upload, parent_job_id: parentId, retry_job_id: retryId } = job;
  const file = upload && (
    <>
      <a href={pathOfFile(upload.id)}>{upload.name}</a>, job {upload.part}
    </>
  );
  return (
    <Facts
      facts={[
        ['File', file],
        ['Retry of', parentId && <a href={pathOfJob(parentId)}>the failed properties of an earlier job</a>],
        ['Retried in', retryId && <a href={pathOfJob(retryId)}>a later job</a>],
        ['Webhook', job.notify_url],
        ['Finished', job.finished_at === null ? 'not yet' : formatMoment(job.finished_at)],
        ['Results kept until', job.expires_at && formatMoment(job.expires_at)],
        ['Job ID', <code key="id">{job.job_id}</code>],
      ]}
    />
  );
}
