import { useState } from 'preact/hooks';
import {
  changePassword,
  listSessions,
  readLogo,
  removeLogo,
  revokeSession,
  setLogo,
  type OwnSession,
} from '../../api/account.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { WhenLoaded, Badge, Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { TextField } from '../../parts/field.tsx';
import { DropZone, UploadState, useFile } from '../../parts/file-choice.tsx';
import { formatAgo, formatMoment } from '../../parts/format.ts';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { actionsColumn, Table, type Column } from '../../parts/table.tsx';
import { useUnsaved } from '../../parts/unsaved-changes.ts';
import { useSession } from '../../shell/session-context.tsx';
import { deviceOf } from './device.ts';
import { SecondFactorSection } from './second-factor.tsx';

export default function AccountPage() {
  const { session, isAdministrator } = useSession();
  const { user, account } = session;
  const [changes, setChanges] = useState(0);
  return (
    <Page title="Your account">
      <Facts
        class="card"
        facts={[
          ['Name', user.name],
          ['Role', `${user.role} of the account “${account.name}”`],
          ['Plan', account.plan],
          ['This session', `expires ${formatMoment(session.expires_at)} unless used before`],
        ]}
      />
      <Password onChanged={() => setChanges((count) => count + 1)} />
      <SecondFactorSection onChanged={() => setChanges((count) => count + 1)} />
      <Sessions key={changes} />
      {isAdministrator && <LogoOfReports />}
    </Page>
  );
}

function Sessions() {
  const sessions = useRequest(listSessions, []);
  const ending = useAction(async (id: string) => {
    await revokeSession(id);
    sessions.reload();
  });
  const columns = columnsFor((id) => void ending.run(id), ending.isBusy);
  return (
    <Section
      title="Where you are signed in"
      lead="End any session that you do not recognize, then change your password."
    >
      {ending.problem && <ProblemNotice problem={ending.problem} />}
      <WhenLoaded of={sessions} waiting="Loading your sessions">
        {(rows) => <Table caption="Your sessions" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </WhenLoaded>
    </Section>
  );
}

function columnsFor(end: (id: string) => void, isBusy: boolean): Column<OwnSession>[] {
  return [
    {
      label: 'Browser',
      isRowHeader: true,
      cell: ({ user_agent, is_current }) => (
        <>
          {deviceOf(user_agent)} {is_current && <Badge kind="ok">this one</Badge>}
        </>
      ),
    },
    { label: 'IP address', cell: ({ ip }) => ip },
    { label: 'Signed in', cell: ({ created_at }) => formatMoment(created_at) },
    { label: 'Last request', cell: ({ last_seen_at }) => formatAgo(last_seen_at, new Date()) },
    actionsColumn(
      ({ id, is_current, user_agent }) =>
        !is_current && (
          <Button
            isSmall
            kind="danger"
            isDisabled={isBusy}
            label={`End the session in ${deviceOf(user_agent)}`}
            onClick={() => end(id)}
          >
            End
          </Button>
        ),
    ),
  ];
}

function LogoOfReports() {
  const logo = useRequest(readLogo, []);
  const choice = useFile(
    (file, _name, signal) => setLogo(file, signal),
    () => logo.reload(),
  );
  const removing = useAction(async () => {
    await removeLogo();
    logo.reload();
  });
  return (
    <Section title="Logo" lead="At the head of all reports of the account.">
      <DropZone
        label="PNG or JPEG image"
        accept=".png,.jpg,.jpeg"
        hint="At most 256 KB. It is drawn at most 1.7 inches wide and 0.4 inches high."
        onChoose={([file]) => choice.choose(file, file.name)}
      >
        <UploadState of={choice} />
        {removing.problem && <ProblemNotice problem={removing.problem} />}
        {logo.problem && <ProblemNotice problem={logo.problem} onRetry={logo.reload} />}
        {logo.data && (
          <p class="row">
            <img class="logo" src={logo.data} alt="The logo" />
            <Button isSmall kind="danger" isDisabled={removing.isBusy} onClick={() => void removing.run()}>
              Remove
            </Button>
          </p>
        )}
      </DropZone>
    </Section>
  );
}

const PASSWORD_LENGTH_MIN = 12;
const NO_PASSWORDS = { current: '', next: '', again: '' };

function Password({ onChanged }: { readonly onChanged: () => void }) {
  const [{ current, next, again }, setPasswords] = useState(NO_PASSWORDS);
  const [isChanged, setChanged] = useState(false);
  const changing = useAction(async () => {
    setChanged(false);
    await changePassword(current, next);
    setPasswords(NO_PASSWORDS);
    setChanged(true);
    onChanged();
  });
  useUnsaved(current + next + again !== '');
  const isShort = next !== '' && [...next].length < PASSWORD_LENGTH_MIN;
  const isOther = again !== '' && again !== next;
  const fieldOf = (name: keyof typeof NO_PASSWORDS, value: string) => ({
    type: 'password' as const,
    autoComplete: name === 'current' ? 'current-password' : 'new-password',
    value,
    onInput: (typed: string) => setPasswords((before) => ({ ...before, [name]: typed })),
    isRequired: true,
  });
  return (
    <Section title="Password" lead="Changing it ends your sessions in other browsers.">
      <form
        class="stack card"
        onSubmit={(event) => {
          event.preventDefault();
          void changing.run();
        }}
      >
        <div class="pair">
          <TextField label="Current password" {...fieldOf('current', current)} />
          <TextField
            label="New password"
            {...fieldOf('next', next)}
            hint={`At least ${PASSWORD_LENGTH_MIN} characters. A sentence is easy to remember.`}
            error={isShort ? `Enter at least ${PASSWORD_LENGTH_MIN} characters.` : null}
          />
          <TextField
            label="Repeat new password"
            {...fieldOf('again', again)}
            error={isOther ? 'The two passwords differ.' : null}
          />
        </div>
        {changing.problem && <ProblemNotice problem={changing.problem} />}
        {isChanged && <Notice kind="ok">Password changed. Other browsers must sign in again.</Notice>}
        <div>
          <Button
            type="submit"
            busy={changing.isBusy && 'Changing …'}
            isDisabled={isShort || next !== again || next === ''}
          >
            Change password
          </Button>
        </div>
      </form>
    </Section>
  );
}
