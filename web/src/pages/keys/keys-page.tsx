import { useState } from 'preact/hooks';
import { listKeys, type Key, type NewKey } from '../../api/account.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded, Badge, Button, EmptyState } from '../../parts/basics.tsx';
import { Checkbox } from '../../parts/field.tsx';
import { formatAgo, formatDay, formatMoment } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { actionsColumn, dateColumn, Table, type Column } from '../../parts/table.tsx';
import { CreateKeyDialog, NewKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx';
import { isInactive, shownKey, stateOf, type KeyState } from './key-state.ts';
import { meaningOfScope, summaryOfScopes } from './scope-choices.ts';

/** The open dialog. */
type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate'; readonly key: Key }
  | { readonly kind: 'revoke'; readonly id: string }
  | { readonly kind: 'created'; readonly key: NewKey };

export default function KeysPage() {
  const keys = useRequest(listKeys, []);
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const onCreated = (key: NewKey): void => {
    setOpen({ kind: 'created', key });
    keys.reload();
  };
  const revoked = open?.kind === 'revoke' ? keys.data?.find(({ id }) => id === open.id) : undefined;
  return (
    <Page
      title="API keys"
      lead="Programs send a key with every request. Create one key per program, so that you can rotate or revoke each alone."
      actions={
        <Button kind="primary" onClick={() => setOpen({ kind: 'create' })}>
          Create API key
        </Button>
      }
    >
      <WhenLoaded of={keys} waiting="Loading the keys">
        {(all) => (
          <Keys
            keys={all}
            onRotate={(key) => setOpen({ kind: 'rotate', key })}
            onRevoke={({ id }) => {
              setOpen({ kind: 'revoke', id });
              // The list may be old, and the dialog says when the key was last used.
              keys.reload();
            }}
          />
        )}
      </WhenLoaded>
      {open?.kind === 'create' && <CreateKeyDialog onCreated={onCreated} onClose={close} />}
      {open?.kind === 'rotate' && <RotateKeyDialog of={open.key} onCreated={onCreated} onClose={close} />}
      {revoked && (
        <RevokeKeyDialog of={revoked} isReading={keys.isLoading} onRevoked={keys.reload} onClose={close} />
      )}
      {open?.kind === 'created' && <NewKeyDialog created={open.key} onClose={close} />}
    </Page>
  );
}

interface KeyActions {
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}

function Keys({ keys, ...actions }: KeyActions & { readonly keys: readonly Key[] }) {
  const [hasInactive, setHasInactive] = useState(false);
  const now = new Date();
  const inactive = keys.filter((key) => isInactive(key, now));
  const shown = hasInactive ? keys : keys.filter((key) => !isInactive(key, now));
  return (
    <div class="stack">
      {shown.length === 0 ? (
        <EmptyState title={keys.length === 0 ? 'No keys yet' : 'No active keys'}>
          <p>
            Create a key for each program that uses this service. Programs send it in the header X-API-Key.
          </p>
        </EmptyState>
      ) : (
        <Table
          caption="API keys"
          columns={columnsOf(now, actions)}
          rows={shown}
          keyOf={({ id }) => id}
          sorting={{ column: 'Created', isDescending: true }}
        />
      )}
      {inactive.length > 0 && (
        <Checkbox
          label={`Show expired and revoked keys (${inactive.length})`}
          isChecked={hasInactive}
          onChange={setHasInactive}
        />
      )}
    </div>
  );
}

const BADGES: Readonly<Record<KeyState, 'ok' | 'warn' | 'plain'>> = {
  active: 'ok',
  'expires soon': 'warn',
  expired: 'plain',
  revoked: 'plain',
};

function columnsOf(now: Date, { onRotate, onRevoke }: KeyActions): Column<Key>[] {
  const time = (text: string | null, format: (text: string) => string) =>
    text === null ? (
      <span class="quiet">never</span>
    ) : (
      <span class="nowrap" title={formatMoment(text)}>
        {format(text)}
      </span>
    );
  const endOf = ({ revoked_at, expires_at }: Key): string | null => revoked_at ?? expires_at;
  return [
    {
      label: 'Name',
      isRowHeader: true,
      sortBy: ({ name }) => name,
      cell: (key) => (
        <>
          {key.name}
          <div class="quiet small">
            <code class="nowrap">{shownKey(key)}</code>
          </div>
        </>
      ),
    },
    {
      label: 'Status',
      cell: (key) => <Badge kind={BADGES[stateOf(key, now)]}>{stateOf(key, now)}</Badge>,
    },
    {
      label: 'Permissions',
      cell: ({ scopes }) => (
        <span title={scopes.map(meaningOfScope).join('\n')}>{summaryOfScopes(scopes)}</span>
      ),
    },
    dateColumn('Created', ({ created_at }) => created_at, formatDay),
    {
      label: 'Last used',
      sortBy: ({ last_used_at }) => last_used_at,
      cell: ({ last_used_at }) => time(last_used_at, (text) => formatAgo(text, now)),
    },
    { label: 'Expires', sortBy: endOf, cell: (key) => time(endOf(key), formatDay) },
    actionsColumn(
      (key) =>
        !isInactive(key, now) && (
          <>
            <Button isSmall label={`Rotate ${key.name}`} onClick={() => onRotate(key)}>
              Rotate
            </Button>
            <Button isSmall kind="danger" label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke
            </Button>
          </>
        ),
    ),
  ];
}
