import { useState } from 'preact/hooks';
import { changePassword, listSessions, revokeSession, type OwnSession } from '../../api/account.ts';
import { useAction, useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatAgo, formatMoment } from '../../parts/format.ts';
import { Badge, Notice, ProblemNotice } from '../../parts/notice.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { deviceOf } from './device.ts';

export default function AccountPage() {
  const { session } = useSession();
  const { user, account } = session;
  const [passwords, setPasswords] = useState(0);
  return (
    <Page title="Your account">
      <dl class="facts card">
        <dt>Name</dt>
        <dd>{user.name}</dd>
        <dt>Role</dt>
        <dd>
          {user.role} of {account.name}
        </dd>
        <dt>Plan</dt>
        <dd>{account.plan}</dd>
        <dt>This session</dt>
        <dd>ends {formatMoment(session.expires_at)} if it is not used until then</dd>
      </dl>
      <Password onChanged={() => setPasswords((count) => count + 1)} />
      <Sessions key={passwords} />
    </Page>
  );
}

function Sessions() {
  const sessions = useAnswer(listSessions, []);
  const ending = useAction(async (id: string) => {
    await revokeSession(id);
    sessions.reload();
  });
  const columns = columnsFor((id) => void ending.run(id), ending.isBusy);
  return (
    <Section
      title="Where you are signed in"
      lead="End a session that you do not know, then change your password."
    >
      {ending.problem && <ProblemNotice problem={ending.problem} />}
      <Answered asked={sessions} waiting="Reading your sessions">
        {(rows) => <Table caption="Your sessions" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </Answered>
    </Section>
  );
}

function columnsFor(end: (id: string) => void, isBusy: boolean): Column<OwnSession>[] {
  return [
    {
      name: 'device',
      label: 'Browser',
      isRowHeader: true,
      cell: ({ user_agent, is_current }) => (
        <>
          {deviceOf(user_agent)} {is_current && <Badge kind="ok">this one</Badge>}
        </>
      ),
    },
    { name: 'address', label: 'Address', cell: ({ ip }) => ip },
    { name: 'since', label: 'Signed in', cell: ({ created_at }) => formatMoment(created_at) },
    { name: 'seen', label: 'Last request', cell: ({ last_seen_at }) => formatAgo(last_seen_at, new Date()) },
    {
      name: 'actions',
      label: 'Actions',
      isLabelUnseen: true,
      cell: ({ id, is_current, user_agent }) =>
        !is_current && (
          <div class="actions">
            <Button
              isSmall
              kind="danger"
              isDisabled={isBusy}
              label={`End the session in ${deviceOf(user_agent)}`}
              onClick={() => end(id)}
            >
              End
            </Button>
          </div>
        ),
    },
  ];
}

const LEAST = 12;

function Password({ onChanged }: { readonly onChanged: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [isChanged, setChanged] = useState(false);
  const changing = useAction(async () => {
    setChanged(false);
    await changePassword(current, next);
    setCurrent('');
    setNext('');
    setAgain('');
    setChanged(true);
    onChanged();
  });
  const isShort = next !== '' && [...next].length < LEAST;
  const isOther = again !== '' && again !== next;
  return (
    <Section title="Password" lead="Changing it ends your sessions in other browsers.">
      <form
        class="form card"
        onSubmit={(event) => {
          event.preventDefault();
          void changing.run();
        }}
      >
        <div class="pair">
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            value={current}
            onInput={setCurrent}
            isRequired
          />
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            value={next}
            onInput={setNext}
            hint={`At least ${LEAST} characters; a sentence is easier to keep than a riddle.`}
            error={isShort ? `It needs at least ${LEAST} characters.` : null}
            isRequired
          />
          <TextField
            label="New password again"
            type="password"
            autoComplete="new-password"
            value={again}
            onInput={setAgain}
            error={isOther ? 'This is not what you typed before.' : null}
            isRequired
          />
        </div>
        {changing.problem && <ProblemNotice problem={changing.problem} />}
        {isChanged && (
          <Notice kind="ok">The password is changed. Other browsers have to sign in again.</Notice>
        )}
        <div>
          <Button
            type="submit"
            busy={changing.isBusy && 'Changing …'}
            isDisabled={isShort || isOther || next !== again || next === ''}
          >
            Change the password
          </Button>
        </div>
      </form>
    </Section>
  );
}
