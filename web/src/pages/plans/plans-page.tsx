import { listPlans, type Plan } from '../../api/administration.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { formatCount } from '../../parts/format.ts';
import { Badge, Notice } from '../../parts/notice.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { batchesOf, operationsOf, PlanFacts, ratesOf } from './plan-facts.tsx';

export default function PlansPage() {
  const { session } = useSession();
  const plans = useAnswer(listPlans, []);
  const own = session.account.plan;
  return (
    <Page
      title="Plans"
      lead="What an account may use: operations, requests in a time, credits a month, batches."
    >
      <Answered asked={plans} waiting="Reading the plans">
        {(all) => (
          <>
            <OwnPlan plan={all.find(({ name }) => name === own)} name={own} />
            {session.is_operator && (
              <Section
                title="All plans"
                lead={
                  <>
                    Plans of your own stand in the file that <code>PLANS</code> names.{' '}
                    <a href="/docs/operations/accounts" target="_self">
                      Accounts, plans, limits, credits
                    </a>
                  </>
                }
              >
                <Table caption="All plans" columns={columnsFor(own)} rows={all} keyOf={({ name }) => name} />
              </Section>
            )}
          </>
        )}
      </Answered>
    </Page>
  );
}

function OwnPlan({ plan, name }: { readonly plan: Plan | undefined; readonly name: string }) {
  if (!plan) {
    return (
      <Notice kind="warn">
        Your account is on the plan “{name}”, which this server does not know. Whoever runs it finds the
        reason with <code>plumbline accounts check</code>.
      </Notice>
    );
  }
  return (
    <Section
      title={`Yours: ${plan.name}`}
      lead="Limits count all keys of the account and this console together."
    >
      <div class="card">
        <PlanFacts plan={plan} />
      </div>
    </Section>
  );
}

function columnsFor(own: string): Column<Plan>[] {
  return [
    {
      name: 'name',
      label: 'Plan',
      isRowHeader: true,
      cell: ({ name }) => (
        <>
          {name} {name === own && <Badge kind="ok">yours</Badge>}
        </>
      ),
    },
    { name: 'operations', label: 'Operations', cell: operationsOf },
    { name: 'requests', label: 'Requests', cell: ({ requests }) => ratesOf(requests) },
    {
      name: 'credits',
      label: 'Credits a month',
      isNumber: true,
      cell: (plan) => (plan.credits_per_month === null ? 'no cap' : formatCount(plan.credits_per_month)),
    },
    { name: 'batches', label: 'Batches', cell: batchesOf },
  ];
}
