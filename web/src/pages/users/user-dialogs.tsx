import { useState } from 'preact/hooks';
import {
  createUser,
  resetSecondFactor,
  ROLES,
  setDisabled,
  setPassword,
  setRole,
  unlinkIdentity,
  type Role,
  type User,
} from '../../api/account.ts';
import { useAction } from '../../api/use-request.ts';
import { FormDialog, NameField, SecretDialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { createPassword } from './create-password.ts';

interface DialogOf {
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function CreateUserDialog({ onChanged, onClose }: DialogOf) {
  const [name, setName] = useState('');
  const [role, setRoleOf] = useState<Role>('member');
  const [password] = useState(createPassword);
  const [isCreated, setCreated] = useState(false);
  const creating = useAction(async () => {
    await createUser({ name: name.trim(), role, password });
    setCreated(true);
    onChanged();
  });
  if (isCreated)
    return <NewPassword title={`User ${name.trim()} created`} password={password} onClose={onClose} />;
  return (
    <FormDialog
      title="Add a user"
      action="Add user"
      busy="Adding …"
      doing={creating}
      onClose={onClose}
      // If it closed now, nobody would see the password.
      hasSecret={creating.isBusy}
    >
      <NameField
        value={name}
        onInput={setName}
        hint="An email address, or another name to sign in with."
        creating={creating}
      />
      <SelectField
        label="Role"
        value={role}
        choices={[
          { value: 'member', label: 'Member: valuations and batches' },
          { value: 'administrator', label: 'Administrator: also keys and users' },
        ]}
        onInput={(value) => setRoleOf(ROLES.find((each) => each === value) ?? 'member')}
      />
      <p class="quiet small">
        A password is generated and shown once. Users can change their password under “Your account”.
      </p>
    </FormDialog>
  );
}

export function PasswordDialog({ user, onChanged, onClose }: DialogOf & { readonly user: User }) {
  const [password] = useState(createPassword);
  const [isSet, setSet] = useState(false);
  const setting = useAction(async () => {
    await setPassword(user.id, password);
    setSet(true);
    onChanged();
  });
  if (isSet)
    return <NewPassword title={`New password of ${user.name}`} password={password} onClose={onClose} />;
  return (
    <FormDialog
      title={`Set a new password for ${user.name}?`}
      action="Set new password"
      busy="Setting …"
      doing={setting}
      onClose={onClose}
      hasSecret={setting.isBusy}
    >
      <p>A new password is generated and shown once. It ends all sessions of this user.</p>
    </FormDialog>
  );
}

function NewPassword(props: {
  readonly title: string;
  readonly password: string;
  readonly onClose: () => void;
}) {
  const { title, password, onClose } = props;
  return (
    <SecretDialog
      title={title}
      secret={password}
      what="the password"
      advice="Send it to the user in a secure way. Users can change it under “Your account” after signing in."
      onClose={onClose}
    >
      {null}
    </SecretDialog>
  );
}

/** The confirmations of changes. */
const CHANGES = {
  disable: {
    title: (name: string) => `Disable ${name}?`,
    text: 'This ends all sessions of the user. The user cannot sign in until you enable the account again. Audit entries stay.',
    action: 'Disable',
    busy: 'Disabling …',
    act: (id: string) => setDisabled(id, true),
  },
  enable: {
    title: (name: string) => `Enable ${name}?`,
    text: 'The user can sign in again with the same password.',
    action: 'Enable',
    busy: 'Enabling …',
    act: (id: string) => setDisabled(id, false),
  },
  second_factor: {
    title: (name: string) => `Turn off the second factor of ${name}?`,
    text: 'This ends all sessions of the user, who then signs in with the password only. First make sure that the request comes from them.',
    action: 'Turn off',
    busy: 'Turning off …',
    act: resetSecondFactor,
  },
  unlink: {
    title: (name: string) => `Unlink ${name} from the sign-in provider?`,
    text: 'This ends all sessions of the user. The provider can link the user again: to the account there whose email address is the user’s name. To keep the user out, disable the user.',
    action: 'Unlink',
    busy: 'Unlinking …',
    act: unlinkIdentity,
  },
  administrator: {
    title: (name: string) => `Make ${name} an administrator?`,
    text: 'Administrators create and revoke keys, and add, disable and change users, including you.',
    action: 'Make administrator',
    busy: 'Changing …',
    act: (id: string) => setRole(id, 'administrator'),
  },
  member: {
    title: (name: string) => `Make ${name} a member?`,
    text: 'This ends all sessions of the user. Members value properties and run batches.',
    action: 'Make member',
    busy: 'Changing …',
    act: (id: string) => setRole(id, 'member'),
  },
} as const;

export function ChangeDialog(
  props: DialogOf & { readonly change: keyof typeof CHANGES; readonly user: User },
) {
  const { change, user, onChanged, onClose } = props;
  const { title, text, action, busy, act } = CHANGES[change];
  const changing = useAction(async () => {
    await act(user.id);
    onChanged();
    onClose();
  });
  return (
    <FormDialog
      title={title(user.name)}
      action={action}
      busy={busy}
      kind="danger"
      doing={changing}
      onClose={onClose}
    >
      <p>{text}</p>
    </FormDialog>
  );
}
