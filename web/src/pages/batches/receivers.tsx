import { useState } from 'preact/hooks';
import {
  addReceiver,
  listReceivers,
  removeReceiver,
  type ReceiverRequest,
  type WebhookReceiver,
} from '../../api/batches.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, ProblemNotice, WhenLoaded } from '../../parts/basics.tsx';
import { Checkbox, TextField } from '../../parts/field.tsx';
import { ConfirmButton } from './batch-actions.tsx';

const EVENT_NAMES: Readonly<Record<WebhookReceiver['events'][number], string>> = {
  'challenge.decided': 'Decisions about challenges',
  'portfolio.alerts': 'Alerts of portfolios',
  'avm.batch.completed': 'Ends of batches',
  'webhook.test': 'Tests',
};

const OFFERED: readonly ReceiverRequest['events'][number][] = ['challenge.decided', 'portfolio.alerts'];

/** URLs that get the events of the account: listed, added and removed. */
export function Receivers() {
  const receivers = useRequest(listReceivers, []);
  return (
    <div class="card stack">
      <div>
        <strong>Receivers of events</strong>
        <p class="quiet small">They get each event as a signed webhook. Batches name their own receiver.</p>
      </div>
      <WhenLoaded of={receivers} waiting="Loading the receivers">
        {(found) =>
          found.length > 0 && (
            <ul class="cards">
              {found.map((receiver) => (
                <Receiver key={receiver.endpoint_id} of={receiver} onRemoved={receivers.reload} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      <AddReceiver onAdded={receivers.reload} />
    </div>
  );
}

function Receiver({ of, onRemoved }: { readonly of: WebhookReceiver; readonly onRemoved: () => void }) {
  return (
    <li class="row spread">
      <div>
        <strong class="breaks">{of.url}</strong>
        <div class="quiet small">{of.events.map((event) => EVENT_NAMES[event]).join(' · ')}</div>
      </div>
      <ConfirmButton
        label="Remove …"
        kind="danger"
        title={`Remove ${of.url}?`}
        action="Remove"
        busy="Removing …"
        act={async () => {
          await removeReceiver(of.endpoint_id);
          onRemoved();
        }}
      >
        It gets no further events. Pending deliveries are still sent.
      </ConfirmButton>
    </li>
  );
}

function AddReceiver({ onAdded }: { readonly onAdded: () => void }) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState(OFFERED);
  const adding = useAction(async () => {
    await addReceiver({ url, events: [...events] });
    setUrl('');
    onAdded();
  });
  const error = fieldError(adding.problem, 'url');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void adding.run();
      }}
    >
      <TextField
        label="URL of a new receiver"
        inputMode="url"
        value={url}
        onInput={setUrl}
        placeholder="https://hooks.example.com/plumbline"
        error={error}
        isRequired
      />
      {OFFERED.map((event) => (
        <Checkbox
          key={event}
          label={EVENT_NAMES[event]}
          isChecked={events.includes(event)}
          onChange={(isChecked) =>
            setEvents(OFFERED.filter((each) => (each === event ? isChecked : events.includes(each))))
          }
        />
      ))}
      {adding.problem && error === null && <ProblemNotice problem={adding.problem} />}
      <div>
        <Button type="submit" busy={adding.isBusy && 'Adding …'} isDisabled={events.length === 0}>
          Add receiver
        </Button>
      </div>
    </form>
  );
}
