import { useState } from 'preact/hooks';
import {
  activateModel,
  requestTraining,
  rollBackModels,
  type Market,
  type MarketModel,
} from '../../api/markets.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction } from '../../api/use-request.ts';
import { Badge, Button, EmptyState, ProblemNotice } from '../../parts/basics.tsx';
import { FormDialog, ReasonField } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import {
  formatCount,
  formatDay,
  formatMoment,
  formatPercent,
  withReadableDates,
} from '../../parts/format.ts';
import { actionsColumn, dateColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { todayOf } from '../value/as-of-days.ts';
import { MODEL_NAMES, usedBefore } from './words.ts';

/** Every model of the market, newest first. Operators take the newest out of use, or put one back in use. */
export function ModelHistory({
  market,
  onChanged,
}: {
  readonly market: Market;
  readonly onChanged: () => void;
}) {
  const { session } = useSession();
  const [isRollingBack, setRollingBack] = useState(false);
  const activating = useAction(async (id: string) => {
    await activateModel(id);
    onChanged();
  });
  const training = useAction(async () => {
    await requestTraining(market.id);
    onChanged();
  });
  const [isDating, setDating] = useState(false);
  const { history } = market;
  const isTraining = market.work.some(({ task, state }) => task === 'train' && state !== 'lost');
  const canTrain =
    session.is_operator && market.loaded.some(({ kind }) => kind === 'sales' || kind === 'rents');
  const train = canTrain && (
    <>
      <Button isDisabled={isTraining || training.isBusy} onClick={() => void training.run()}>
        {isTraining ? 'Training …' : 'Train now'}
      </Button>
      <Button isDisabled={isTraining || training.isBusy} onClick={() => setDating(true)}>
        Train as of a date …
      </Button>
      {isDating && (
        <TrainAsOfDialog
          market={market.id}
          onDone={() => {
            setDating(false);
            onChanged();
          }}
          onClose={() => setDating(false)}
        />
      )}
    </>
  );
  if (history.length === 0) {
    return (
      <>
        <EmptyState title="No model was trained yet." />
        {training.problem && <ProblemNotice problem={training.problem} />}
        {train && <div class="actions">{train}</div>}
      </>
    );
  }
  // Without an inactive model, the column would only make the table wider.
  const columns =
    session.is_operator && history.some(({ state }) => state !== 'active')
      ? [...columnsOf(history), activateColumn((id) => void activating.run(id))]
      : columnsOf(history);
  const newest = newestOf(history);
  return (
    <>
      {activating.problem && <ProblemNotice problem={activating.problem} />}
      <Table caption="Models" columns={columns} rows={history} keyOf={({ id }) => id} />
      {training.problem && <ProblemNotice problem={training.problem} />}
      {session.is_operator && (
        <div class="row">
          {train}
          {newest.every((model) => earlierOf(model, history).length > 0) && (
            <Button onClick={() => setRollingBack(true)}>Roll back …</Button>
          )}
        </div>
      )}
      {isRollingBack && (
        <RollBackDialog
          market={market.id}
          newest={newest}
          returning={newest.flatMap((model) => earlierOf(model, history).slice(0, 1))}
          onDone={() => {
            setRollingBack(false);
            onChanged();
          }}
          onClose={() => setRollingBack(false)}
        />
      )}
    </>
  );
}

function TrainAsOfDialog(props: {
  readonly market: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { market, onDone, onClose } = props;
  const [date, setDate] = useState('');
  const doing = useAction(async () => {
    await requestTraining(market, date);
    onDone();
  });
  const isFuture = date > todayOf(new Date());
  const tooEarly = fieldError(doing.problem, 'date');
  return (
    <FormDialog
      title="Train as of a date"
      action="Train"
      busy="Queuing …"
      isDisabled={isFuture}
      doing={tooEarly ? { ...doing, problem: null } : doing}
      onClose={onClose}
    >
      <TextField
        label="Date"
        type="date"
        value={date}
        isRequired
        hint="Such as January 1 of a tax year. Only data recorded by that date are used."
        error={
          isFuture ? 'Choose a date that is not in the future.' : tooEarly && withReadableDates(tooEarly)
        }
        onInput={setDate}
      />
      <p>Values as of that date or later use the model, until the date of the next active model.</p>
    </FormDialog>
  );
}

/** The models in use of the market's newest training day. */
function newestOf(history: readonly MarketModel[]): MarketModel[] {
  const inUse = history.filter(({ is_active }) => is_active);
  const last = inUse.reduce((day, { trained_on }) => (trained_on > day ? trained_on : day), '');
  return inUse.filter(({ trained_on }) => trained_on === last);
}

/** The models that values would use without a model, newest first; none for a market's only model of a kind. */
function earlierOf({ kind, id }: MarketModel, history: readonly MarketModel[]): MarketModel[] {
  return history.filter((other) => other.kind === kind && other.state === 'active' && other.id !== id);
}

function RollBackDialog(props: {
  readonly market: string;
  readonly newest: readonly MarketModel[];
  /** Those that values use afterward. */
  readonly returning: readonly MarketModel[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { market, newest, returning, onDone, onClose } = props;
  const [reason, setReason] = useState('');
  const doing = useAction(async () => {
    await rollBackModels(market, { reason });
    onDone();
  });
  return (
    <FormDialog
      title="Roll back the newest models"
      action="Roll back"
      busy="Rolling back …"
      kind="danger"
      doing={doing}
      onClose={onClose}
    >
      <p>New values will no longer use:</p>
      <ModelList models={newest} />
      <p>They will use instead:</p>
      <ModelList models={returning} />
      <p>Nothing is deleted: earlier values can be replayed, and you can activate the models again.</p>
      <ReasonField value={reason} onInput={setReason} hint="Kept in the audit log." doing={doing} />
    </FormDialog>
  );
}

function ModelList({ models }: { readonly models: readonly MarketModel[] }) {
  return (
    <ul class="cards">
      {models.map((model) => {
        const measured = overall(model);
        return (
          <li key={model.id}>
            <strong>{MODEL_NAMES[model.kind]}</strong>, trained as of {formatDay(model.trained_on)}
            {measured && `, median error ${formatPercent(measured.mdape)}`}
            <code class="small second-line">{model.id}</code>
            <span class="quiet small second-line">created {formatMoment(model.created_at)}</span>
          </li>
        );
      })}
    </ul>
  );
}

function activateColumn(onActivate: (id: string) => void): Column<MarketModel> {
  return actionsColumn(
    ({ id, state }) =>
      state !== 'active' && (
        <Button isSmall label={`Activate ${id}`} onClick={() => onActivate(id)}>
          Activate
        </Button>
      ),
  );
}

const STATES = { held_back: 'held back', rolled_back: 'rolled back' } as const;

function ModelState(props: { readonly model: MarketModel; readonly history: readonly MarketModel[] }) {
  const { model, history } = props;
  if (model.state !== 'active') return <Badge kind="warn">{STATES[model.state]}</Badge>;
  if (model.is_active) return <Badge kind="ok">active</Badge>;
  const day = usedBefore(model, history);
  return day && <Badge kind="ok">active for dates before {formatDay(day)}</Badge>;
}

const overall = ({ accuracy }: MarketModel) => accuracy.find(({ stratum }) => stratum === 'all');

const columnsOf = (history: readonly MarketModel[]): readonly Column<MarketModel>[] => [
  {
    label: 'Model',
    isRowHeader: true,
    isText: true,
    sortBy: ({ kind }) => kind,
    cell: (model) => (
      <>
        {MODEL_NAMES[model.kind]} <ModelState model={model} history={history} />
        <code class="small second-line">{model.id}</code>
        {model.state_reason && <div class="quiet small">{withReadableDates(model.state_reason)}</div>}
      </>
    ),
  },
  {
    ...dateColumn('Trained as of', ({ trained_on }: MarketModel) => trained_on, formatDay),
    cell: ({ trained_on: day, created_at: at }) => (
      <>
        <span class="nowrap">{formatDay(day)}</span>
        <span class="quiet small nowrap second-line">created {formatMoment(at)}</span>
      </>
    ),
  },
  numberColumn('Median error', (model) => overall(model)?.mdape, formatPercent),
  numberColumn('In the 90% range', (model) => overall(model)?.coverage_90, formatPercent),
  {
    ...numberColumn('Measured on', (model) => overall(model)?.n),
    cell: (model) => {
      const [from, to] = overall(model)?.window.split('/') ?? [];
      return (
        <>
          {formatCount(overall(model)?.n)}
          {from && to && (
            <>
              <span class="quiet small second-line">{formatDay(from)} –</span>
              <span class="quiet small second-line">{formatDay(to)}</span>
            </>
          )}
        </>
      );
    },
  },
];
