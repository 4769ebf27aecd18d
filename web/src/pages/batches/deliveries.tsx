import { useState } from 'preact/hooks';
import {
  listDeliveries,
  pathOfJob,
  pathOfValuation,
  redeliver,
  rotateSecret,
  sendTest,
} from '../../api/batches.ts';
import type { Delivery, WebhookSecret } from '../../api/batches.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction } from '../../api/use-request.ts';
import { Badge, Button, EmptyState, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { FormDialog, SecretDialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { formatCount, formatMany, formatMoment } from '../../parts/format.ts';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { Receivers } from './receivers.tsx';

const STATES = {
  pending: { kind: 'plain', label: 'pending' },
  delivered: { kind: 'ok', label: 'delivered' },
  failed: { kind: 'error', label: 'failed' },
} as const;
const STATE_CHOICES = [
  { value: '', label: 'any' },
  ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
];

/** Webhook deliveries with their attempts: those of one job, or all, with what administrators can do. */
export function DeliveryList({ jobId = null }: { readonly jobId?: string | null }) {
  const [state, setState] = useState('');
  const { isAdministrator } = useSession();
  const list = useList(
    async (cursor, signal) => {
      const query = { state: state || null, job_id: jobId, limit: 20, cursor };
      const { deliveries: rows, next_cursor } = await listDeliveries(query, signal);
      return { rows, next_cursor };
    },
    [state, jobId],
  );
  const again = useAction(async (id: string) => {
    await redeliver(id);
    list.reload();
  });
  const isEmpty = list.rows.length === 0 && !list.isLoading && list.problem === null;
  return (
    <div class="stack">
      {jobId === null && isAdministrator && (
        <div class="delivery-settings">
          <Receivers />
          <SendTest onSent={list.reload} />
          <SigningSecret />
        </div>
      )}
      {jobId === null && !isAdministrator && (
        <p class="quiet small">
          Administrators of your account can redeliver, test receivers and rotate the signing secret.
        </p>
      )}
      <div class="row filters">
        {jobId === null && (
          <SelectField label="Status" value={state} choices={STATE_CHOICES} onInput={setState} />
        )}
        <Button onClick={list.reload}>Refresh</Button>
      </div>
      {again.problem && <ProblemNotice problem={again.problem} />}
      <ul class="cards">
        {list.rows.map((delivery) => (
          <OneDelivery
            key={delivery.delivery_id}
            delivery={delivery}
            isBusy={again.isBusy}
            onRedeliver={isAdministrator ? () => again.run(delivery.delivery_id) : null}
          />
        ))}
      </ul>
      {isEmpty && (
        <EmptyState title={state === '' ? 'No deliveries yet' : 'No delivery has this status.'}>
          <p>
            When a batch with a <code>notify_url</code> ends, its results are posted to that URL. Receivers of
            events get decisions about challenges and alerts of portfolios. Deliveries are listed here for 30
            days.
          </p>
        </EmptyState>
      )}
      <ShowMore list={list} waiting="Loading the deliveries" />
    </div>
  );
}

/** What happened, with a link to it. */
function EventWords({ delivery: { type, job_id: jobId, valuation_id: valuationId } }: EventProps) {
  if (jobId !== null) return <a href={pathOfJob(jobId)}>end of a job</a>;
  if (valuationId !== null) return <a href={pathOfValuation(valuationId)}>decision about a challenge</a>;
  return <>{type === 'portfolio.alerts' ? 'alerts of a portfolio' : 'test'}</>;
}

interface EventProps {
  readonly delivery: Delivery;
}

function OneDelivery(props: {
  readonly delivery: Delivery;
  readonly isBusy: boolean;
  /** Null for members. */
  readonly onRedeliver: (() => void) | null;
}) {
  const { delivery, isBusy, onRedeliver } = props;
  const { notify_url: url, state, created_at, next_attempt_at: next, attempts } = delivery;
  return (
    <li class="card">
      <div class="row spread">
        <div>
          <strong class="breaks">{url}</strong> <Badge kind={STATES[state].kind}>{STATES[state].label}</Badge>
          <div class="quiet small">
            {formatMoment(created_at)}, <EventWords delivery={delivery} />
            {next !== null && `; next attempt ${formatMoment(next)}`}
          </div>
        </div>
        {onRedeliver !== null && state !== 'pending' && (
          <Button isSmall isDisabled={isBusy} label={`Redeliver to ${url}`} onClick={onRedeliver}>
            Redeliver
          </Button>
        )}
      </div>
      <details>
        <summary>
          {attempts.length === 0 ? 'No attempts yet' : formatMany(attempts.length, 'attempt')}
        </summary>
        <ol class="small">
          {attempts.map(({ number, attempted_at, duration_ms, status, error }) => (
            <li key={number}>
              {formatMoment(attempted_at)}, {formatCount(duration_ms)} ms:{' '}
              {status === null ? (error ?? 'no response') : `status ${status}`}
              {status !== null && error !== null && ` (${error})`}
            </li>
          ))}
        </ol>
        <p class="quiet small">
          webhook-id <code class="breaks">{delivery.delivery_id}</code>
        </p>
      </details>
    </li>
  );
}

function SendTest({ onSent }: { readonly onSent: () => void }) {
  const [url, setUrl] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const sending = useAction(async () => {
    setSentTo(null);
    await sendTest(url);
    setSentTo(url);
    onSent();
  });
  const error = fieldError(sending.problem, 'notify_url');
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        void sending.run();
      }}
    >
      <TextField
        label="Test a receiver"
        inputMode="url"
        value={url}
        onInput={setUrl}
        placeholder="https://hooks.example.com/plumbline"
        hint="Posts a signed webhook.test event."
        error={error}
        isRequired
      />
      {sending.problem && error === null && <ProblemNotice problem={sending.problem} />}
      {sentTo !== null && (
        <Notice kind="ok">Test event sent to {sentTo}. Refresh the list to see the result.</Notice>
      )}
      <div>
        <Button type="submit" busy={sending.isBusy && 'Sending …'}>
          Send test
        </Button>
      </div>
    </form>
  );
}

function SigningSecret() {
  const [isConfirming, setConfirming] = useState(false);
  const [issued, setIssued] = useState<WebhookSecret | null>(null);
  const rotating = useAction(async () => {
    setIssued(await rotateSecret());
    setConfirming(false);
  });
  return (
    <div class="card stack">
      <div>
        <strong>Signing secret</strong>
        <p class="quiet small">
          Receivers <a href="/docs/operations/webhooks#verifying">verify</a> with it that a delivery is from
          this server. It is shown only when it is created.
        </p>
      </div>
      <div>
        <Button onClick={() => setConfirming(true)}>Rotate secret …</Button>
      </div>
      {isConfirming && (
        <FormDialog
          title="Create a new signing secret?"
          action="Create secret"
          busy="Creating …"
          kind="danger"
          doing={rotating}
          onClose={() => setConfirming(false)}
        >
          <p>
            For 24 hours deliveries have two signatures, from the new and the old secret, so that you can
            update your receivers. After that the old secret is invalid.
          </p>
        </FormDialog>
      )}
      {issued !== null && (
        <SecretDialog
          title="New signing secret"
          secret={issued.secret}
          what="the secret"
          advice="Store it in your receivers."
          onClose={() => setIssued(null)}
        >
          {issued.previous_valid_until !== null && (
            <p class="quiet small">
              The old secret also signs until {formatMoment(issued.previous_valid_until)}.
            </p>
          )}
        </SecretDialog>
      )}
    </div>
  );
}
