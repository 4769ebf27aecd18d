import { useState } from 'preact/hooks';
import { hasEnded } from '../../api/batches.ts';
import {
  cancelSweep,
  listSweeps,
  priceSweep,
  submitSweep,
  valuesOfSweep,
  type Market,
  type Sweep,
} from '../../api/markets.ts';
import { useAction, usePolled, useRequest } from '../../api/use-request.ts';
import { Button, EmptyState, ProblemNotice, Waiting, WhenLoaded } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatCount, formatDay, formatMany, formatMoment } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { numberColumn, Table, type Column } from '../../parts/table.tsx';
import { ConfirmButton, MaximumCost } from '../batches/batch-actions.tsx';
import { BatchProgress } from '../batches/batch-progress.tsx';
import { failureWords, StatusBadge } from '../batches/job-words.tsx';
import { todayOf } from '../value/as-of-days.ts';
import { rowsOf } from './words.ts';

const POLL_MS = 2000;

/** The values of all parcels of a market (sweeps): start one, see its progress, and download its values. */
export function ParcelValues({ market }: { readonly market: Market }) {
  const { id } = market;
  const [isAsking, setAsking] = useState(false);
  const sweeps = usePolled(
    (signal) => listSweeps(id, signal),
    (found) => (found?.every(hasEnded) ? null : POLL_MS),
    [id],
  );
  const parcels = rowsOf(market, 'parcels') ?? 0;
  const lack = lackOf(market, parcels);
  return (
    <Section
      title="Values of all parcels"
      anchor="parcel-values"
      lead="Values every parcel of the market’s property records as of one date, for a roll, an analysis or a map. The file has a value, its 90% prediction range and its FSD for each parcel ID."
      actions={
        <Button isDisabled={lack !== null} onClick={() => setAsking(true)}>
          Value all parcels …
        </Button>
      }
    >
      {lack === null ? (
        <p class="quiet small">
          To compare values with assessed values, value a file with a column of them under{' '}
          <a href="/console/batches/new">Batches</a>.
        </p>
      ) : (
        <p class="quiet">{lack}</p>
      )}
      <WhenLoaded of={sweeps} waiting="Loading the values of all parcels">
        {(found) =>
          found.length === 0 ? (
            lack === null && <EmptyState title="The parcels were not valued together yet." />
          ) : (
            <Table
              caption="Values of all parcels, newest first"
              columns={columnsOf(sweeps.reload)}
              rows={found}
              keyOf={({ sweep_id }) => sweep_id}
            />
          )
        }
      </WhenLoaded>
      {isAsking && (
        <SweepDialog
          market={id}
          parcels={parcels}
          onStarted={() => {
            setAsking(false);
            sweeps.reload();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

/** Why the parcels cannot be valued; null if they can. */
function lackOf({ models }: Market, parcels: number): string | null {
  if (parcels === 0) return 'The market has no parcels. Import its property records first.';
  if (models.some(({ kind }) => kind === 'property')) return null;
  return 'The market has no model of home values. Train it first.';
}

function SweepDialog(props: {
  readonly market: string;
  readonly parcels: number;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}) {
  const { market, parcels, onStarted, onClose } = props;
  const today = todayOf(new Date());
  const [date, setDate] = useState(today);
  const isDate = date !== '' && date <= today;
  // Also finds out whether a model is old enough for the date.
  const credits = useRequest(
    async (signal) => (isDate ? priceSweep({ market, date }, signal) : null),
    [market, date],
  );
  const starting = useAction(async () => {
    await submitSweep({ market, date });
    onStarted();
  });
  return (
    <FormDialog
      title="Value all parcels"
      action="Value all parcels"
      busy="Starting …"
      isDisabled={credits.data === null || credits.isLoading}
      doing={starting}
      onClose={onClose}
    >
      <TextField
        label="As-of date"
        type="date"
        value={date}
        isRequired
        hint="Values use only sales and models known on this date, such as January 1 of the tax year."
        error={isDate ? null : 'Choose a date that is not in the future.'}
        onInput={setDate}
      />
      <p>
        {formatMany(parcels, 'parcel')}, each valued from its record. You may leave the page meanwhile.
        Batches come first.
      </p>
      {credits.isLoading && <Waiting for="Loading the cost" />}
      {credits.data !== null && <MaximumCost credits={credits.data} />}
      {credits.problem && <ProblemNotice problem={credits.problem} />}
    </FormDialog>
  );
}

function unvaluedOf({ errors }: Sweep): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0);
}

function columnsOf(onChange: () => void): readonly Column<Sweep>[] {
  return [
    {
      label: 'As of',
      isRowHeader: true,
      cell: ({ as_of_date: day, created_at: at }) => (
        <>
          <span class="nowrap">{formatDay(day)}</span>
          <div class="quiet small nowrap">started {formatMoment(at)}</div>
        </>
      ),
    },
    {
      label: 'Status',
      cell: (sweep) =>
        hasEnded(sweep) ? (
          <StatusBadge job={{ status: sweep.status, failed: unvaluedOf(sweep) }} />
        ) : (
          <BatchProgress
            of={{ completed: sweep.valued, failed: unvaluedOf(sweep), cancelled: 0, total: sweep.parcels }}
            isQueued={sweep.status === 'queued'}
          />
        ),
    },
    numberColumn('Parcels', ({ parcels }) => parcels),
    numberColumn('Valued', ({ valued }) => valued),
    {
      label: 'Without a value',
      isText: true,
      cell: (sweep) => <Unvalued errors={sweep.errors} />,
    },
    {
      label: 'Values',
      cell: (sweep) =>
        hasEnded(sweep) ? (
          <Downloads sweep={sweep} />
        ) : (
          <ConfirmButton
            label="Cancel …"
            kind="danger"
            title="Stop valuing the parcels?"
            action="Stop"
            busy="Stopping …"
            act={async () => {
              await cancelSweep(sweep.sweep_id);
              onChange();
            }}
          >
            Parcels that are valued by then keep their values, which you can download. The others cost
            nothing.
          </ConfirmButton>
        ),
    },
  ];
}

function Unvalued({ errors }: Pick<Sweep, 'errors'>) {
  const groups = Object.entries(errors).toSorted(([, a], [, b]) => b - a);
  if (groups.length === 0) return <>0</>;
  return (
    <>
      {groups.map(([code, count]) => (
        <div key={code} class="small">
          {formatCount(count)}: {failureWords(code).title.toLowerCase()}
        </div>
      ))}
    </>
  );
}

function Downloads({ sweep }: { readonly sweep: Sweep }) {
  const { sweep_id: id, market, as_of_date: day } = sweep;
  return (
    <div class="row">
      {(['csv', 'parquet'] as const).map((format) => (
        <a
          key={format}
          class="button small"
          href={valuesOfSweep(id, format)}
          download={`${market}-values-${day}.${format}`}
        >
          {format === 'csv' ? 'CSV' : 'Parquet'}
        </a>
      ))}
    </div>
  );
}
