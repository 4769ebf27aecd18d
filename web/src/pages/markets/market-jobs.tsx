import { useState } from 'preact/hooks';
import {
  cancelMarketJob,
  listMarketHistory,
  rejectedRowsOfJob,
  type MarketJob,
  type MarketWork,
} from '../../api/markets.ts';
import { useAction } from '../../api/use-request.ts';
import { Badge, Button, EmptyState } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { formatCount, formatDay, formatMoment, withReadableDates } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { MODEL_NAMES, workTitle } from './words.ts';

/** Imports, trainings and backtests of a market: who started them, and what came of them. */
export function MarketJobs({
  market,
  work,
}: {
  readonly market: string;
  readonly work: readonly MarketWork[];
}) {
  const [ending, setEnding] = useState<MarketJob | null>(null);
  const [cancelled, setCancelled] = useState(0);
  const list = useList<MarketJob>(
    async (cursor, signal) => {
      const { jobs, next_cursor } = await listMarketHistory(market, cursor, signal);
      return { rows: jobs, next_cursor };
    },
    // The list is read again when a job is queued, begins or ends.
    [market, work.map(({ task, state }) => `${task} ${state}`).join(), cancelled],
  );
  return (
    <Section
      title="History"
      anchor="history"
      lead="Imports of the console, and trainings and backtests that were queued, newest first. Results are kept for 30 days by default. The audit log keeps imports and trainings of the command line, too."
    >
      <div class="stack">
        {list.rows.length > 0 && (
          <Table
            caption="History"
            columns={columnsOf({ market, work, onCancel: setEnding })}
            rows={list.rows}
            keyOf={({ id }) => id}
          />
        )}
        {list.rows.length === 0 && !list.isLoading && !list.problem && (
          <EmptyState title="Nothing was imported or trained here lately." />
        )}
        <ShowMore list={list} waiting="Loading the history" />
        {ending && (
          <CancelDialog
            market={market}
            job={ending}
            onDone={() => {
              setEnding(null);
              setCancelled(cancelled + 1);
            }}
            onClose={() => setEnding(null)}
          />
        )}
      </div>
    </Section>
  );
}

interface CancelDialogProps {
  readonly market: string;
  readonly job: MarketJob;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function CancelDialog({ market, job, onDone, onClose }: CancelDialogProps) {
  const doing = useAction(async () => {
    await cancelMarketJob(market, job.id);
    onDone();
  });
  return (
    <FormDialog
      title={`Cancel: ${workTitle(job)}`}
      action="Cancel it"
      dismiss="Keep it"
      busy="Canceling …"
      doing={doing}
      onClose={onClose}
    >
      <p>
        {job.status === 'queued' ? 'It has not started.' : 'What it has done so far is lost.'} The market
        stays as it was before.
      </p>
    </FormDialog>
  );
}

function columnsOf(props: {
  readonly market: string;
  readonly work: readonly MarketWork[];
  readonly onCancel: (job: MarketJob) => void;
}): readonly Column<MarketJob>[] {
  const { market, work, onCancel } = props;
  return [
    {
      label: 'Started',
      isRowHeader: true,
      cell: ({ created_at }) => (
        <time class="nowrap" dateTime={created_at}>
          {formatMoment(created_at)}
        </time>
      ),
    },
    {
      label: 'What',
      isText: true,
      cell: (job) => (
        <>
          {workTitle(job)}
          {job.as_of !== null && <div class="quiet small">as of {formatDay(job.as_of)}</div>}
          {job.file && <div class="quiet small breaks">{job.file}</div>}
        </>
      ),
    },
    { label: 'By', cell: ({ requested_by }) => requested_by ?? 'command line' },
    {
      label: 'Status',
      cell: (job) => (
        <>
          <Badge kind={BADGES[job.status]}>{STATUS_NAMES[job.status]}</Badge>{' '}
          {(job.status === 'queued' || job.status === 'running') && (
            <Button isSmall onClick={() => onCancel(job)}>
              Cancel …
            </Button>
          )}
        </>
      ),
    },
    {
      label: 'Result',
      isText: true,
      cell: (job) => <Result market={market} job={job} step={stepOf(job, work)} />,
    },
  ];
}

const BADGES: Readonly<Record<MarketJob['status'], 'ok' | 'warn' | 'error' | undefined>> = {
  queued: undefined,
  running: undefined,
  complete: 'ok',
  failed: 'error',
  cancelled: 'warn',
};

const STATUS_NAMES = {
  queued: 'queued',
  running: 'running',
  complete: 'complete',
  failed: 'failed',
  cancelled: 'canceled',
} as const;

/** The step of a running job, which changes more often than the list is read; null if it is unknown. */
function stepOf({ task, kind }: MarketJob, work: readonly MarketWork[]): string | null {
  const running = work.find((each) => each.task === task && each.kind === kind && each.state === 'running');
  return running?.step ?? null;
}

function Result(props: { readonly market: string; readonly job: MarketJob; readonly step: string | null }) {
  const { market, job, step } = props;
  const { id, status, progress, failure, loaded, models, training_failure: untrained } = job;
  return (
    <div class="small">
      {status === 'running' && <div>{step ?? progress ?? 'Starting'}</div>}
      {job.task === 'backtest' && status === 'complete' && <div>Under “Accuracy” above</div>}
      {failure !== null && <div class="breaks">{withReadableDates(failure)}</div>}
      {loaded && failure === null && (
        <div>
          {formatCount(loaded.rows_loaded)} of {formatCount(loaded.rows_read)} rows loaded
          {loaded.rows_repeated > 0 && `, ${formatCount(loaded.rows_repeated)} repeated`}
        </div>
      )}
      {loaded && Object.keys(loaded.left_out).length > 0 && (
        <div>
          Left out:{' '}
          {Object.entries(loaded.left_out)
            .map(([reason, count]) => `${formatCount(count)} ${reason.replaceAll('_', ' ')}`)
            .join(', ')}
        </div>
      )}
      {job.has_rejected_rows && (
        <div>
          <a href={rejectedRowsOfJob(market, id)} download>
            Download the rows that were left out
          </a>
        </div>
      )}
      {untrained !== null && <div>Not trained: {untrained}</div>}
      {models.map(({ kind, note }) => (
        <div key={kind}>
          {MODEL_NAMES[kind]}: {withReadableDates(note)}
        </div>
      ))}
    </div>
  );
}
