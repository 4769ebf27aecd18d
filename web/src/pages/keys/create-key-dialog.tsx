import { useState } from 'preact/hooks';
import { fieldError } from '../../api/problem.ts';
import { createKey, type Environment, type KeyScope, type NewKey } from '../../api/keys.ts';
import { useAction } from '../../api/use-answer.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { expiryOf, EXPIRY_CHOICES } from './expiry.ts';
import { meaningOfScope, SCOPE_GROUPS } from './scope-choices.ts';

const ENVIRONMENT_CHOICES = [
  { value: 'live', label: 'live: for work' },
  { value: 'test', label: 'test: for trying out' },
] as const;

export function CreateKeyDialog(props: {
  readonly onMade: (key: NewKey) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<Environment>('live');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['*']);
  const [expiry, setExpiry] = useState('');
  const [day, setDay] = useState('');
  const making = useAction(async () => {
    const expires_at = expiryOf(expiry, day, new Date());
    props.onMade(await createKey({ name: name.trim(), environment, scopes: [...scopes], expires_at }));
  });
  return (
    <Dialog title="Create API key" onClose={props.onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void making.run();
        }}
      >
        <TextField
          label="Name"
          hint="The program that will use it."
          value={name}
          onInput={setName}
          isRequired
          maxLength={100}
          autoComplete="off"
          error={fieldError(making.problem, 'name')}
        />
        <div class="pair">
          <SelectField
            label="Environment"
            value={environment}
            choices={ENVIRONMENT_CHOICES}
            onInput={(value) => setEnvironment(value === 'test' ? 'test' : 'live')}
            hint="It stands in the key, so that both are told apart."
          />
          <SelectField label="Ends" value={expiry} choices={EXPIRY_CHOICES} onInput={setExpiry} />
          {expiry === 'day' && (
            <TextField
              label="Last day"
              type="date"
              value={day}
              onInput={setDay}
              isRequired
              error={fieldError(making.problem, 'expires_at')}
            />
          )}
        </div>
        <Scopes scopes={scopes} onChange={setScopes} />
        {making.problem && <ProblemNotice problem={making.problem} />}
        <DialogActions>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            busy={making.isBusy && 'Making the key …'}
            isDisabled={scopes.length === 0}
          >
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Everything, or what is ticked. */
function Scopes(props: {
  readonly scopes: readonly KeyScope[];
  readonly onChange: (scopes: readonly KeyScope[]) => void;
}) {
  const { scopes, onChange } = props;
  const isEverything = scopes.includes('*');
  const toggle = (scope: KeyScope, isChecked: boolean): void =>
    onChange(isChecked ? [...scopes, scope] : scopes.filter((each) => each !== scope));
  return (
    <fieldset class="stack">
      <legend>What it opens</legend>
      <Checkbox
        label={meaningOfScope('*')}
        hint="Less is safer: a key that leaks opens no more than this."
        isChecked={isEverything}
        onChange={(isChecked) => onChange(isChecked ? ['*'] : ['avm:property'])}
      />
      {!isEverything && (
        <div class="scope-groups">
          {SCOPE_GROUPS.map((group) => (
            <fieldset key={group.label}>
              <legend>{group.label}</legend>
              {group.scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  label={meaningOfScope(scope)}
                  isChecked={scopes.includes(scope)}
                  onChange={(isChecked) => toggle(scope, isChecked)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {scopes.length === 0 && <p class="hint">Tick at least one.</p>}
    </fieldset>
  );
}
