import { useMemo } from 'preact/hooks';
import { pathOfFile, readPortfolio, splitChanges, type Portfolio } from '../../../api/batches.ts';
import { useRequest } from '../../../api/use-request.ts';
import { Notice, WhenLoaded } from '../../../parts/basics.tsx';
import {
  formatChangePct,
  formatChangeUsd,
  formatCount,
  formatDay,
  formatMany,
  formatMoment,
  formatUsd,
} from '../../../parts/format.ts';
import { Figures, Section } from '../../../parts/page.tsx';
import { numberColumn, Table, type Column } from '../../../parts/table.tsx';
import { holdingsOf, homesOf, pairsOf, sumOf, type Change, type Holding } from './figures.ts';
import { REFERENCE_AND_ADDRESS } from './properties.tsx';

/** Each pair takes two valuations, so a request has few. */
const PAIRS_A_REQUEST = 100;
const ROWS_SHOWN = 200;

/** What changed since the file was valued before, and why. */
export function Changes(props: {
  readonly holdings: readonly Holding[];
  readonly previous: NonNullable<Portfolio['previous']>;
}) {
  const { holdings, previous } = props;
  const changes = useRequest(
    async (signal) => {
      const earlier = homesOf(holdingsOf((await readPortfolio(previous.id, signal)).rows));
      const homes = homesOf(holdings);
      const pairs = pairsOf(homes, earlier);
      const changed = pairs.filter(({ value, before }) => value !== before);
      const found: Change[] = [];
      for (let at = 0; at < changed.length; at += PAIRS_A_REQUEST) {
        const some = changed.slice(at, at + PAIRS_A_REQUEST);
        const parts = await splitChanges(
          some.map((pair) => ({ before_id: pair.beforeId, after_id: pair.valuation_id })),
          signal,
        );
        found.push(...some.map((pair, i) => ({ ...pair, parts: parts[i] ?? null })));
      }
      return {
        changes: found,
        unchanged: pairs.length - found.length,
        added: homes.length - pairs.length,
        missing: earlier.length - pairs.length,
      };
    },
    [holdings, previous.id],
  );
  return (
    <Section
      title="Changes since the previous run"
      lead={
        <>
          Compared with <a href={pathOfFile(previous.id)}>the run of {formatMoment(previous.submitted_at)}</a>
          {previous.as_of_date !== null && `, as of ${formatDay(previous.as_of_date)}`}. Market: the change of
          the price index at the home. Comparables: what else the sales known to this run change, by the model
          of the previous run. Facts: other details of the homes. Model: the model of this run instead of that
          one. The parts add up to the change.
        </>
      }
    >
      <WhenLoaded of={changes} waiting="Splitting the changes into their causes">
        {(found) => <ChangesOf {...found} />}
      </WhenLoaded>
    </Section>
  );
}

interface Compared {
  /** Values that changed. */
  readonly changes: readonly Change[];
  readonly unchanged: number;
  /** Rows with a value in this run only, and in the previous run only. */
  readonly added: number;
  readonly missing: number;
}

function ChangesOf({ changes, unchanged, added, missing }: Compared) {
  const largest = useMemo(
    () => [...changes].sort((a, b) => Math.abs(b.value - b.before) - Math.abs(a.value - a.before)),
    [changes],
  );
  const explained = changes.flatMap(({ parts }) => parts ?? []);
  const before = sumOf(changes.map((change) => change.before));
  const after = sumOf(changes.map(({ value }) => value));
  const counts = [
    `${formatMany(changes.length, 'value')} changed, ${formatCount(unchanged)} did not.`,
    added > 0 &&
      `${formatMany(added, 'row')} without a value in the previous run ${added === 1 ? 'has' : 'have'} one now.`,
    missing > 0 &&
      `${formatMany(missing, 'row')} with a value in the previous run ${missing === 1 ? 'has' : 'have'} none now.`,
    changes.length > 0 && added + missing > 0 && 'The change below is of the homes that both runs valued.',
  ]
    .filter(Boolean)
    .join(' ');
  if (changes.length === 0) {
    return (
      <Notice>
        {counts} Values change when newer sales, price indexes, records or models are loaded, and with the
        as-of date.
      </Notice>
    );
  }
  return (
    <div class="stack">
      <p>{counts}</p>
      <Figures
        figures={[
          {
            label: 'Change',
            value: formatChangeUsd(after - before),
            note: before === 0 ? undefined : formatChangePct(100 * (after / before - 1)),
          },
          { label: 'Market', value: formatChangeUsd(sumOf(explained.map(({ market }) => market))) },
          {
            label: 'Comparables',
            value: formatChangeUsd(sumOf(explained.map(({ comparables }) => comparables))),
          },
          { label: 'Facts', value: formatChangeUsd(sumOf(explained.map(({ facts }) => facts))) },
          { label: 'Model', value: formatChangeUsd(sumOf(explained.map(({ model }) => model))) },
        ]}
      />
      {explained.length < changes.length && (
        <p class="quiet small">
          The causes of {formatCount(changes.length - explained.length)} changes are not known, because the
          model of the previous run or its data were deleted.
        </p>
      )}
      <Table
        caption="Changes, the largest first"
        columns={COLUMNS}
        rows={largest}
        rowsMax={ROWS_SHOWN}
        keyOf={({ row }) => row}
      />
      {largest.length > ROWS_SHOWN && (
        <p class="quiet small">
          {formatCount(ROWS_SHOWN)} of {formatMany(largest.length, 'change')} are shown. Sort the table to see
          others.
        </p>
      )}
    </div>
  );
}

function changeOf({ value, before }: Change): number {
  return value - before;
}

function changePctOf({ value, before }: Change): number | null {
  return before === 0 ? null : 100 * (value / before - 1);
}

const COLUMNS: readonly Column<Change>[] = [
  ...REFERENCE_AND_ADDRESS,
  numberColumn('Previous run', ({ before }) => before, formatUsd),
  numberColumn('This run', ({ value }) => value, formatUsd),
  {
    ...numberColumn('Change', changeOf, formatChangeUsd),
    cell: (change) => (
      <>
        {formatChangeUsd(changeOf(change))}
        <span class="quiet small second-line">{formatChangePct(changePctOf(change))}</span>
      </>
    ),
  },
  numberColumn('Market', ({ parts }) => parts?.market, formatChangeUsd),
  numberColumn('Comparables', ({ parts }) => parts?.comparables, formatChangeUsd),
  numberColumn('Facts', ({ parts }) => parts?.facts, formatChangeUsd),
  numberColumn('Model', ({ parts }) => parts?.model, formatChangeUsd),
];
