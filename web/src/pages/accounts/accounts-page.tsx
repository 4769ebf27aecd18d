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
import { FormDialog, NameField, SecretDialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { formatDay } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { actionsColumn, dateColumn, Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { PlanFacts } from '../plans/plans-page.tsx';
import { createPassword } from '../users/create-password.ts';
import { LimitsDialog, limitsInWords } from './limits-dialog.tsx';

export default function AccountsPage() {
  const { session } = useSession();
  const [open, setOpen] = useState<'create' | OpenDialog | null>(null);
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
                Create the first user with the account. Later, on the server:{' '}
                <code>plumbline users create --account ID --name NAME --role administrator</code>
              </p>
              {open === 'create' && <CreateAccountDialog {...shared} />}
              {open !== null && open !== 'create' && open.change === 'plan' && (
                <PlanDialog account={open.account} {...shared} />
              )}
              {open !== null && open !== 'create' && open.change === 'limits' && (
                <LimitsDialog account={open.account} {...shared} />
              )}
            </>
          );
        }}
      </WhenLoaded>
    </Page>
  );
}

interface OpenDialog {
  readonly account: Account;
  readonly change: 'plan' | 'limits';
}

function columnsFor(own: string, onOpen: (open: OpenDialog) => void): Column<Account>[] {
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
    {
      label: 'Plan',
      sortBy: ({ plan }) => plan,
      cell: ({ plan, limits }) => (
        <>
          {plan}
          {limits && <div class="quiet small">{limitsInWords(limits)}</div>}
        </>
      ),
    },
    dateColumn('Created', ({ created_at }) => created_at, formatDay),
    actionsColumn((account) => (
      <>
        <Button
          isSmall
          label={`Change plan of ${account.name}`}
          onClick={() => onOpen({ account, change: 'plan' })}
        >
          Change plan
        </Button>
        <Button
          isSmall
          label={`Change limits of ${account.name}`}
          onClick={() => onOpen({ account, change: 'limits' })}
        >
          Change limits
        </Button>
      </>
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
  const [userName, setUserName] = useState('');
  const [password] = useState(createPassword);
  const [isCreated, setCreated] = useState(false);
  const creating = useAction(async () => {
    const first = userName.trim();
    await createAccount({
      id: id.trim(),
      name: name.trim(),
      plan,
      ...(first === '' ? {} : { first_user: { name: first, password } }),
    });
    onChanged();
    if (first === '') onClose();
    else setCreated(true);
  });
  if (isCreated) {
    return (
      <SecretDialog
        title={`Account ${name.trim()} created`}
        secret={password}
        what="the password"
        advice={`Give ${userName.trim()} this password.`}
        onClose={onClose}
      >
        <p class="quiet small">Users can change their password under “Your account”.</p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title="Create account"
      action="Create account"
      busy="Creating …"
      doing={creating}
      onClose={onClose}
      // If it closed now, nobody would see the password.
      hasSecret={creating.isBusy}
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
      <TextField
        label="First user (optional)"
        value={userName}
        onInput={setUserName}
        maxLength={100}
        autoComplete="off"
        hint="Name of an administrator of the account, such as an email address. A password is generated and shown once."
        error={fieldError(creating.problem, 'first_user')}
      />
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
