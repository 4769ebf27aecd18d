import { useState } from 'preact/hooks';
import {
  createAccount,
  listAccounts,
  listPlans,
  setPlan,
  type Account,
  type Plan,
} from '../../api/account.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { WhenLoaded, Badge, Button } from '../../parts/basics.tsx';
import { FormDialog, NameField } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { formatDay } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { actionsColumn, dateColumn, Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { PlanFacts } from '../plans/plans-page.tsx';

export default function AccountsPage() {
  const { session } = useSession();
  const [open, setOpen] = useState<Account | 'create' | null>(null);
  const both = useRequest(
    async (signal) => ({ accounts: await listAccounts(signal), plans: await listPlans(signal) }),
    [],
  );
  return (
    <Page
      title="Accounts"
      lead="Each account has its own keys, users, plan, credits and batches, and no access to other accounts."
      actions={
        <Button kind="primary" onClick={() => setOpen('create')}>
          Create account
        </Button>
      }
    >
      <WhenLoaded of={both} waiting="Loading the accounts">
        {({ accounts, plans }) => {
          const shared = { plans, onChanged: both.reload, onClose: () => setOpen(null) };
          return (
            <>
              <Table
                caption="Accounts"
                columns={columnsFor(session.account.id, setOpen)}
                rows={accounts}
                keyOf={({ id }) => id}
              />
              <p class="quiet small">
                Create the first user of an account on the server:{' '}
                <code>plumbline users create --account ID --name NAME --role administrator</code>
              </p>
              {open === 'create' && <CreateAccountDialog {...shared} />}
              {open !== null && open !== 'create' && <PlanDialog account={open} {...shared} />}
            </>
          );
        }}
      </WhenLoaded>
    </Page>
  );
}

function columnsFor(own: string, onMove: (account: Account) => void): Column<Account>[] {
  return [
    {
      label: 'Account',
      isRowHeader: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <>
          {name} {id === own && <Badge kind="ok">yours</Badge>}
        </>
      ),
    },
    { label: 'ID', sortBy: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
    { label: 'Plan', sortBy: ({ plan }) => plan, cell: ({ plan }) => plan },
    dateColumn('Created', ({ created_at }) => created_at, formatDay),
    actionsColumn((account) => (
      <Button isSmall label={`Change plan of ${account.name}`} onClick={() => onMove(account)}>
        Change plan
      </Button>
    )),
  ];
}

interface DialogOf {
  readonly plans: readonly Plan[];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function CreateAccountDialog({ plans, onChanged, onClose }: DialogOf) {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [plan, setPlanOf] = useState(plans[0]?.name ?? '');
  const creating = useAction(async () => {
    await createAccount({ id: id.trim(), name: name.trim(), plan });
    onChanged();
    onClose();
  });
  return (
    <FormDialog
      title="Create account"
      action="Create account"
      busy="Creating …"
      doing={creating}
      onClose={onClose}
    >
      <NameField value={name} onInput={setName} creating={creating} />
      <TextField
        label="ID"
        value={id}
        onInput={setId}
        isRequired
        maxLength={63}
        hint="Lowercase letters, digits and hyphens, such as acme-lending. Logs and commands use it. It cannot be changed."
        error={fieldError(creating.problem, 'id')}
      />
      <PlanField plans={plans} name={plan} onName={setPlanOf} />
    </FormDialog>
  );
}

function PlanDialog({ account, plans, onChanged, onClose }: DialogOf & { readonly account: Account }) {
  const [name, setName] = useState(account.plan);
  const changing = useAction(async () => {
    await setPlan(account.id, name);
    onChanged();
    onClose();
  });
  return (
    <FormDialog
      title={`Plan of ${account.name}`}
      action="Change plan"
      busy="Changing …"
      isDisabled={name === account.plan}
      doing={changing}
      onClose={onClose}
    >
      <PlanField plans={plans} name={name} onName={setName} hint="Takes effect within 10 seconds." />
    </FormDialog>
  );
}

function PlanField(props: {
  readonly plans: readonly Plan[];
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly hint?: string;
}) {
  const { plans, name, onName, hint } = props;
  const chosen = plans.find((plan) => plan.name === name);
  return (
    <>
      <SelectField
        label="Plan"
        value={name}
        choices={plans.map((plan) => ({ value: plan.name, label: plan.name }))}
        onInput={onName}
        hint={hint}
      />
      {chosen && <PlanFacts plan={chosen} />}
    </>
  );
}
