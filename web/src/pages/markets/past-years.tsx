import { useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../src/domain/valuation-kind.ts';
import {
  backtestSalesOf,
  readMarketBacktest,
  readOfferedBacktest,
  requestBacktest,
  type Market,
  type OfferedBacktest,
  type SavedBacktest,
} from '../../api/markets.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Badge, Button, EmptyState, Notice, WhenLoaded } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import {
  formatAgo,
  formatCount,
  formatDay,
  formatMany,
  formatPercent,
  UNKNOWN,
  withReadableDates,
} from '../../parts/format.ts';
import { saveCsv } from '../../parts/save-csv.ts';
import { numberColumn, Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { stratumColumns, stratumFileRow } from './estimate-plots.tsx';
import { percentWithInterval, sampleWords, TYPE_NAMES } from './words.ts';

interface PastYearsProps {
  readonly market: Market;
  readonly kind: ValuationKind;
  readonly onChanged: () => void;
}

/** The saved backtest of a market by year and type, and a button that queues another one. */
export function PastYears({ market, kind, onChanged }: PastYearsProps) {
  const { session } = useSession();
  const isRunning = market.work.some(({ task, state }) => task === 'backtest' && state !== 'lost');
  const asked = useRequest(
    (signal) => readMarketBacktest(market.id, kind, signal),
    [market.id, kind, isRunning],
  );
  const [isAsking, setAsking] = useState(false);
  const { many } = sampleWords(kind);
  return (
    <WhenLoaded of={asked} waiting="Loading the backtest">
      {(backtest) => (
        <div class="stack">
          <div class="section-head">
            <h3>{titleOf(kind)}</h3>
            {session.is_operator && (
              <Button isDisabled={isRunning} onClick={() => setAsking(true)}>
                {isRunning ? 'Backtest queued or running' : 'Run a backtest …'}
              </Button>
            )}
          </div>
          {isAsking && (
            <BacktestDialog
              market={market.id}
              kind={kind}
              saved={backtest.saved}
              onDone={() => {
                setAsking(false);
                onChanged();
              }}
              onClose={() => setAsking(false)}
            />
          )}
          {backtest.ended?.failure && (
            <Notice
              kind="warn"
              title={`The last backtest ended without a result ${formatAgo(backtest.ended.ended_at, new Date())}`}
            >
              {withReadableDates(backtest.ended.failure)}
            </Notice>
          )}
          {backtest.saved ? (
            <Saved saved={backtest.saved} market={market.id} kind={kind} />
          ) : (
            <EmptyState title="No backtest is saved.">
              <p>
                A backtest trains the model again for each past month and values the {many} of that month with
                what was known before them. The result is shown here by year and type, next to baselines such
                as the median of the nearest ten {many}.
              </p>
              <p>
                {isRunning
                  ? 'A backtest of this market is queued or running. Its progress is at the top of the page.'
                  : 'An administrator can run one here.'}
              </p>
            </EmptyState>
          )}
        </div>
      )}
    </WhenLoaded>
  );
}

interface SavedProps {
  readonly saved: SavedBacktest;
  readonly market: string;
  readonly kind: ValuationKind;
}

type YearRow = SavedBacktest['years'][number] & { readonly year: string; readonly type: string };

function Saved({ saved, market, kind }: SavedProps) {
  const [shownType, setType] = useState('all');
  const { one, many } = sampleWords(kind);
  const rows = saved.years.map((stratum): YearRow => {
    const [year = '', type = 'all'] = stratum.key.split(' ');
    return { ...stratum, year, type };
  });
  const types = rows.filter(({ year }) => year === 'all').sort((a, b) => b.n - a.n);
  return (
    <>
      <div class="section-head">
        <p class="quiet small">
          {formatMany(saved.tested, one)} of {formatDay(saved.from)} to {formatDay(saved.to)}, valued on{' '}
          {formatDay(saved.saved_at)} by {formatMany(saved.trainings, 'training')} (
          {withReadableDates(saved.protocol)}). No value uses its own {one} or anything recorded later.{' '}
          {flaggedWords(saved.flagged, one)} Brackets show 95% confidence intervals. A COD, PRD, PRB or VEI is
          marked if its whole interval is outside of the range that <i>Uniformity and equity</i> lists for the
          type.
        </p>
        <div class="row filters">
          {types.length > 2 && (
            <SelectField
              label={`${many === 'sales' ? 'Sales' : 'Listings'} of`}
              value={shownType}
              choices={types.map(({ type, n }) => ({
                value: type,
                label: `${typeName(type)} (${formatMany(n, one)})`,
              }))}
              onInput={setType}
            />
          )}
          <Button isSmall onClick={() => saveCsv(`${market}-${kind}-by-year.csv`, rows.map(fileRow))}>
            Download figures
          </Button>
          <a class="button small" href={backtestSalesOf(market, kind)} download>
            Download {many}
          </a>
        </div>
      </div>
      <Table
        caption="Figures by year"
        columns={[YEAR, ...stratumColumns<YearRow>(kind, saved.equity)]}
        rows={rows.filter(({ type }) => type === shownType)}
        keyOf={({ key }) => key}
      />
      {saved.methods.length > 1 && (
        <>
          <h3>Comparison with baselines</h3>
          <Table
            caption="The model and baselines"
            columns={METHOD_COLUMNS}
            rows={saved.methods}
            keyOf={({ name }) => name}
          />
        </>
      )}
    </>
  );
}

function flaggedWords(flagged: number, one: string): string {
  return flagged === 0
    ? ''
    : `The table leaves out ${formatMany(flagged, one)} that the market flags; the file and the comparison with baselines have them, too.`;
}

const typeName = (type: string): string => (type === 'all' ? 'All types' : (TYPE_NAMES[type] ?? type));

function fileRow({ year, type, ...stratum }: YearRow) {
  return { year, type, ...stratumFileRow(stratum) };
}

const YEAR: Column<YearRow> = {
  label: 'Year',
  isRowHeader: true,
  cell: ({ year, is_small: isSmall }) => (
    <>
      {year === 'all' ? 'All years' : year} {isSmall && <Badge kind="warn">few</Badge>}
    </>
  ),
};

/** Each is described in docs/methods/measuring.md. */
const METHOD_NAMES: Readonly<Record<string, string>> = {
  plumbline: 'Plumbline',
  nearest10: 'Median per sq ft of the 10 nearest sales',
  nearest_10_same_bedrooms: 'Median rent of the 10 nearest listings with as many bedrooms',
  median_price_per_unit_24mo: 'Median price per unit of 24 months',
  hedonic_ridge: 'Hedonic regression (ridge)',
  plain_trees: 'Gradient boosting (GBM baseline)',
};

const METHOD_COLUMNS: readonly Column<SavedBacktest['methods'][number]>[] = [
  {
    label: 'Method',
    isRowHeader: true,
    isText: true,
    cell: ({ name }) => METHOD_NAMES[name] ?? name.replaceAll('_', ' '),
  },
  numberColumn('Valued', ({ n }) => n),
  {
    label: 'Median error',
    isNumber: true,
    sortBy: ({ mdape }) => mdape,
    cell: ({ mdape, mdape_ci95 }) =>
      percentWithInterval(mdape === null ? null : { figure: mdape, ci95: mdape_ci95 }),
  },
  numberColumn('Within 10%', ({ ppe10 }) => ppe10, formatPercent),
  numberColumn(
    'Median ratio',
    ({ median_ratio }) => median_ratio,
    (ratio) => ratio?.toFixed(3) ?? UNKNOWN,
  ),
  numberColumn('In the 90% range', ({ coverage_90 }) => coverage_90, formatPercent),
];

const titleOf = (kind: ValuationKind): string =>
  kind === 'rental' ? 'Accuracy over past years' : 'Ratio study over past years';

interface BacktestDialogProps {
  readonly market: string;
  readonly kind: ValuationKind;
  readonly saved: SavedBacktest | null;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function BacktestDialog(props: BacktestDialogProps) {
  const { market, kind } = props;
  const asked = useRequest((signal) => readOfferedBacktest(market, kind, signal), [market, kind]);
  return (
    <WhenLoaded of={asked} waiting="Looking for the years to offer">
      {(offered) => <DaysDialog {...props} offered={offered} />}
    </WhenLoaded>
  );
}

function DaysDialog(props: BacktestDialogProps & { readonly offered: OfferedBacktest }) {
  const { market, kind, saved, offered, onDone, onClose } = props;
  const { one, many } = sampleWords(kind);
  const [days, setDays] = useState({ from: offered.from, to: offered.to });
  const months = monthsOf(days);
  const doing = useAction(async () => {
    await requestBacktest(market, kind, days);
    onDone();
  });
  const tooEarly = fieldError(doing.problem, 'from');
  return (
    <FormDialog
      title={titleOf(kind)}
      action="Run"
      busy="Queuing …"
      doing={tooEarly ? { ...doing, problem: null } : doing}
      isDisabled={months < 1}
      onClose={onClose}
    >
      <p>
        Every {one} of the period is valued by a model that was trained before its month, with what was known
        the day before. The {many} before the first day are what the first model is trained on.
      </p>
      <TextField
        label="First day"
        type="date"
        value={days.from}
        isRequired
        error={tooEarly && withReadableDates(tooEarly)}
        onInput={(from) => setDays({ ...days, from })}
      />
      <TextField
        label="Last day"
        type="date"
        value={days.to}
        isRequired
        error={months < 1 ? 'Choose a last day that is not before the first.' : null}
        onInput={(to) => setDays({ ...days, to })}
      />
      {months >= 1 && <p>{durationWords(months, saved, offered.training_seconds)}</p>}
      {saved && <p>The result replaces the saved one of {formatDay(saved.saved_at)}.</p>}
    </FormDialog>
  );
}

/** Months that are at least partly in the period; less than 1 if a day is missing, or the last one is before the first. */
function monthsOf({ from, to }: { readonly from: string; readonly to: string }): number {
  if (from === '' || to < from) return 0;
  const monthOf = (day: string): number => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7));
  return monthOf(to) - monthOf(from) + 1;
}

/**
 * Milwaukee: 48 months with baselines took 10 minutes, a whole training 31 seconds (docs/methods/speed.md). A market with
 * rents needs less, because they are trained, too.
 */
const MONTH_OF_TRAINING = 0.4;

function durationWords(months: number, saved: SavedBacktest | null, training: number | null): string {
  const wait = 'Imports and other trainings wait until it has ended.';
  const trainings = `It trains ${formatMany(months, 'time')}.`;
  const perMonth = saved ? saved.seconds / saved.trainings : training && training * MONTH_OF_TRAINING;
  if (perMonth === null) {
    return `${trainings} Each takes less than half as long as a training of the market. ${wait}`;
  }
  const minutes = Math.max(1, Math.round((months * perMonth) / 60));
  const basis = saved
    ? `the saved one took ${formatMany(Math.max(1, Math.round(saved.seconds / 60)), 'minute')} for ${formatCount(saved.trainings)}`
    : `the last training of the market took ${formatCount(training)} seconds, and each of these takes less than half of that`;
  const time = minutes < 120 ? formatMany(minutes, 'minute') : formatMany(Math.round(minutes / 60), 'hour');
  return `${trainings} Expect ${saved ? 'about' : 'at most'} ${time}: ${basis}. ${wait}`;
}
