import { useState } from 'preact/hooks';
import { listDeliveries, redeliver, type Delivery } from '../../../api/webhooks.ts';
import { useAction } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { formatCount, formatMany, formatMoment } from '../../../parts/format.ts';
import { MoreButton, useList } from '../../../parts/more.tsx';
import { Badge, EmptyState, ProblemNotice } from '../../../parts/notice.tsx';
import { useSession } from '../../../shell/session-context.tsx';
import { pathOfJob } from '../../../api/uploads.ts';
import { DeliverySettings } from './delivery-settings.tsx';

const STATES = [
  { value: '', label: 'any' },
  { value: 'pending', label: 'being tried' },
  { value: 'delivered', label: 'delivered' },
  { value: 'failed', label: 'given up' },
];

/** What was posted to receivers, with every attempt: of one job, or of all with what administrators can do about them. */
export function DeliveryList({ jobId = null }: { readonly jobId?: string | null }) {
  const [state, setState] = useState('');
  const { isAdministrator } = useSession();
  const list = useList(
    async (cursor, signal) => {
      const { deliveries, next_cursor } = await listDeliveries(
        { state: state || null, job_id: jobId, limit: 20 },
        cursor,
        signal,
      );
      return { rows: deliveries, nextCursor: next_cursor };
    },
    [state, jobId],
  );
  const again = useAction(async (id: string) => {
    await redeliver(id);
    list.reload();
  });
  return (
    <div class="stack">
      {jobId === null && <DeliverySettings onSent={list.reload} />}
      <div class="row filters">
        {jobId === null && <SelectField label="State" value={state} choices={STATES} onInput={setState} />}
        <Button onClick={list.reload}>Look again</Button>
      </div>
      {again.problem && <ProblemNotice problem={again.problem} />}
      <ul class="deliveries">
        {list.rows.map((delivery) => (
          <OneDelivery
            key={delivery.delivery_id}
            delivery={delivery}
            isBusy={again.isBusy}
            onRedeliver={isAdministrator ? () => void again.run(delivery.delivery_id) : null}
          />
        ))}
      </ul>
      {list.rows.length === 0 && !list.isLoading && list.problem === null && (
        <NoDeliveries isAny={state === ''} />
      )}
      <MoreButton list={list} waiting="Reading the deliveries" />
    </div>
  );
}

function NoDeliveries({ isAny }: { readonly isAny: boolean }) {
  if (!isAny)
    return (
      <EmptyState title="No delivery is in this state.">
        <p>Choose another.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing was delivered yet.">
      <p>
        Batches that name a callback (<code>notify_url</code>) are posted there when they end, and are listed
        here for 30 days.
      </p>
    </EmptyState>
  );
}

const STATE_BADGES = {
  pending: { kind: 'plain', label: 'being tried' },
  delivered: { kind: 'ok', label: 'delivered' },
  failed: { kind: 'error', label: 'given up' },
} as const;

function OneDelivery(props: {
  readonly delivery: Delivery;
  readonly isBusy: boolean;
  /** Null for who may only look. */
  readonly onRedeliver: (() => void) | null;
}) {
  const { delivery, isBusy, onRedeliver } = props;
  const { kind, label } = STATE_BADGES[delivery.state];
  return (
    <li class="card">
      <div class="row spread">
        <div>
          <strong class="breaks">{delivery.notify_url}</strong> <Badge kind={kind}>{label}</Badge>
          <div class="quiet small">
            {formatMoment(delivery.created_at)},{' '}
            {delivery.job_id === null ? 'a test' : <a href={pathOfJob(delivery.job_id)}>the end of a job</a>}
            {delivery.next_attempt_at !== null && `; next attempt ${formatMoment(delivery.next_attempt_at)}`}
          </div>
        </div>
        {onRedeliver !== null && delivery.state !== 'pending' && (
          <Button
            isSmall
            isDisabled={isBusy}
            label={`Deliver again to ${delivery.notify_url}`}
            onClick={onRedeliver}
          >
            Deliver again
          </Button>
        )}
      </div>
      <Attempts delivery={delivery} />
    </li>
  );
}

function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { attempts, delivery_id } = delivery;
  return (
    <details>
      <summary>{attempts.length === 0 ? 'No attempt yet' : formatMany(attempts.length, 'attempt')}</summary>
      <ol class="attempts small">
        {attempts.map(({ number, attempted_at, duration_ms, status, error }) => (
          <li key={number}>
            {formatMoment(attempted_at)}, {formatCount(duration_ms)} ms:{' '}
            {status === null ? (error ?? 'no answer') : `answered ${status}`}
            {status !== null && error !== null && ` (${error})`}
          </li>
        ))}
      </ol>
      <p class="quiet small">
        webhook-id <code class="breaks">{delivery_id}</code>
      </p>
    </details>
  );
}
