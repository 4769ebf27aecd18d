import { useState } from 'preact/hooks';
import { rotateKey, type Key, type NewKey } from '../../api/keys.ts';
import { useAction } from '../../api/use-answer.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, type Choice } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { shownKey } from './key-state.ts';

const OVERLAPS: readonly Choice[] = [0, 1, 2, 3, 4, 5, 6, 7].map((days) => ({
  value: String(days),
  label: days === 0 ? 'not at all: it ends now' : days === 1 ? '1 day' : `${days} days`,
}));

export function RotateKeyDialog(props: {
  readonly of: Key;
  readonly onMade: (key: NewKey) => void;
  readonly onClose: () => void;
}) {
  const { of, onMade, onClose } = props;
  const [overlap, setOverlap] = useState('1');
  const rotating = useAction(async () => onMade(await rotateKey(of.id, Number(overlap))));
  return (
    <Dialog title={`Rotate “${of.name}”`} onClose={onClose}>
      <p>
        A new key takes the place of <code>{shownKey(of)}</code>. It opens the same, and is shown once.
      </p>
      <SelectField
        label="The old one goes on for"
        value={overlap}
        choices={OVERLAPS}
        onInput={setOverlap}
        hint="Long enough to give the new one to the program that uses it."
      />
      {rotating.problem && <ProblemNotice problem={rotating.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={rotating.isBusy && 'Rotating …'} onClick={() => void rotating.run()}>
          Rotate the key
        </Button>
      </DialogActions>
    </Dialog>
  );
}
