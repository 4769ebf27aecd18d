import { useState } from 'preact/hooks';
import { listUsers, type User } from '../../api/account.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded, Badge, Button } from '../../parts/basics.tsx';
import { formatDay } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { actionsColumn, dateColumn, Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { ChangeDialog, CreateUserDialog, PasswordDialog } from './user-dialogs.tsx';

type UserChange = 'administrator' | 'member' | 'disable' | 'enable' | 'password' | 'second_factor' | 'unlink';
type Open = { readonly change: 'create' } | { readonly change: UserChange; readonly user: User };

export default function UsersPage() {
  const { session } = useSession();
  const users = useRequest(listUsers, []);
  const [open, setOpen] = useState<Open | null>(null);
  const shared = { onChanged: users.reload, onClose: () => setOpen(null) };
  return (
    <Page
      title="Users"
      lead={`Users of the account “${session.account.name}”. Members value properties and run batches. Administrators also decide challenges, manage keys and users, and read the audit log.${session.is_operator ? ' Those of this account import data and train markets, too.' : ''}`}
      actions={
        <Button kind="primary" onClick={() => setOpen({ change: 'create' })}>
          Add a user
        </Button>
      }
    >
      <WhenLoaded of={users} waiting="Loading the users">
        {(all) => (
          <Table
            caption="Users"
            columns={columnsFor(session.user.id, (change, user) => setOpen({ change, user }))}
            rows={all}
            keyOf={({ id }) => id}
            sorting={{ column: 'Name', isDescending: false }}
          />
        )}
      </WhenLoaded>
      {open?.change === 'create' && <CreateUserDialog {...shared} />}
      {open?.change === 'password' && <PasswordDialog user={open.user} {...shared} />}
      {open !== null && open.change !== 'create' && open.change !== 'password' && (
        <ChangeDialog change={open.change} user={open.user} {...shared} />
      )}
    </Page>
  );
}

function columnsFor(ownId: string, onChange: (change: UserChange, user: User) => void): Column<User>[] {
  return [
    {
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
    { label: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => role },
    {
      label: 'Status',
      cell: ({ disabled_at }) =>
        disabled_at === null ? <Badge kind="ok">active</Badge> : <Badge kind="warn">disabled</Badge>,
    },
    {
      label: 'Sign-in',
      cell: ({ second_factor_since, identity_since }) => (
        <>
          password
          {second_factor_since !== null && <div class="small">+ second factor</div>}
          {identity_since !== null && <div class="small">or provider, since {formatDay(identity_since)}</div>}
        </>
      ),
    },
    dateColumn('Password set', ({ password_changed_at }) => password_changed_at, formatDay),
    // Users cannot change their own role or status, so that nobody locks themselves out by mistake.
    actionsColumn((user) => user.id !== ownId && <Actions user={user} onChange={onChange} />),
  ];
}

function Actions(props: {
  readonly user: User;
  readonly onChange: (change: UserChange, user: User) => void;
}) {
  const { user, onChange } = props;
  const { name, role, disabled_at, second_factor_since, identity_since } = user;
  const other = role === 'member' ? 'administrator' : 'member';
  const toggle = disabled_at === null ? 'disable' : 'enable';
  return (
    <>
      <Button isSmall label={`Make ${other}: ${name}`} onClick={() => onChange(other, user)}>
        Make {other}
      </Button>
      <Button isSmall label={`Set password of ${name}`} onClick={() => onChange('password', user)}>
        Set password
      </Button>
      {second_factor_since !== null && (
        <Button
          isSmall
          kind="danger"
          label={`Turn off the second factor of ${name}`}
          onClick={() => onChange('second_factor', user)}
        >
          Turn off second factor
        </Button>
      )}
      {identity_since !== null && (
        <Button
          isSmall
          kind="danger"
          label={`Unlink ${name} from the sign-in provider`}
          onClick={() => onChange('unlink', user)}
        >
          Unlink
        </Button>
      )}
      <Button
        isSmall
        kind={toggle === 'disable' ? 'danger' : 'plain'}
        label={toggle === 'disable' ? `Disable ${name}` : `Enable ${name}`}
        onClick={() => onChange(toggle, user)}
      >
        {toggle === 'disable' ? 'Disable' : 'Enable'}
      </Button>
    </>
  );
}
