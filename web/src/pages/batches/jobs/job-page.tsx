import { useEffect, useState } from 'preact/hooks';
import { hasEnded, readJob, type Job } from '../../../api/batches.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { formatCount, formatMoment } from '../../../parts/format.ts';
import { EmptyState, Notice, ProblemNotice, Waiting } from '../../../parts/notice.tsx';
import { Figures, Page, Section } from '../../../parts/page.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { useSession } from '../../../shell/session-context.tsx';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { ownerOf, pathOfFile, pathOfJob } from '../sending/owner.ts';
import { openFileStore, partOfJob, type FilePart, type StoredFile } from '../sending/stored-files.ts';
import { cancelledOf, useCancelled } from '../results/count-cancelled.ts';
import { usePolled } from '../use-polled.ts';
import { BatchProgress } from './batch-progress.tsx';
import { JobActions } from './job-actions.tsx';
import { JobDownloads } from './job-downloads.tsx';
import { JobFailures } from './job-failures.tsx';
import { JobResults } from './job-results.tsx';
import { useLaterJob } from './use-later-job.ts';
import { failedWords, KIND_WORDS, StatusBadge } from './job-words.tsx';

/** An installation at rest answers at once; a job of 500 homes takes about a second. */
const LOOK_AGAIN_MS = 1000;

export interface OfFile {
  readonly file: StoredFile;
  readonly part: FilePart;
}

export function JobPage({ jobId }: { readonly jobId: string }) {
  const [times, setTimes] = useState(0);
  const { answer: job, problem } = usePolled((signal) => readJob(jobId, signal), hasEnded, LOOK_AGAIN_MS, [
    jobId,
    times,
  ]);
  const { session } = useSession();
  const owner = ownerOf(session);
  const origin = useAnswer(
    async () => partOfJob(await (await openFileStore()).list(owner), jobId),
    [owner, jobId],
  );
  const later = useLaterJob(job, origin.answer);
  const counts = useCancelled(job === null ? [] : [job]);
  const cancelled = job && cancelledOf(job, counts);
  const title = job === null ? 'Job' : `${KIND_WORDS[job.avm_type]}, ${formatMoment(job.created_at)}`;
  return (
    <Page
      title={title}
      lead={<a href="/console/batches">All jobs</a>}
      actions={
        job && (
          <JobActions
            job={job}
            cancelled={cancelled}
            laterId={later.answer}
            origin={origin.answer}
            onChange={() => setTimes(times + 1)}
          />
        )
      }
    >
      {job === null && problem === null && <Waiting for="Reading the job" />}
      {problem !== null && <JobProblem problem={problem} onRetry={() => setTimes(times + 1)} />}
      {job !== null && (
        <JobBody job={job} cancelled={cancelled} laterId={later.answer} origin={origin.answer} />
      )}
    </Page>
  );
}

function JobProblem({ problem, onRetry }: Parameters<typeof ProblemNotice>[0]) {
  if (problem.status !== 404 && problem.status !== 410)
    return <ProblemNotice problem={problem} onRetry={onRetry} />;
  return (
    <EmptyState title={problem.status === 410 ? 'Its results are no longer kept.' : 'There is no such job.'}>
      <p>
        {problem.message} <a href="/console/batches">All jobs</a>
      </p>
    </EmptyState>
  );
}

function JobBody(props: {
  readonly job: Job;
  readonly cancelled: number | null;
  readonly laterId: string | null;
  readonly origin: OfFile | null;
}) {
  const { job, cancelled, laterId, origin } = props;
  const isDone = hasEnded(job);
  return (
    <>
      <div class="stack">
        <Ending job={job} cancelled={cancelled} />
        {!isDone && (
          <BatchProgress
            completed={job.completed}
            failed={job.failed}
            cancelled={cancelled}
            total={job.total}
            hasBegun={job.status !== 'queued'}
          />
        )}
        <Figures
          figures={[
            { label: 'State', value: <StatusBadge job={job} /> },
            { label: 'Valued', value: formatCount(job.completed), note: `of ${formatCount(job.total)}` },
            ...failedFigures(job, cancelled),
            { label: 'Credits', value: formatCount(job.credits_used) },
          ]}
        />
        <Lineage job={job} laterId={laterId} origin={origin} />
        {isDone && job.completed + job.failed > 0 && <JobDownloads job={job} origin={origin} />}
      </div>
      {isDone && (
        <Section title="Results">
          <Tabs
            key={job.job_id}
            label="Results"
            tabs={[
              { name: 'results', label: 'Properties', content: () => <JobResults job={job} /> },
              ...(job.failed > 0
                ? [
                    {
                      name: 'failures',
                      label: `${cancelled === 0 ? 'Failures' : 'Not valued'} (${formatCount(job.failed)})`,
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
function Ending({ job, cancelled }: { readonly job: Job; readonly cancelled: number | null }) {
  const [wasRunning, setRunning] = useState(false);
  const isDone = hasEnded(job);
  useEffect(() => {
    if (!isDone) setRunning(true);
  }, [isDone]);
  if (!wasRunning || !isDone) return null;
  const failures = job.failed > 0 ? `, ${failedWords(job.failed, cancelled)}` : '';
  return (
    <Notice kind={job.failed > 0 ? 'warn' : 'ok'}>
      The job has ended: {formatCount(job.completed)} of {formatCount(job.total)} valued{failures}.
    </Notice>
  );
}

function failedFigures({ failed }: Job, cancelled: number | null): { label: string; value: string }[] {
  if (cancelled === null) return [{ label: 'Failed or cancelled', value: formatCount(failed) }];
  const others = { label: 'Failed', value: formatCount(failed - cancelled) };
  return cancelled === 0 ? [others] : [others, { label: 'Cancelled', value: formatCount(cancelled) }];
}

function Lineage(props: {
  readonly job: Job;
  readonly laterId: string | null;
  readonly origin: OfFile | null;
}) {
  const { job, laterId, origin } = props;
  return (
    <dl class="facts">
      {origin !== null && (
        <>
          <dt>File</dt>
          <dd>
            <a href={pathOfFile(origin.file.id)}>{origin.file.fileName}</a>, job{' '}
            {origin.file.parts.indexOf(origin.part) + 1} of {origin.file.parts.length}
          </dd>
        </>
      )}
      {job.parent_job_id !== null && (
        <>
          <dt>Tries again</dt>
          <dd>
            <a href={pathOfJob(job.parent_job_id)}>what failed before</a>
          </dd>
        </>
      )}
      {laterId !== null && (
        <>
          <dt>Tried again in</dt>
          <dd>
            <a href={pathOfJob(laterId)}>a later job</a>
          </dd>
        </>
      )}
      {job.notify_url !== null && (
        <>
          <dt>Told to</dt>
          <dd class="breaks">{job.notify_url}</dd>
        </>
      )}
      <dt>Ended</dt>
      <dd>{job.finished_at === null ? 'not yet' : formatMoment(job.finished_at)}</dd>
      {job.expires_at !== null && (
        <>
          <dt>Results kept until</dt>
          <dd>{formatMoment(job.expires_at)}</dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <code class="breaks">{job.job_id}</code>
      </dd>
    </dl>
  );
}
