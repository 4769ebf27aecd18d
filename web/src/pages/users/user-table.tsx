import type { User } from '../../api/administration.ts';
import { Button } from '../../parts/button.tsx';
import { formatDay } from '../../parts/format.ts';
import { Badge } from '../../parts/notice.tsx';
import { Table, type Column } from '../../parts/table.tsx';

export type UserChange = 'administrator' | 'member' | 'disable' | 'enable' | 'password';

export function UserTable(props: {
  readonly users: readonly User[];
  readonly ownId: string;
  readonly onChange: (change: UserChange, user: User) => void;
}) {
  const { users, ownId, onChange } = props;
  return (
    <Table
      caption="Users"
      columns={columnsFor(ownId, onChange)}
      rows={users}
      keyOf={({ id }) => id}
      sorting={{ column: 'name', isDescending: false }}
    />
  );
}

function columnsFor(ownId: string, onChange: (change: UserChange, user: User) => void): Column<User>[] {
  return [
    {
      name: 'name',
      label: 'Name',
      isRowHeader: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name, created_at }) => (
        <>
          {name} {id === ownId && <Badge>you</Badge>}
          <div class="quiet small">added {formatDay(created_at)}</div>
        </>
      ),
    },
    { name: 'role', label: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => role },
    {
      name: 'state',
      label: 'State',
      cell: ({ disabled_at }) =>
        disabled_at === null ? <Badge kind="ok">can sign in</Badge> : <Badge kind="warn">disabled</Badge>,
    },
    {
      name: 'password',
      label: 'Password set',
      sortBy: ({ password_changed_at }) => password_changed_at,
      cell: ({ password_changed_at }) => <span class="nowrap">{formatDay(password_changed_at)}</span>,
    },
    {
      name: 'actions',
      label: 'Actions',
      isLabelUnseen: true,
      // One's own role and state are changed by somebody else: nobody locks themselves out by a slip.
      cell: (user) => user.id !== ownId && <Actions user={user} onChange={onChange} />,
    },
  ];
}

function Actions(props: {
  readonly user: User;
  readonly onChange: (change: UserChange, user: User) => void;
}) {
  const { user, onChange } = props;
  const { name, role, disabled_at } = user;
  const other = role === 'member' ? 'administrator' : 'member';
  return (
    <div class="actions">
      <Button isSmall label={`Make ${other}: ${name}`} onClick={() => onChange(other, user)}>
        Make {other}
      </Button>
      <Button isSmall label={`Set password of ${name}`} onClick={() => onChange('password', user)}>
        Set password
      </Button>
      {disabled_at === null ? (
        <Button isSmall kind="danger" label={`Disable ${name}`} onClick={() => onChange('disable', user)}>
          Disable
        </Button>
      ) : (
        <Button isSmall label={`Enable ${name}`} onClick={() => onChange('enable', user)}>
          Enable
        </Button>
      )}
    </div>
  );
}
