import type { Key } from '../../api/keys.ts';
import { Button } from '../../parts/button.tsx';
import { formatAgo, formatDay, formatMoment } from '../../parts/format.ts';
import { Badge } from '../../parts/notice.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { hasEnded, shownKey, stateOf, type KeyState } from './key-state.ts';
import { meaningOfScope, summaryOfScopes } from './scope-choices.ts';

const BADGES: Readonly<Record<KeyState, 'ok' | 'warn' | 'plain'>> = {
  'in force': 'ok',
  'ends soon': 'warn',
  expired: 'plain',
  revoked: 'plain',
};

export function KeyTable(props: {
  readonly keys: readonly Key[];
  readonly now: Date;
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}) {
  const { keys, now, onRotate, onRevoke } = props;
  const columns = [...columnsAt(now), actions(now, onRotate, onRevoke)];
  return (
    <Table
      caption="API keys"
      columns={columns}
      rows={keys}
      keyOf={({ id }) => id}
      sorting={{ column: 'created', isDescending: true }}
    />
  );
}

function columnsAt(now: Date): Column<Key>[] {
  return [
    {
      name: 'name',
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
      name: 'state',
      label: 'State',
      cell: (key) => <Badge kind={BADGES[stateOf(key, now)]}>{stateOf(key, now)}</Badge>,
    },
    {
      name: 'scopes',
      label: 'Permissions',
      cell: ({ scopes }) => (
        <span title={scopes.map(meaningOfScope).join('\n')}>{summaryOfScopes(scopes)}</span>
      ),
    },
    {
      name: 'created',
      label: 'Made',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => <span class="nowrap">{formatDay(created_at)}</span>,
    },
    {
      name: 'used',
      label: 'Last used',
      sortBy: ({ last_used_at }) => last_used_at,
      cell: ({ last_used_at }) =>
        last_used_at === null ? (
          <span class="quiet">never</span>
        ) : (
          <span class="nowrap" title={formatMoment(last_used_at)}>
            {formatAgo(last_used_at, now)}
          </span>
        ),
    },
    { name: 'ends', label: 'Expires', sortBy: endOf, cell: (key) => <Ends of={key} /> },
  ];
}

function endOf({ revoked_at, expires_at }: Key): string | null {
  return revoked_at ?? expires_at;
}

function Ends({ of }: { readonly of: Key }) {
  const end = endOf(of);
  if (end === null) return <span class="quiet">never</span>;
  return (
    <span class="nowrap" title={formatMoment(end)}>
      {formatDay(end)}
    </span>
  );
}

function actions(now: Date, onRotate: (key: Key) => void, onRevoke: (key: Key) => void): Column<Key> {
  return {
    name: 'actions',
    label: 'Actions',
    isLabelUnseen: true,
    cell: (key) =>
      !hasEnded(key, now) && (
        <div class="actions">
          <Button isSmall label={`Rotate ${key.name}`} onClick={() => onRotate(key)}>
            Rotate
          </Button>
          <Button isSmall kind="danger" label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        </div>
      ),
  };
}
