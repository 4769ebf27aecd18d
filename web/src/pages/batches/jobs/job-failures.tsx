import { readFailures, type ConsoleJob, type JobFailure } from '../../../api/batches.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Answered } from '../../../parts/answered.tsx';
import { formatCount, formatMany } from '../../../parts/format.ts';

/** What to do about a failure. The message of the server says what is wrong. */
const ADVICE: Readonly<Record<string, string>> = {
  address_not_found: 'Correct these addresses, or give latitude and longitude.',
  outside_coverage: 'No market is loaded there. The Markets page shows what is covered.',
  insufficient_data:
    'Too few sales are known there, or no model is old enough for the as-of date. Use a later date.',
  cancelled: 'The job was cancelled before these were valued. Retry to value them.',
  poison:
    'Valuing these ended the process each time. Report them, with their references, to the operator of the server.',
  unavailable: 'A part of the service was unavailable. Retry.',
  deadline_exceeded: 'The valuation took too long. Retry.',
  quota_exceeded: 'The credits of the month were used up. Retry when there are credits again.',
  internal_error: 'The service failed. Retry; if it fails again, report it.',
};

/** Why items failed, by cause. */
export function JobFailures({ job }: { readonly job: ConsoleJob }) {
  const failures = useAnswer((signal) => readFailures(job.job_id, signal), [job.job_id]);
  return (
    <Answered asked={failures} waiting="Reading the failures">
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

function FailureGroup({ group }: { readonly group: JobFailure }) {
  const { code, count, example, references } = group;
  const more = count - references.length;
  return (
    <li class="card">
      <strong>
        {formatMany(count, 'property', 'properties')} <code>{code}</code>
      </strong>
      <p>{ADVICE[code] ?? 'Retry.'}</p>
      <p class="quiet small">First message: {example}</p>
      <p class="small">
        {references.join(', ')}
        {more > 0 && ` and ${formatCount(more)} more`}
      </p>
    </li>
  );
}
