import type { Job } from '../../../api/batches.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Answered } from '../../../parts/answered.tsx';
import { formatCount, formatMany } from '../../../parts/format.ts';
import { resultsOf } from '../results/downloads.ts';
import { groupFailures, type Failures } from '../results/failures.ts';
import type { Result } from '../results/result-columns.ts';

/** Why items failed, by cause. */
export function JobFailures({ job }: { readonly job: Job }) {
  const failures = useAnswer((signal) => failuresOf(job.job_id, signal), [job.job_id]);
  return (
    <Answered asked={failures} waiting="Reading what failed">
      {(groups) => (
        <ul class="failures">
          {groups.map((group) => (
            <FailureGroup key={group.code} group={group} />
          ))}
        </ul>
      )}
    </Answered>
  );
}

async function failuresOf(jobId: string, signal: AbortSignal): Promise<Failures[]> {
  const failed: Result[] = [];
  for await (const result of resultsOf(jobId, signal)) {
    if (result.status === 'error') failed.push(result);
  }
  return groupFailures(failed);
}

function FailureGroup({ group }: { readonly group: Failures }) {
  const { code, count, advice, example, references } = group;
  const more = count - references.length;
  return (
    <li class="card">
      <strong>
        {formatMany(count, 'property', 'properties')} <code>{code}</code>
      </strong>
      <p>{advice}</p>
      <p class="quiet small">The first: {example}</p>
      <p class="small">
        {references.join(', ')}
        {more > 0 && ` and ${formatCount(more)} more`}
      </p>
    </li>
  );
}
