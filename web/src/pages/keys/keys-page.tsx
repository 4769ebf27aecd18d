import { useState } from 'preact/hooks';
import { listKeys, type Key, type NewKey } from '../../api/keys.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/field.tsx';
import { EmptyState } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { hasEnded } from './key-state.ts';
import { KeyTable } from './key-table.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

/** What is open over the list. */
type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate'; readonly key: Key }
  | { readonly kind: 'revoke'; readonly id: string }
  | { readonly kind: 'made'; readonly key: NewKey };

export default function KeysPage() {
  const keys = useAnswer(listKeys, []);
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const onMade = (key: NewKey): void => {
    setOpen({ kind: 'made', key });
    keys.reload();
  };
  const revoked = open?.kind === 'revoke' ? keys.answer?.find(({ id }) => id === open.id) : undefined;
  return (
    <Page
      title="Keys"
      lead="Programs send a key with every request. Give each program one of its own: then it can be rotated and revoked alone."
      actions={
        <Button kind="primary" onClick={() => setOpen({ kind: 'create' })}>
          Create API key
        </Button>
      }
    >
      <Answered asked={keys} waiting="Reading the keys">
        {(all) => (
          <Keys
            keys={all}
            onRotate={(key) => setOpen({ kind: 'rotate', key })}
            onRevoke={({ id }) => {
              setOpen({ kind: 'revoke', id });
              // The list may be old, and whether a key is in use is what one asks before revoking it.
              keys.reload();
            }}
          />
        )}
      </Answered>
      {open?.kind === 'create' && <CreateKeyDialog onMade={onMade} onClose={close} />}
      {open?.kind === 'rotate' && <RotateKeyDialog of={open.key} onMade={onMade} onClose={close} />}
      {revoked && (
        <RevokeKeyDialog of={revoked} isReading={keys.isLoading} onRevoked={keys.reload} onClose={close} />
      )}
      {open?.kind === 'made' && <NewKeyDialog made={open.key} onClose={close} />}
    </Page>
  );
}

function Keys(props: {
  readonly keys: readonly Key[];
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}) {
  const { keys, onRotate, onRevoke } = props;
  const [isEndedShown, setEndedShown] = useState(false);
  const now = new Date();
  const ended = keys.filter((key) => hasEnded(key, now));
  const shown = isEndedShown ? keys : keys.filter((key) => !hasEnded(key, now));
  return (
    <div class="stack">
      {shown.length === 0 ? (
        <EmptyState title={keys.length === 0 ? 'No key yet' : 'No key in force'}>
          <p>
            Create a key for each program that uses this service. Its text is shown once, and sent in the
            header X-API-Key.
          </p>
        </EmptyState>
      ) : (
        <KeyTable keys={shown} now={now} onRotate={onRotate} onRevoke={onRevoke} />
      )}
      {ended.length > 0 && (
        <Checkbox
          label={`Show those that have ended (${ended.length})`}
          isChecked={isEndedShown}
          onChange={setEndedShown}
        />
      )}
    </div>
  );
}
