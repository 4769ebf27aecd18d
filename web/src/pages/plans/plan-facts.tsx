import type { Plan, Rates } from '../../api/administration.ts';
import { formatCount, formatMany } from '../../parts/format.ts';
import { summaryOfScopes } from '../keys/scope-choices.ts';

/** What a plan includes, as facts to read through. */
export function PlanFacts({ plan }: { readonly plan: Plan }) {
  return (
    <dl class="facts">
      <dt>Operations</dt>
      <dd>{plan.endpoints.includes('*') ? 'all of them' : plan.endpoints.map(asCode)}</dd>
      <dt>Requests</dt>
      <dd>{ratesOf(plan.requests)}</dd>
      {ratesOf(plan.requests_per_key) !== NO_LIMIT && (
        <>
          <dt>Of each key</dt>
          <dd>{ratesOf(plan.requests_per_key)}</dd>
        </>
      )}
      <dt>Credits a month</dt>
      <dd>
        {plan.credits_per_month === null ? 'counted, without a cap' : formatCount(plan.credits_per_month)}
      </dd>
      <dt>Batches</dt>
      <dd>{batchesOf(plan)}</dd>
    </dl>
  );
}

function asCode(scope: string) {
  return (
    <span key={scope}>
      <code>{scope}</code>{' '}
    </span>
  );
}

const NO_LIMIT = 'no limit';

export function ratesOf({ per_second, per_minute, per_day }: Rates): string {
  const parts = [
    per_second === null ? null : `${formatCount(per_second)} a second`,
    per_minute === null ? null : `${formatCount(per_minute)} a minute`,
    per_day === null ? null : `${formatCount(per_day)} a day`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? NO_LIMIT : parts.join(', ');
}

export function batchesOf({ batch, open_jobs }: Plan): string {
  if (!batch) return 'not included';
  return open_jobs === null ? 'included' : `included, ${formatMany(open_jobs, 'job')} at a time`;
}

export function operationsOf({ endpoints }: Plan): string {
  return summaryOfScopes(endpoints);
}
