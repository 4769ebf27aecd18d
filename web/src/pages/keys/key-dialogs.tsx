import { useState } from 'preact/hooks';
import { createKey, revokeKey, rotateKey, type Key, type KeyScope, type NewKey } from '../../api/account.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction } from '../../api/use-request.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { FormDialog, NameField, SecretDialog } from '../../parts/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';
import { expiryOf, EXPIRY_CHOICES, lastUseSentence, shownKey } from './key-state.ts';
import { meaningOfScope, SCOPE_GROUPS } from './scope-choices.ts';

const ENVIRONMENT_CHOICES = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test' },
] as const;

export function CreateKeyDialog(props: {
  readonly onCreated: (key: NewKey) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<Key['environment']>('live');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['*']);
  const [expiry, setExpiry] = useState('');
  const [day, setDay] = useState('');
  const creating = useAction(async () => {
    const expires_at = expiryOf(expiry, day, new Date());
    props.onCreated(await createKey({ name: name.trim(), environment, scopes: [...scopes], expires_at }));
  });
  return (
    <FormDialog
      title="Create API key"
      action="Create API key"
      busy="Creating …"
      isDisabled={scopes.length === 0}
      doing={creating}
      onClose={props.onClose}
    >
      <NameField value={name} onInput={setName} hint="The program that will use it." creating={creating} />
      <div class="pair">
        <SelectField
          label="Environment"
          value={environment}
          choices={ENVIRONMENT_CHOICES}
          onInput={(value) => setEnvironment(value === 'test' ? 'test' : 'live')}
          hint="Part of the key’s text, so that you can tell test keys from live keys."
        />
        <SelectField label="Expires" value={expiry} choices={EXPIRY_CHOICES} onInput={setExpiry} />
        {expiry === 'day' && (
          <TextField
            label="Last day"
            type="date"
            value={day}
            onInput={setDay}
            isRequired
            error={fieldError(creating.problem, 'expires_at')}
          />
        )}
      </div>
      <Scopes scopes={scopes} onChange={setScopes} />
    </FormDialog>
  );
}

function Scopes(props: {
  readonly scopes: readonly KeyScope[];
  readonly onChange: (scopes: readonly KeyScope[]) => void;
}) {
  const { scopes, onChange } = props;
  const hasAll = scopes.includes('*');
  const toggle = (scope: KeyScope, isChecked: boolean): void =>
    onChange(isChecked ? [...scopes, scope] : scopes.filter((each) => each !== scope));
  return (
    <fieldset class="stack">
      <legend>Permissions</legend>
      <Checkbox
        label={meaningOfScope('*')}
        hint="Give a key only the permissions that its program needs."
        isChecked={hasAll}
        onChange={(isChecked) => onChange(isChecked ? ['*'] : ['avm:property'])}
      />
      {!hasAll && (
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
      {scopes.length === 0 && <p class="hint">Select at least one.</p>}
    </fieldset>
  );
}

const OVERLAPS = [0, 1, 2, 3, 4, 5, 6, 7].map((days) => ({
  value: String(days),
  label: days === 0 ? 'Ends now' : days === 1 ? '1 day' : `${days} days`,
}));

export function RotateKeyDialog(props: {
  readonly of: Key;
  readonly onCreated: (key: NewKey) => void;
  readonly onClose: () => void;
}) {
  const { of, onCreated, onClose } = props;
  const [overlap, setOverlap] = useState('1');
  const rotating = useAction(async () => onCreated(await rotateKey(of.id, Number(overlap))));
  return (
    <FormDialog
      title={`Rotate “${of.name}”`}
      action="Rotate key"
      busy="Rotating …"
      doing={rotating}
      onClose={onClose}
    >
      <p>
        A new key replaces <code>{shownKey(of)}</code>. It has the same permissions and is shown only once.
      </p>
      <SelectField
        label="The old key works for"
        value={overlap}
        choices={OVERLAPS}
        onInput={setOverlap}
        hint="Enough time to give the new key to the program that uses it."
      />
    </FormDialog>
  );
}

export function RevokeKeyDialog(props: {
  readonly of: Key;
  /** Whether the time of its last use is being loaded again. */
  readonly isReading: boolean;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const { of, isReading, onRevoked, onClose } = props;
  const revoking = useAction(async () => {
    await revokeKey(of.id);
    onRevoked();
    onClose();
  });
  return (
    <FormDialog
      title={`Revoke “${of.name}”?`}
      action="Revoke key"
      busy="Revoking …"
      kind="danger"
      doing={revoking}
      onClose={onClose}
    >
      <p>
        <code>{shownKey(of)}</code> stops working within 10 seconds, permanently. Programs that use it get 401
        responses.
      </p>
      <p>
        {isReading ? 'Checking when it was last used …' : lastUseSentence(of, new Date())} To replace it
        without an interruption, rotate it instead.
      </p>
    </FormDialog>
  );
}

export function NewKeyDialog({
  created,
  onClose,
}: {
  readonly created: NewKey;
  readonly onClose: () => void;
}) {
  return (
    <SecretDialog
      title={`API key “${created.name}”`}
      secret={created.key}
      what="the key"
      advice="The server stores only a hash of it. Keep it where your program keeps its secrets, never in a URL or in source code."
      onClose={onClose}
    >
      <div>
        <p class="quiet small">To try it:</p>
        <CodeBlock
          text={`curl ${location.origin}/v1/coverage -H 'X-API-Key: ${created.key}'`}
          what="the command"
        />
      </div>
    </SecretDialog>
  );
}
