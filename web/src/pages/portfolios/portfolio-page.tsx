import { useLocation } from 'preact-iso/router';
import { pathOfJob } from '../../api/batches.ts';
import {
  changePortfolio,
  deletePortfolio,
  pathOfPortfolio,
  priceRevaluation,
  readWatched,
  revalue,
  valuesOfPortfolio,
  workbookOfPortfolio,
  type PortfolioRun,
  type WatchedPortfolio,
} from '../../api/portfolios.ts';
import { useState } from 'preact/hooks';
import { useAction, usePolled } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice, Waiting } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import {
  formatCount,
  formatDay,
  formatMany,
  formatMoment,
  formatPct,
  formatUsd,
} from '../../parts/format.ts';
import { Figures, Page, Section } from '../../parts/page.tsx';
import { dateColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { ConfirmButton, RetryButton } from '../batches/batch-actions.tsx';
import { StatusBadge } from '../batches/job-words.tsx';
import { AlertList } from './alert-list.tsx';
import { HomeList } from './home-list.tsx';
import { RuleFields, useRules } from './rule-fields.tsx';
import { rulesInWords } from './rules-in-words.ts';

const POLL_MS = 2000;

function isRunning({ runs }: WatchedPortfolio): boolean {
  return runs.some(({ compared_at: at }) => at === null);
}

/** A portfolio: its alerts, runs and homes. */
export function PortfolioPage({ id }: { readonly id: string }) {
  const { route } = useLocation();
  const polled = usePolled(
    (signal) => readWatched(id, signal),
    (portfolio) => (portfolio && !isRunning(portfolio) ? null : POLL_MS),
    [id],
  );
  const { data: portfolio, problem, reload } = polled;
  return (
    <Page
      title={portfolio?.name ?? 'Portfolio'}
      lead={<a href={pathOfPortfolio('')}>All portfolios</a>}
      isWide
      actions={
        portfolio && (
          <>
            <RetryButton
              label="Value now …"
              title={`Value ${formatMany(portfolio.properties, 'home')} now?`}
              action="Value now"
              busy="Starting …"
              price={(signal) => priceRevaluation(id, signal)}
              retry={async () => {
                await revalue(id);
                reload();
              }}
            >
              All homes as of today, in a new batch. The alerts then compare it with the run before.
            </RetryButton>
            <a class="button" href={valuesOfPortfolio(id)} download={`${portfolio.name}.csv`}>
              Download CSV
            </a>
            <a class="button" href={workbookOfPortfolio(id)} download>
              Download Excel
            </a>
            <SettingsButton portfolio={portfolio} onChanged={reload} />
            <ConfirmButton
              label="Stop watching …"
              title="Stop watching this portfolio?"
              action="Stop watching"
              busy="Deleting …"
              act={async () => {
                await deletePortfolio(id);
                route(pathOfPortfolio(''));
              }}
            >
              The portfolio is deleted with its alerts. Its batches and valuations stay.
            </ConfirmButton>
          </>
        )
      }
    >
      {portfolio === null && problem === null && <Waiting for="Loading the portfolio" />}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {portfolio && <PortfolioBody portfolio={portfolio} onChanged={reload} />}
    </Page>
  );
}

function PortfolioBody(props: { readonly portfolio: WatchedPortfolio; readonly onChanged: () => void }) {
  const { portfolio, onChanged } = props;
  const { properties, problem, runs, totals } = portfolio;
  const { repeats = 0 } = totals;
  const compared = runs.find(({ compared_at: at }) => at !== null)?.run ?? 0;
  return (
    <>
      <div class="stack">
        <Figures
          figures={[
            {
              label: 'Homes',
              value: formatCount(properties),
              note:
                totals.valued + repeats < properties &&
                `${formatCount(totals.valued + repeats)} with a value`,
            },
            {
              label: 'Total value',
              value: formatUsd(totals.estimated_value),
              note: repeats > 0 && `of ${formatMany(totals.valued, 'different home')}`,
            },
            {
              label: 'Loan balance',
              value: formatUsd(totals.loan_balance),
              note:
                totals.loan_balance > totals.loan_balance_valued &&
                `${formatUsd(totals.loan_balance_valued)} on homes with a value`,
            },
            {
              label: 'Loan to value',
              value: formatPct(totals.ltv_pct),
              note: 'of homes with a loan',
            },
          ]}
        />
        {repeats > 0 && (
          <Notice>
            {formatMany(repeats, 'entry', 'entries')} {repeats === 1 ? 'repeats a home' : 'repeat homes'} that
            the portfolio has already, such as a second loan. The totals count the value of each home once,
            and all loan balances. The LTV of each entry below is of its own balance only.
          </Notice>
        )}
        <p>{rulesInWords(portfolio)}</p>
        <p class="quiet small">
          To replace the loan balances, add new loans and remove those that are gone,{' '}
          <a href="/console/batches/new">value the new file</a>, press “Watch these homes …” on its page and
          choose this portfolio. To send alerts to your software, an administrator adds a receiver under{' '}
          <a href="/console/batches">Batches</a>, Deliveries.
        </p>
        {problem && (
          <Notice kind="error" title="A run that was due could not begin.">
            <p>{problem} It is tried again every hour.</p>
          </Notice>
        )}
        {isRunning(portfolio) && <Notice>Run {runs[0].run} is being valued and compared.</Notice>}
      </div>
      <AlertList portfolio={portfolio} compared={compared} onChanged={onChanged} />
      {runs.length > 0 && (
        <Section title="Runs">
          <Table caption="Runs" columns={RUN_COLUMNS} rows={runs} keyOf={({ run }) => run} />
        </Section>
      )}
      <HomeList portfolio={portfolio} compared={compared} onChanged={onChanged} />
    </>
  );
}

function SettingsButton(props: { readonly portfolio: WatchedPortfolio; readonly onChanged: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Settings …</Button>
      {isOpen && <SettingsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function SettingsDialog(props: {
  readonly portfolio: WatchedPortfolio;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const { portfolio, onChanged, onClose } = props;
  const { portfolio_id: id, name, revalue_every: every, alerts } = portfolio;
  const textOf = (limit: number | null): string => (limit === null ? '' : String(limit));
  const rules = useRules({
    name,
    every,
    change: textOf(alerts.change_pct),
    isOutside: alerts.outside_range,
    ltv: textOf(alerts.ltv_pct),
    miles: textOf(alerts.sold_within_mi),
  });
  const saving = useAction(async () => {
    await changePortfolio(id, rules.body);
    onChanged();
    onClose();
  });
  return (
    <FormDialog
      title="Settings of the portfolio"
      action="Save"
      busy="Saving …"
      isDisabled={!rules.isValid}
      doing={saving}
      onClose={onClose}
    >
      <RuleFields rules={rules} doing={saving} />
    </FormDialog>
  );
}

const CAUSES: Readonly<Record<PortfolioRun['cause'], string>> = {
  created: 'the portfolio was created',
  requested: 'requested',
  model: 'another model',
  data: 'newer data',
};

const RUN_COLUMNS: readonly Column<PortfolioRun>[] = [
  {
    label: 'Run',
    isRowHeader: true,
    cell: ({ run, job_id: job }) => <a href={pathOfJob(job)}>{run}</a>,
  },
  dateColumn('As of', ({ as_of_date: day }) => day, formatDay),
  { label: 'Cause', cell: ({ cause }) => CAUSES[cause] },
  { label: 'Status', cell: ({ status, failed }) => <StatusBadge job={{ status, failed }} /> },
  numberColumn('Valued', ({ valued }) => valued),
  numberColumn('Without value', ({ failed }) => failed),
  numberColumn('Alerts', ({ alerts }) => alerts),
  numberColumn('Credits', ({ credits_used: credits }) => credits),
  dateColumn('Compared', ({ compared_at: at }) => at, formatMoment),
];
