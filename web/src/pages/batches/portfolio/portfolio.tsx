import { useLocation } from 'preact-iso/router';
import { useMemo, useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import { fsdMeaning } from '../../../../../src/domain/confidence-level.ts';
import { readPortfolio, type Portfolio, type PortfolioRow } from '../../../api/batches.ts';
import { useRequest } from '../../../api/use-request.ts';
import { Notice, WhenLoaded } from '../../../parts/basics.tsx';
import { Labeled, SelectField } from '../../../parts/field.tsx';
import { formatCount, formatMany, formatPercent, formatShortUsd, formatUsd } from '../../../parts/format.ts';
import { Figures, Section } from '../../../parts/page.tsx';
import { Table, type Column } from '../../../parts/table.tsx';
import { messageOfField } from '../../value/words.ts';
import { listRows } from '../job-words.tsx';
import { Changes } from './changes.tsx';
import {
  acceptedByLimit,
  apartFromAssessed,
  assessmentRatiosOf,
  firstLimitPct,
  HIGH_LTV,
  holdingsOf,
  homesOf,
  sumOf,
  totalsOf,
  withinFsd,
  type Holding,
} from './figures.ts';
import { Histograms } from './histograms.tsx';
import { HoldingsMap } from './holdings-map.tsx';
import { NotValued, UnreadBalances } from './not-valued.tsx';
import { Properties } from './properties.tsx';

/** How far an assessed value is from the value, to list those that are farther. */
const APART_PCT = [0, 10, 20, 30, 50];

/** The values of a file as a portfolio: totals, accuracy, loan-to-value ratios, a map, and changes since the last run. */
export function PortfolioResults({ id, kind }: { readonly id: string; readonly kind: ValuationKind }) {
  const portfolio = useRequest((signal) => readPortfolio(id, signal), [id]);
  return (
    <WhenLoaded of={portfolio} waiting="Adding up the values">
      {(found) => <LoadedPortfolio portfolio={found} kind={kind} />}
    </WhenLoaded>
  );
}

function LoadedPortfolio({
  portfolio,
  kind,
}: {
  readonly portfolio: Portfolio;
  readonly kind: ValuationKind;
}) {
  const { rows, is_truncated: isTruncated, previous } = portfolio;
  const holdings = useMemo(() => holdingsOf(rows), [rows]);
  // In the address, so that they are the same after a visit to a valuation.
  const { path, query, route } = useLocation();
  const limitPct = Number(query.fsd) || firstLimitPct(holdings);
  const setQuery = (changed: Readonly<Record<string, string>>): void =>
    route(`${path}?${new URLSearchParams({ ...query, ...changed })}`, true);
  const sorting = query.sort ? { column: query.sort, isDescending: query.order === 'descending' } : null;
  if (holdings.length === 0) return <NotValued rows={rows} />;
  const accepted = withinFsd(holdings, limitPct / 100);
  const hasLoans = holdings.some(({ ltv }) => ltv !== null);
  const hasAssessed = holdings.some(({ assessedDifference: by }) => by !== null);
  const apartPct = hasAssessed ? Number(query.apart) || 0 : 0;
  const repeats = holdings.length - homesOf(holdings).length;
  const unit = kind === 'rental' ? 'Monthly rent' : 'Value';
  return (
    <>
      <Section title="Summary">
        <div class="stack">
          {isTruncated && (
            <Notice>
              The first {formatMany(rows.length, 'row')} are shown. The download has all of them.
            </Notice>
          )}
          <PortfolioFigures
            rows={rows}
            holdings={holdings}
            accepted={accepted}
            limitPct={limitPct}
            unit={unit}
            hasLoans={hasLoans}
          />
          <ValueWarnings warnings={portfolio.warnings} count={holdings.length} />
          <UnreadBalances rows={rows} />
          <RepeatedHomes count={repeats} />
          <Accuracy
            holdings={holdings}
            limitPct={limitPct}
            onLimit={(limit) => setQuery({ fsd: String(limit) })}
            hasLoans={hasLoans}
          />
          <Histograms holdings={holdings} unit={unit} hasLoans={hasLoans} hasAssessed={hasAssessed} />
          <HoldingsMap holdings={holdings} hasLoans={hasLoans} />
        </div>
      </Section>
      {previous !== null && kind === 'property' && <Changes holdings={holdings} previous={previous} />}
      <NotValued rows={rows} />
      <Section
        title="Properties"
        actions={
          hasAssessed && (
            <SelectField
              label="Assessed value"
              value={String(apartPct)}
              choices={APART_PCT.map((pct) => ({
                value: String(pct),
                label: pct === 0 ? 'All' : `More than ${pct}% above or below`,
              }))}
              onInput={(pct) => setQuery({ apart: pct })}
            />
          )
        }
      >
        <Properties
          holdings={apartFromAssessed(holdings, apartPct / 100)}
          columns={{ unit, hasLoans, hasAssessed, hasRepeats: repeats > 0, limit: limitPct / 100 }}
          sorting={sorting}
          showsAll={query.rows === 'all'}
          onShowAll={() => setQuery({ rows: 'all' })}
          onSorting={({ column, isDescending }) =>
            setQuery({ sort: column, order: isDescending ? 'descending' : 'ascending' })
          }
        />
      </Section>
    </>
  );
}

/** Why values are uncertain: the newest sale is old, a home has no comparable nearby. */
function ValueWarnings(props: { readonly warnings: Portfolio['warnings']; readonly count: number }) {
  const { warnings, count } = props;
  if (warnings.length === 0) return null;
  return (
    <Notice kind="warn" title="Notes on the values">
      <ul class="small">
        {warnings.map((warning) => (
          <li key={`${warning.code} ${warning.field}`}>
            {warning.count === count
              ? 'All values'
              : `${formatCount(warning.count)} of ${formatCount(count)} (${listRows(warning.rows, warning.count)})`}
            {warning.count === 1 || warning.count === count ? ': ' : ', such as: '}
            {messageOfField({ ...warning, message: warning.example })}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The FSD limit, and how many values other limits would accept. */
function Accuracy(props: {
  readonly holdings: readonly Holding[];
  readonly limitPct: number;
  readonly onLimit: (limitPct: number) => void;
  readonly hasLoans: boolean;
}) {
  const { holdings, limitPct, onLimit, hasLoans } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const homes = homesOf(holdings).length;
  const columns: readonly Column<ReturnType<typeof acceptedByLimit>[number]>[] = [
    { label: 'FSD at most', isRowHeader: true, cell: (step) => `${step.limitPct}%` },
    { label: 'Accepted', isNumber: true, cell: ({ within }) => formatCount(totalsOf(within).count) },
    {
      label: 'Share',
      isNumber: true,
      cell: ({ within }) => formatPercent(totalsOf(within).count / homes),
    },
    { label: 'Value', isNumber: true, cell: ({ within }) => formatShortUsd(totalsOf(within).value) },
    ...(hasLoans
      ? [
          {
            label: 'Balance',
            isNumber: true,
            cell: (step: { within: readonly Holding[] }) => formatShortUsd(totalsOf(step.within).balance),
          },
        ]
      : []),
  ];
  return (
    <div class="two-plots">
      <Labeled
        label="FSD at most (%)"
        hint={`Your limit for accepting a value. ${fsdMeaning('prices')} Values above the limit are marked in the table of properties.`}
      >
        {(attributes) => (
          <input
            {...attributes}
            class="input"
            type="number"
            min="1"
            max="100"
            step="0.5"
            value={typed ?? limitPct}
            onInput={({ currentTarget: { value } }) => {
              setTyped(value);
              // While the field is empty, the last limit stays.
              if (Number(value) > 0) onLimit(Number(value));
            }}
            onBlur={() => setTyped(null)}
          />
        )}
      </Labeled>
      <div>
        <p class="quiet small">Values accepted by other limits</p>
        <Table
          caption="Values accepted by other limits"
          columns={columns}
          rows={acceptedByLimit(holdings)}
          keyOf={(step) => step.limitPct}
        />
      </div>
    </div>
  );
}

function RepeatedHomes({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <Notice kind="warn">
      {formatMany(count, 'row')} {count === 1 ? 'repeats the home' : 'repeat the homes'} of earlier rows, such
      as a second loan. The totals count the value of each home once, and all balances. In the table, LTV is
      of the row’s own balance, and combined LTV is of all loans of the home. Sort it by address to see them.
    </Notice>
  );
}

function PortfolioFigures(props: {
  /** Also those without a value: their balances are exposure too. */
  readonly rows: readonly PortfolioRow[];
  readonly holdings: readonly Holding[];
  readonly accepted: readonly Holding[];
  readonly limitPct: number;
  readonly unit: string;
  readonly hasLoans: boolean;
}) {
  const { rows, holdings, accepted, limitPct, unit, hasLoans } = props;
  const assessments = assessmentRatiosOf(holdings);
  const all = totalsOf(holdings);
  const within = totalsOf(accepted);
  const high = homesOf(holdings).filter(({ combinedLtv: ltv }) => ltv !== null && ltv > HIGH_LTV).length;
  const repeats = holdings.length - all.count;
  return (
    <Figures
      figures={[
        {
          label: `Total ${unit.toLowerCase()}`,
          value: formatUsd(all.value),
          note: `${formatMany(all.count, 'property', 'properties')}${repeats > 0 ? ` in ${formatCount(holdings.length)} valued rows; ${formatMany(repeats, 'repeats a home', 'repeat a home')}` : ''}`,
        },
        { label: `Median ${unit.toLowerCase()}`, value: formatUsd(all.median) },
        {
          label: `FSD at most ${limitPct}%`,
          value: formatPercent(within.count / all.count),
          note: `${formatMany(within.count, 'property', 'properties')}, ${formatUsd(within.value)} in total`,
        },
        ...(hasLoans
          ? [
              {
                label: 'Total balance',
                value: formatUsd(sumOf(rows.map(({ balance }) => balance ?? 0))),
                note: `${formatUsd(all.balance)} on valued homes`,
              },
              {
                label: 'LTV of the valued loans',
                value: formatPercent(all.ltv),
                note: 'balances as a share of the values of homes with a loan',
              },
              {
                label: 'LTV above 80%',
                value: formatCount(high),
                note: `${high === 1 ? 'property' : 'properties'}; all loans of a home together`,
              },
            ]
          : []),
        ...(assessments ? assessmentFigures(assessments) : []),
      ]}
    />
  );
}

function assessmentFigures({
  assessed,
  assessedUsd,
  ratio,
  medianRatio,
  codPct,
}: NonNullable<ReturnType<typeof assessmentRatiosOf>>) {
  const apart = apartFromAssessed(assessed, 0.2).length;
  return [
    {
      label: 'Total assessed value',
      value: formatUsd(assessedUsd),
      note: `${formatPercent(ratio)} of the values of ${formatMany(assessed.length, 'property', 'properties')}`,
    },
    {
      label: 'Median ratio',
      value: formatPercent(medianRatio),
      note: `assessed value as a share of the value; COD ${formatCount(codPct)}`,
    },
    {
      label: 'Assessed more than 20% away',
      value: formatCount(apart),
      note: `${apart === 1 ? 'property' : 'properties'}, above or below the value`,
    },
  ];
}
