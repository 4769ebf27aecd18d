import { useState } from 'preact/hooks';
import { listUsers, setDisabled, setRole, type User } from '../../api/administration.ts';
import { useAction, useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { UserTable, type UserChange } from './user-table.tsx';

type Open = { readonly change: 'create' } | { readonly change: UserChange; readonly user: User };

export default function UsersPage() {
  const { session } = useSession();
  const users = useAnswer(listUsers, []);
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Page
      title="Users"
      lead={`Who may sign in for ${session.account.name}. A member values, runs batches and looks; an administrator also manages keys and users and reads the audit log.`}
      actions={
        <Button kind="primary" onClick={() => setOpen({ change: 'create' })}>
          Add a user
        </Button>
      }
    >
      <Answered asked={users} waiting="Reading the users">
        {(all) => (
          <UserTable
            users={all}
            ownId={session.user.id}
            onChange={(change, user) => setOpen({ change, user })}
          />
        )}
      </Answered>
      {open?.change === 'create' && <CreateUserDialog onMade={users.reload} onClose={close} />}
      {open?.change === 'password' && (
        <PasswordDialog user={open.user} onClose={close} onChanged={users.reload} />
      )}
      {open !== null && open.change !== 'create' && open.change !== 'password' && (
        <ChangeDialog change={open.change} user={open.user} onChanged={users.reload} onClose={close} />
      )}
    </Page>
  );
}

/** What is asked before a change that takes one click. */
const QUESTIONS = {
  disable: {
    title: (name: string) => `Disable ${name}?`,
    text: 'Their sessions end at once, and they cannot sign in until they are enabled again. What they did stays in the audit log.',
    action: 'Disable',
    busy: 'Disabling …',
    act: (id: string) => setDisabled(id, true),
  },
  enable: {
    title: (name: string) => `Enable ${name}?`,
    text: 'They can sign in again, with the password that they had.',
    action: 'Enable',
    busy: 'Enabling …',
    act: (id: string) => setDisabled(id, false),
  },
  administrator: {
    title: (name: string) => `Make ${name} an administrator?`,
    text: 'They can then issue and revoke keys, and add, disable and change users, you among them.',
    action: 'Make administrator',
    busy: 'Changing …',
    act: (id: string) => setRole(id, 'administrator'),
  },
  member: {
    title: (name: string) => `Make ${name} a member?`,
    text: 'Their sessions end at once. Signed in again, they value, run batches and look.',
    action: 'Make member',
    busy: 'Changing …',
    act: (id: string) => setRole(id, 'member'),
  },
} as const;

function ChangeDialog(props: {
  readonly change: keyof typeof QUESTIONS;
  readonly user: User;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const { change, user, onChanged, onClose } = props;
  const { title, text, action, busy, act } = QUESTIONS[change];
  const changing = useAction(async () => {
    await act(user.id);
    onChanged();
  });
  return (
    <ConfirmDialog title={title(user.name)} action={action} busy={busy} doing={changing} onClose={onClose}>
      <p>{text}</p>
    </ConfirmDialog>
  );
}
