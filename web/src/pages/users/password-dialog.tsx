import { useState } from 'preact/hooks';
import { setPassword, type User } from '../../api/administration.ts';
import { useAction } from '../../api/use-answer.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { FirstPassword } from './first-password.tsx';
import { makePassword } from './make-password.ts';

export function PasswordDialog(props: {
  readonly user: User;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const { user, onChanged, onClose } = props;
  const [password] = useState(makePassword);
  const [isSet, setSet] = useState(false);
  const setting = useAction(async () => {
    await setPassword(user.id, password);
    setSet(true);
    onChanged();
  });
  return (
    <Dialog
      title={isSet ? `${user.name} has a new password` : `A new password for ${user.name}?`}
      onClose={onClose}
      // Closed while it is set, it would be set and seen by nobody.
      hasSecret={isSet || setting.isBusy}
    >
      {isSet ? (
        <FirstPassword password={password} />
      ) : (
        <p>
          Their password is replaced by one that is made for them and shown once. Their sessions end at once.
        </p>
      )}
      {setting.problem && <ProblemNotice problem={setting.problem} />}
      <DialogActions>
        {isSet ? (
          <Button kind="primary" onClick={onClose}>
            I’ve saved it
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" busy={setting.isBusy && 'Setting …'} onClick={() => void setting.run()}>
              Set a new password
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
