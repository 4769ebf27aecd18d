import { useState } from 'preact/hooks';
import { createUser } from '../../api/administration.ts';
import { fieldError } from '../../api/problem.ts';
import { ROLES, type Role } from '../../api/session.ts';
import { useAction } from '../../api/use-answer.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { FirstPassword } from './first-password.tsx';
import { makePassword } from './make-password.ts';

export function CreateUserDialog(props: { readonly onMade: () => void; readonly onClose: () => void }) {
  const { onMade, onClose } = props;
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [password] = useState(makePassword);
  const [isMade, setMade] = useState(false);
  const making = useAction(async () => {
    await createUser({ name: name.trim(), role, password });
    setMade(true);
    onMade();
  });
  if (isMade) {
    return (
      <Dialog title={`${name.trim()} can sign in`} onClose={onClose} hasSecret>
        <FirstPassword password={password} />
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            I’ve saved it
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add a user" onClose={onClose} hasSecret={making.isBusy}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void making.run();
        }}
      >
        <TextField
          label="Name"
          hint="An e-mail address, or whatever they will type when they sign in."
          value={name}
          onInput={setName}
          autoComplete="off"
          isRequired
          error={fieldError(making.problem, 'name')}
        />
        <SelectField
          label="Role"
          value={role}
          choices={[
            { value: 'member', label: 'member: values, runs batches and looks' },
            { value: 'administrator', label: 'administrator: manages keys and users, too' },
          ]}
          onInput={(value) => setRole(ROLES.find((each) => each === value) ?? 'member')}
        />
        <p class="quiet small">
          A password is made for them and shown once; they change it under “Your account”.
        </p>
        {making.problem && <ProblemNotice problem={making.problem} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={making.isBusy && 'Adding …'}>
            Add the user
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
