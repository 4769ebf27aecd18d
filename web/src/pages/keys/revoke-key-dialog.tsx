import { revokeKey, type Key } from '../../api/keys.ts';
import { useAction } from '../../api/use-answer.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { formatAgo } from '../../parts/format.ts';
import { shownKey } from './key-state.ts';

export function RevokeKeyDialog(props: {
  readonly of: Key;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const { of, onRevoked, onClose } = props;
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
        {of.last_used_at === null
          ? 'It was never used.'
          : `It was last used ${formatAgo(of.last_used_at, new Date())}.`}{' '}
        To change it without an interruption, rotate it instead.
      </p>
    </ConfirmDialog>
  );
}
