import { listPlans, type Plan } from '../../api/account.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded, Badge, Notice } from '../../parts/basics.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { summaryOfScopes } from '../keys/scope-choices.ts';

export default function PlansPage() {
  const { session } = useSession();
  const plans = useRequest(listPlans, []);
  const own = session.account.plan;
  return (
    <Page
      title="Plans"
      lead="What an account may use: operations, request limits, credits per month and batches."
    >
      <WhenLoaded of={plans} waiting="Loading the plans">
        {(all) => (
          <>
            <OwnPlan plan={all.find(({ name }) => name === own)} name={own} />
            {session.is_operator && (
              <Section
                title="All plans"
                lead={
                  <>
                    Define your own plans in the file that the setting <code>PLANS</code> names:{' '}
                    <a href="/docs/operations/accounts" target="_self">
                      accounts, plans, limits and credits
                    </a>
                    .
                  </>
                }
              >
                <Table caption="All plans" columns={columnsFor(own)} rows={all} keyOf={({ name }) => name} />
              </Section>
            )}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function OwnPlan({ plan, name }: { readonly plan: Plan | undefined; readonly name: string }) {
  if (!plan) {
    return (
      <Notice kind="warn">
        This server does not know your account’s plan “{name}”. The operator can find the reason with{' '}
        <code>plumbline accounts check</code>.
      </Notice>
    );
  }
  return (
    <Section
      title={`Your plan: ${plan.name}`}
      lead="Limits apply to all keys of the account and this console together."
    >
      <div class="card">
        <PlanFacts plan={plan} />
      </div>
    </Section>
  );
}

/** What a plan includes. */
export function PlanFacts({ plan }: { readonly plan: Plan }) {
  const perKey = ratesOf(plan.requests_per_key);
  return (
    <Facts
      facts={[
        ['Operations', plan.endpoints.includes('*') ? 'all' : plan.endpoints.map(asCode)],
        ['Requests', ratesOf(plan.requests)],
        ['Requests per key', perKey !== NO_LIMIT && perKey],
        ['Credits per month', creditsOf(plan)],
        ['Batches', batchesOf(plan)],
      ]}
    />
  );
}

function asCode(scope: string) {
  return (
    <span key={scope}>
      <code>{scope}</code>{' '}
    </span>
  );
}

const NO_LIMIT = 'no limit';

function ratesOf({ per_second, per_minute, per_day }: Plan['requests']): string {
  const parts = [
    per_second !== null && `${formatCount(per_second)} per second`,
    per_minute !== null && `${formatCount(per_minute)} per minute`,
    per_day !== null && `${formatCount(per_day)} per day`,
  ].filter(Boolean);
  return parts.length === 0 ? NO_LIMIT : parts.join(', ');
}

function creditsOf({ credits_per_month: credits }: Plan): string {
  return credits === null ? NO_LIMIT : formatCount(credits);
}

function batchesOf({ batch, open_jobs, batch_items_per_day: items }: Plan): string {
  if (!batch) return 'not included';
  return [
    'included',
    open_jobs !== null && `${formatMany(open_jobs, 'job')} at a time`,
    items !== null && `${formatMany(items, 'item')} per day`,
  ]
    .filter(Boolean)
    .join(', ');
}

function columnsFor(own: string): Column<Plan>[] {
  return [
    {
      label: 'Plan',
      isRowHeader: true,
      cell: ({ name }) => (
        <>
          {name} {name === own && <Badge kind="ok">yours</Badge>}
        </>
      ),
    },
    { label: 'Operations', cell: ({ endpoints }) => summaryOfScopes(endpoints) },
    { label: 'Requests', cell: ({ requests }) => ratesOf(requests) },
    { label: 'Credits per month', isNumber: true, cell: creditsOf },
    { label: 'Batches', cell: batchesOf },
  ];
}
