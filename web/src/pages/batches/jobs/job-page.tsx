import { useEffect, useState } from 'preact/hooks';
import { csvOfJob, hasEnded, readJob, type ConsoleJob } from '../../../api/batches.ts';
import { pathOfFile, pathOfJob } from '../../../api/uploads.ts';
import { formatCount, formatMoment } from '../../../parts/format.ts';
import { EmptyState, Notice, ProblemNotice, Waiting } from '../../../parts/notice.tsx';
import { Figures, Page, Section } from '../../../parts/page.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { usePolled } from '../use-polled.ts';
import { BatchProgress } from './batch-progress.tsx';
import { JobActions } from './job-actions.tsx';
import { JobFailures } from './job-failures.tsx';
import { JobResults } from './job-results.tsx';
import { failedWords, KIND_WORDS, StatusBadge } from './job-words.tsx';

/** A job of 500 homes takes about a second on an idle server. */
const POLL_MS = 1000;

export function JobPage({ jobId }: { readonly jobId: string }) {
  const [times, setTimes] = useState(0);
  const inputs = [jobId, times];
  const { answer: job, problem } = usePolled((signal) => readJob(jobId, signal), hasEnded, POLL_MS, inputs);
  const title = job === null ? 'Job' : `${KIND_WORDS[job.avm_type]}, ${formatMoment(job.created_at)}`;
  return (
    <Page
      title={title}
      lead={<a href="/console/batches">All jobs</a>}
      actions={job && <JobActions job={job} onChange={() => setTimes(times + 1)} />}
    >
      {job === null && problem === null && <Waiting for="Reading the job" />}
      {problem !== null && <JobProblem problem={problem} onRetry={() => setTimes(times + 1)} />}
      {job !== null && <JobBody job={job} />}
    </Page>
  );
}

function JobProblem({ problem, onRetry }: Parameters<typeof ProblemNotice>[0]) {
  if (problem.status !== 404 && problem.status !== 410)
    return <ProblemNotice problem={problem} onRetry={onRetry} />;
  return (
    <EmptyState title={problem.status === 410 ? 'The results are no longer kept.' : 'Job not found'}>
      <p>
        {problem.message} <a href="/console/batches">All jobs</a>
      </p>
    </EmptyState>
  );
}

function JobBody({ job }: { readonly job: ConsoleJob }) {
  const { completed, failed, cancelled, total } = job;
  const isDone = hasEnded(job);
  return (
    <>
      <div class="stack">
        <Ending job={job} />
        {!isDone && (
          <BatchProgress
            completed={completed}
            failed={failed}
            cancelled={cancelled}
            total={total}
            hasBegun={job.status !== 'queued'}
          />
        )}
        <Figures
          figures={[
            { label: 'Status', value: <StatusBadge job={job} /> },
            { label: 'Valued', value: formatCount(completed), note: `of ${formatCount(total)}` },
            { label: 'Failed', value: formatCount(failed - cancelled) },
            ...(cancelled > 0 ? [{ label: 'Cancelled', value: formatCount(cancelled) }] : []),
            { label: 'Credits', value: formatCount(job.credits_used) },
          ]}
        />
        <JobFacts job={job} />
        {isDone && <JobDownloads job={job} />}
      </div>
      {isDone && (
        <Section title="Results">
          <Tabs
            key={job.job_id}
            label="Results"
            tabs={[
              { name: 'results', label: 'Properties', content: () => <JobResults job={job} /> },
              ...(failed > 0
                ? [
                    {
                      name: 'failures',
                      label: `${cancelled === 0 ? 'Failures' : 'Not valued'} (${formatCount(failed)})`,
                      content: () => <JobFailures job={job} />,
                    },
                  ]
                : []),
              ...(job.notify_url === null
                ? []
                : [
                    {
                      name: 'delivery',
                      label: 'Delivery',
                      content: () => <DeliveryList jobId={job.job_id} />,
                    },
                  ]),
            ]}
          />
        </Section>
      )}
    </>
  );
}

/** Read out once, when a job that was followed ends. */
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

function JobDownloads({ job }: { readonly job: ConsoleJob }) {
  return (
    <div class="row">
      <a class="button" href={csvOfJob(job.job_id)} download>
        Download CSV
      </a>
      {job.upload !== null && (
        <span class="quiet small">
          The page of <a href={pathOfFile(job.upload.id)}>the file</a> has a download with its own columns.
        </span>
      )}
    </div>
  );
}

function JobFacts({ job }: { readonly job: ConsoleJob }) {
  const { upload, parent_job_id: parentId, retry_job_id: retryId } = job;
  return (
    <dl class="facts">
      {upload !== null && (
        <>
          <dt>File</dt>
          <dd>
            <a href={pathOfFile(upload.id)}>{upload.name}</a>, job {upload.part}
          </dd>
        </>
      )}
      {parentId !== null && (
        <>
          <dt>Retry of</dt>
          <dd>
            <a href={pathOfJob(parentId)}>the failed properties of an earlier job</a>
          </dd>
        </>
      )}
      {retryId !== null && (
        <>
          <dt>Retried in</dt>
          <dd>
            <a href={pathOfJob(retryId)}>a later job</a>
          </dd>
        </>
      )}
      {job.notify_url !== null && (
        <>
          <dt>Webhook</dt>
          <dd class="breaks">{job.notify_url}</dd>
        </>
      )}
      <dt>Finished</dt>
      <dd>{job.finished_at === null ? 'not yet' : formatMoment(job.finished_at)}</dd>
      {job.expires_at !== null && (
        <>
          <dt>Results kept until</dt>
          <dd>{formatMoment(job.expires_at)}</dd>
        </>
      )}
      <dt>Job ID</dt>
      <dd>
        <code class="breaks">{job.job_id}</code>
      </dd>
    </dl>
  );
}
