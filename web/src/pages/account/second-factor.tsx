import { useState } from 'preact/hooks';
import {
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  startSecondFactor,
  type StartedSecondFactor,
} from '../../api/second-factor.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, WhenLoaded } from '../../parts/basics.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { FormDialog, SecretDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatDay } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';

type Open =
  | { readonly dialog: 'start' | 'remove' | 'replace' }
  | { readonly dialog: 'confirm'; readonly started: StartedSecondFactor }
  | { readonly dialog: 'codes'; readonly codes: readonly string[] };

/** Turns the user's second factor on and off. */
export function SecondFactorSection({ onChanged }: { readonly onChanged: () => void }) {
  const factor = useRequest(readSecondFactor, []);
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const reload = (): void => {
    factor.reload();
    onChanged();
  };
  const showCodes = (codes: readonly string[]): void => {
    setOpen({ dialog: 'codes', codes });
    reload();
  };
  return (
    <Section
      title="Second factor"
      lead="Sign-in then also asks for a code of an authenticator app on your phone."
    >
      <WhenLoaded of={factor} waiting="Loading your second factor">
        {({ since, recovery_codes_left: left }) =>
          since === null ? (
            <p>
              <Button onClick={() => setOpen({ dialog: 'start' })}>Turn on</Button>
            </p>
          ) : (
            <div class="stack card">
              <p>
                On since {formatDay(since)}. {left} recovery {left === 1 ? 'code is' : 'codes are'} left.
              </p>
              <p class="row">
                <Button onClick={() => setOpen({ dialog: 'replace' })}>New recovery codes</Button>
                <Button kind="danger" onClick={() => setOpen({ dialog: 'remove' })}>
                  Turn off
                </Button>
              </p>
            </div>
          )
        }
      </WhenLoaded>
      {open?.dialog === 'start' && (
        <StartDialog onStarted={(started) => setOpen({ dialog: 'confirm', started })} onClose={close} />
      )}
      {open?.dialog === 'confirm' && (
        <ConfirmDialog started={open.started} onCodes={showCodes} onClose={close} />
      )}
      {open?.dialog === 'replace' && <ReplaceDialog onCodes={showCodes} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveDialog onRemoved={reload} onClose={close} />}
      {open?.dialog === 'codes' && <CodesDialog codes={open.codes} onClose={close} />}
    </Section>
  );
}

interface DialogOf {
  readonly onClose: () => void;
}

function PasswordField(props: { readonly value: string; readonly onInput: (value: string) => void }) {
  return (
    <TextField {...props} label="Your password" type="password" autoComplete="current-password" isRequired />
  );
}

function CodeField(props: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly isAppOnly?: boolean;
}) {
  const { isAppOnly, ...field } = props;
  const inputMode = isAppOnly ? ('numeric' as const) : ('text' as const);
  return (
    <TextField {...field} autoComplete="one-time-code" inputMode={inputMode} maxLength={40} isRequired />
  );
}

function StartDialog(props: DialogOf & { readonly onStarted: (started: StartedSecondFactor) => void }) {
  const { onStarted, onClose } = props;
  const [password, setPassword] = useState('');
  const starting = useAction(async () => onStarted(await startSecondFactor(password)));
  return (
    <FormDialog
      title="Turn on a second factor"
      action="Continue"
      busy="Checking …"
      doing={starting}
      onClose={onClose}
    >
      <p>You need an authenticator app on your phone. Enter your password to continue.</p>
      <PasswordField value={password} onInput={setPassword} />
    </FormDialog>
  );
}

function ConfirmDialog(
  props: DialogOf & {
    readonly started: StartedSecondFactor;
    readonly onCodes: (codes: readonly string[]) => void;
  },
) {
  const { started, onCodes, onClose } = props;
  const [code, setCode] = useState('');
  const confirming = useAction(async () => onCodes(await confirmSecondFactor(code)));
  return (
    <FormDialog
      title="Scan the code with your app"
      action="Turn on"
      busy="Checking …"
      doing={confirming}
      onClose={onClose}
      hasSecret={confirming.isBusy}
    >
      <img class="qr-code" src={started.qr_code} alt="QR code of the secret" width="220" height="220" />
      <p class="small">Or type this secret into the app:</p>
      <CodeBlock text={started.secret} what="the secret" isWrapped />
      <CodeField label="Code of the app" value={code} onInput={setCode} isAppOnly />
      <p class="quiet small">Turning it on ends your sessions in other browsers.</p>
    </FormDialog>
  );
}

function ReplaceDialog(props: DialogOf & { readonly onCodes: (codes: readonly string[]) => void }) {
  const { onCodes, onClose } = props;
  const [code, setCode] = useState('');
  const replacing = useAction(async () => onCodes(await replaceRecoveryCodes(code)));
  return (
    <FormDialog
      title="Create new recovery codes?"
      action="Create codes"
      busy="Creating …"
      doing={replacing}
      onClose={onClose}
      hasSecret={replacing.isBusy}
    >
      <p>The previous recovery codes no longer work.</p>
      <CodeField label="Code of the app" value={code} onInput={setCode} isAppOnly />
    </FormDialog>
  );
}

function RemoveDialog({ onRemoved, onClose }: DialogOf & { readonly onRemoved: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const removing = useAction(async () => {
    await removeSecondFactor(password, code);
    onRemoved();
    onClose();
  });
  return (
    <FormDialog
      title="Turn off the second factor?"
      action="Turn off"
      busy="Turning off …"
      kind="danger"
      doing={removing}
      onClose={onClose}
    >
      <p>Sign-in then asks for your password only.</p>
      <PasswordField value={password} onInput={setPassword} />
      <CodeField label="Code of the app, or a recovery code" value={code} onInput={setCode} />
    </FormDialog>
  );
}

function CodesDialog({ codes, onClose }: DialogOf & { readonly codes: readonly string[] }) {
  return (
    <SecretDialog
      title="Your recovery codes"
      secret={codes.join('\n')}
      what="the recovery codes"
      advice="Keep them apart from your phone."
      onClose={onClose}
    >
      <p>Each code signs you in once, without your phone.</p>
    </SecretDialog>
  );
}
