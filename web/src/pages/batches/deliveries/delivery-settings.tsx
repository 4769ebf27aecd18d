import { useState } from 'preact/hooks';
import { rotateSecret, sendTest, type WebhookSecret } from '../../../api/webhooks.ts';
import { fieldError } from '../../../api/problem.ts';
import { useAction } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { TextField } from '../../../parts/field.tsx';
import { formatMoment } from '../../../parts/format.ts';
import { Notice, ProblemNotice } from '../../../parts/notice.tsx';
import { useSession } from '../../../shell/session-context.tsx';

/** Trying a receiver, and the secret that deliveries are signed with: for administrators. */
export function DeliverySettings({ onSent }: { readonly onSent: () => void }) {
  const { isAdministrator } = useSession();
  if (!isAdministrator) {
    return (
      <p class="quiet small">
        Administrators of your account can deliver again, try receivers and renew the secret.
      </p>
    );
  }
  return (
    <div class="delivery-settings">
      <SendTest onSent={onSent} />
      <SigningSecret />
    </div>
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
  const refusal = fieldError(sending.problem, 'notify_url');
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        void sending.run();
      }}
    >
      <TextField
        label="Try a receiver"
        inputMode="url"
        value={url}
        onInput={setUrl}
        placeholder="https://hooks.example.com/plumbline"
        hint="A signed webhook.test is posted there."
        error={refusal}
        isRequired
      />
      {sending.problem && refusal === null && <ProblemNotice problem={sending.problem} />}
      {sentTo !== null && (
        <Notice kind="ok">
          It is on its way to {sentTo}. Look again in a moment to see what became of it.
        </Notice>
      )}
      <div>
        <Button type="submit" busy={sending.isBusy && 'Sending …'} isDisabled={url.trim() === ''}>
          Send a test
        </Button>
      </div>
    </form>
  );
}

function SigningSecret() {
  const [isAsking, setAsking] = useState(false);
  const [issued, setIssued] = useState<WebhookSecret | null>(null);
  const rotating = useAction(async () => setIssued(await rotateSecret()));
  return (
    <div class="card stack">
      <div>
        <strong>Signing secret</strong>
        <p class="quiet small">
          Receivers verify with it that a delivery is from here:{' '}
          <a href="/docs/operations/webhooks#verifying">how</a>. It is shown when it is made, and never again.
        </p>
      </div>
      <div>
        <Button onClick={() => setAsking(true)}>Make a new secret …</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Make a new signing secret?"
          action="Make a new one"
          busy="Making one …"
          doing={rotating}
          onClose={() => setAsking(false)}
        >
          For 24 hours deliveries bear two signatures, of the new secret and of the one before it, so that
          receivers can be changed one after the other. After that the old one is worth nothing.
        </ConfirmDialog>
      )}
      {issued !== null && (
        <Dialog title="The new signing secret" onClose={() => setIssued(null)} hasSecret>
          <p>Copy it now: it is shown this once.</p>
          <CodeBlock text={issued.secret} what="the secret" isWrapped />
          {issued.previous_valid_until !== null && (
            <p class="quiet small">
              The one before it signs, too, until {formatMoment(issued.previous_valid_until)}.
            </p>
          )}
          <DialogActions>
            <Button kind="primary" onClick={() => setIssued(null)}>
              I have copied it
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
}
