import { useState } from 'preact/hooks';
import { listAccounts, listPlans, setPlan, type Account, type Plan } from '../../api/administration.ts';
import { useAction, useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatDay } from '../../parts/format.ts';
import { Badge, ProblemNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { PlanFacts } from '../plans/plan-facts.tsx';
import { CreateAccountDialog } from './create-account-dialog.tsx';

export default function AccountsPage() {
  const { session } = useSession();
  const [isCreating, setCreating] = useState(false);
  const [moving, setMoving] = useState<Account | null>(null);
  const both = useAnswer(
    async (signal) => ({ accounts: await listAccounts(signal), plans: await listPlans(signal) }),
    [],
  );
  return (
    <Page
      title="Accounts"
      lead="Each account has its own keys, users, plan, credits and batches, and sees nothing of another."
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          Make an account
        </Button>
      }
    >
      <Answered asked={both} waiting="Reading the accounts">
        {({ accounts, plans }) => (
          <>
            <Table
              caption="Accounts"
              columns={columnsFor(session.account.id, setMoving)}
              rows={accounts}
              keyOf={({ id }) => id}
            />
            <p class="quiet small">
              The first user of an account is made where the server runs:{' '}
              <code>plumbline users create --account ID --name NAME --role administrator</code>
            </p>
            {isCreating && (
              <CreateAccountDialog plans={plans} onMade={both.reload} onClose={() => setCreating(false)} />
            )}
            {moving && (
              <PlanDialog
                account={moving}
                plans={plans}
                onMoved={both.reload}
                onClose={() => setMoving(null)}
              />
            )}
          </>
        )}
      </Answered>
    </Page>
  );
}

function columnsFor(own: string, onMove: (account: Account) => void): Column<Account>[] {
  return [
    {
      name: 'name',
      label: 'Account',
      isRowHeader: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <>
          {name} {id === own && <Badge kind="ok">yours</Badge>}
        </>
      ),
    },
    { name: 'id', label: 'Id', sortBy: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
    { name: 'plan', label: 'Plan', sortBy: ({ plan }) => plan, cell: ({ plan }) => plan },
    {
      name: 'made',
      label: 'Made',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => <span class="nowrap">{formatDay(created_at)}</span>,
    },
    {
      name: 'actions',
      label: 'Actions',
      isLabelUnseen: true,
      cell: (account) => (
        <div class="actions">
          <Button isSmall label={`Change plan of ${account.name}`} onClick={() => onMove(account)}>
            Change plan
          </Button>
        </div>
      ),
    },
  ];
}

function PlanDialog(props: {
  readonly account: Account;
  readonly plans: readonly Plan[];
  readonly onMoved: () => void;
  readonly onClose: () => void;
}) {
  const { account, plans, onMoved, onClose } = props;
  const [name, setName] = useState(account.plan);
  const chosen = plans.find((plan) => plan.name === name);
  const moving = useAction(async () => {
    await setPlan(account.id, name);
    onMoved();
    onClose();
  });
  return (
    <Dialog title={`The plan of ${account.name}`} onClose={onClose}>
      <SelectField
        label="Plan"
        value={name}
        choices={plans.map((plan) => ({ value: plan.name, label: plan.name }))}
        onInput={setName}
        hint="In force within 10 seconds, for requests that come from then on."
      />
      {chosen && <PlanFacts plan={chosen} />}
      {moving.problem && <ProblemNotice problem={moving.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          isDisabled={name === account.plan}
          busy={moving.isBusy && 'Changing …'}
          onClick={() => void moving.run()}
        >
          Change the plan
        </Button>
      </DialogActions>
    </Dialog>
  );
}
