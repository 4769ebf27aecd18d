import { useState } from 'preact/hooks';
import { createAccount, type Plan } from '../../api/administration.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction } from '../../api/use-answer.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { PlanFacts } from '../plans/plan-facts.tsx';

export function CreateAccountDialog(props: {
  readonly plans: readonly Plan[];
  readonly onMade: () => void;
  readonly onClose: () => void;
}) {
  const { plans, onMade, onClose } = props;
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [plan, setPlan] = useState(plans[0]?.name ?? '');
  const chosen = plans.find((each) => each.name === plan);
  const making = useAction(async () => {
    await createAccount({ id: id.trim(), name: name.trim(), plan });
    onMade();
    onClose();
  });
  return (
    <Dialog title="Make an account" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void making.run();
        }}
      >
        <TextField
          label="Name"
          value={name}
          onInput={setName}
          isRequired
          maxLength={100}
          error={fieldError(making.problem, 'name')}
        />
        <TextField
          label="Id"
          value={id}
          onInput={setId}
          isRequired
          maxLength={63}
          hint="Small letters, digits and hyphens, such as acme-lending. It stands in logs and commands and does not change."
          error={fieldError(making.problem, 'id')}
        />
        <SelectField
          label="Plan"
          value={plan}
          choices={plans.map((each) => ({ value: each.name, label: each.name }))}
          onInput={setPlan}
        />
        {chosen && <PlanFacts plan={chosen} />}
        {making.problem && <ProblemNotice problem={making.problem} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={making.isBusy && 'Making the account …'}>
            Make the account
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
