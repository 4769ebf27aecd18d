import { revokeKey, type Key } from '../../api/keys.ts';
import { useAction } from '../../api/use-answer.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { lastUseSentence, shownKey } from './key-state.ts';

export function RevokeKeyDialog(props: {
  readonly of: Key;
  /** While its last use is read anew. */
  readonly isReading: boolean;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const { of, isReading, onRevoked, onClose } = props;
  const revoking = useAction(async () => {
    await revokeKey(of.id);
    onRevoked();
  });
  return (
    <ConfirmDialog
      title={`Revoke “${of.name}”?`}
      action="Revoke the key"
      busy="Revoking …"
      doing={revoking}
      onClose={onClose}
    >
      <p>
        <code>{shownKey(of)}</code> ends within 10 seconds, for good. Programs that send it are answered with
        401 from then on.
      </p>
      <p>
        {isReading ? 'Reading when it was last used …' : lastUseSentence(of, new Date())} To change it without
        an interruption, rotate it instead.
      </p>
    </ConfirmDialog>
  );
}
