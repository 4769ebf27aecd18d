import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { readUsage } from '../../api/account.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useRequest } from '../../api/use-request.ts';
import type { Figures, Valued } from '../../api/valuations.ts';
import { BandPlot } from '../../parts/band-plot.tsx';
import { Button, ProblemNotice } from '../../parts/basics.tsx';
import { formatDay, formatMany, formatShortUsd, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { asOfDays, daysCostSentence, nearestDay, todayOf } from './as-of-days.ts';
import { valueCredits } from './cost.ts';
import { writeQuery, type ValueRequest } from './value-request.ts';
import type { ShownValue } from './use-value.ts';

const MODEL_KINDS = { home: 'property', rent: 'rental', building: 'multifamily' } as const;

/** Before a home is described, its market and so the first date are unknown. */
const LONG_AGO = '1950-01-01';

/** The date of the value, to change it. Null if the market has no model of the kind. */
export function AsOfDate(props: Pick<AsOfProps, 'request' | 'onDate'> & Pick<ShownValue, 'described'>) {
  const { request, described, onDate } = props;
  const { session } = useSession();
  const id = useId();
  const [isOutside, setOutside] = useState(false);
  const served = described?.first_date_served?.[MODEL_KINDS[request.kind]] ?? null;
  const first = described === null ? LONG_AGO : served;
  const today = todayOf(new Date());
  if (first === null) return null;
  return (
    <label for={id} class="as-of-date">
      As-of date{' '}
      <input
        id={id}
        class="input"
        type="date"
        min={first}
        max={today}
        value={request.date ?? today}
        aria-describedby={isOutside ? `${id}-wrong` : undefined}
        onInput={({ currentTarget: { value: text } }) => {
          const isServed = text >= first && text <= today;
          setOutside(text !== '' && !isServed);
          if (isServed) onDate(text === today ? null : text);
        }}
      />
      {isOutside && (
        <span class="wrong" id={`${id}-wrong`} role="alert">
          Enter a date from {formatDay(first)} to today.
          {described?.market && session.is_operator && (
            <>
              {' '}
              For earlier dates, train a model as of that date under{' '}
              <a href={`/console/markets/${described.market}`}>Markets</a>.
            </>
          )}
        </span>
      )}
    </label>
  );
}

interface AsOfProps {
  readonly request: ValueRequest;
  readonly state: ShownValue;
  readonly valued: Valued;
  readonly onDate: (date: string | null) => void;
}

/**
 * The value on other dates, from the data recorded until then. Of rents and buildings, dates that were shown stay in
 * the plot, and the button values the others, one after the other. Homes have `ValueHistory`.
 */
export function AsOf(props: AsOfProps) {
  const { request, state, onDate } = props;
  const kind = MODEL_KINDS[request.kind];
  const market = state.described?.market ?? null;
  const served = state.described?.first_date_served ?? null;
  const first = served?.[kind] ?? null;
  const today = todayOf(new Date());
  const days = useMemo(() => (first === null ? [] : asOfDays(first, today)), [first, today]);
  const { points, unknown, left, start, stop, isRunning, problem } = useValueHistory(props, days, today);
  const usage = useRequest((signal) => readUsage(null, signal), []);
  const { prices } = useSession().session;
  const cost =
    prices && usage.data && daysCostSentence(left.length, valueCredits(prices, request), usage.data);
  if (market === null || served === null) return null;
  if (days.length < 2) return <NoHistory market={market} kind={kind} />;
  const day = request.date ?? today;
  const at = nearestDay(days, day);
  return (
    <Section
      title="Value as of another date"
      lead="Uses only data recorded by that date, and the newest model trained by then."
      actions={
        request.kind !== 'home' &&
        (isRunning || left.length > 0) && (
          <Button isSmall onClick={isRunning ? stop : start}>
            {isRunning ? 'Stop' : 'Show value history'}
          </Button>
        )
      }
    >
      {cost && request.kind !== 'home' && <p class="small quiet">{cost}</p>}
      <div class="as-of">
        <label for="as-of-day">
          As of <strong>{formatDay(day)}</strong>
          {request.date === null && ' (today)'}
        </label>
        <input
          id="as-of-day"
          type="range"
          class="slide"
          min={0}
          max={days.length - 1}
          step={1}
          value={at}
          aria-valuetext={formatDay(days[at])}
          onInput={({ currentTarget }) => {
            const chosen = days[currentTarget.valueAsNumber];
            onDate(chosen === today ? null : chosen);
          }}
        />
        <span class="row spread small quiet" aria-hidden="true">
          <span>{formatDay(days[0])}</span>
          <span>{formatDay(days.at(-1))}</span>
        </span>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {unknown.length > 0 && (
        <p class="small quiet">
          {formatMany(unknown.length, 'date')} left out, the first {formatDay(unknown[0])}: no record then had
          the required details. Enter them above to value these dates.
        </p>
      )}
      {points.length > 1 && request.kind !== 'home' && <HistoryPlot points={points} day={day} />}
    </Section>
  );
}

interface DayPoint extends Pick<Figures, 'point_value' | 'estimated_value_low' | 'estimated_value_high'> {
  readonly day: string;
}

/** The valued dates of one subject, and the dates that lack required details. */
interface History {
  readonly subject: string;
  readonly points: readonly DayPoint[];
  readonly unknown: readonly string[];
}

function useValueHistory({ request, state, valued }: AsOfProps, days: readonly string[], today: string) {
  // The request without its date. Another subject starts another plot.
  const subject = writeQuery({ ...request, date: null });
  // While the next value loads, `valued` may still belong to the subject before.
  const valuedSubject = state.valuedRequest && writeQuery({ ...state.valuedRequest, date: null });
  const empty: History = { subject, points: [], unknown: [] };
  const [kept, setKept] = useState(empty);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const figures = valued.response.valuation;
  const known = kept.subject === subject ? kept : empty;
  const add = (day: string, value: Omit<DayPoint, 'day'> | null): void =>
    setKept((before) => {
      const same = before.subject === subject ? before : empty;
      const points = same.points.filter((point) => point.day !== day);
      const unknown = same.unknown.filter((other) => other !== day);
      if (value === null) return { subject, points, unknown: [...unknown, day].sort() };
      const sorted = [...points, { ...value, day }].sort((a, b) => (a.day < b.day ? -1 : 1));
      return { subject, points: sorted, unknown };
    });
  const latest = useRef(running);
  latest.current = running;
  const stop = (): void => {
    latest.current?.abort();
    setRunning(null);
  };
  useEffect(() => {
    if (valuedSubject === subject) add(figures.as_of_date, figures);
    // oxlint-disable-next-line react/exhaustive-deps -- one point per valuation
  }, [figures.valuation_id, subject, valuedSubject]);
  useEffect(() => stop, [subject]);
  const seen = new Set([...known.points.map(({ day }) => day), ...known.unknown]);
  const left = days.filter((day) => !seen.has(day));
  const start = (): void => {
    const abort = new AbortController();
    setRunning(abort);
    setProblem(null);
    const run = async (): Promise<void> => {
      for (const day of left) {
        // Like the slider, which sends no date for today.
        const value = await state.valueOn(day === today ? null : day, abort.signal);
        if (abort.signal.aborted) return;
        add(day, value?.response.valuation ?? null);
      }
    };
    run()
      .catch((error: unknown) => abort.signal.aborted || setProblem(asProblem(error)))
      .finally(() => setRunning((current) => (current === abort ? null : current)));
  };
  return { ...known, left, start, stop, isRunning: running !== null, problem };
}

function HistoryPlot({ points, day }: { readonly points: readonly DayPoint[]; readonly day: string }) {
  return (
    <BandPlot
      label="Value history with 90% prediction ranges"
      inputs={[points, day]}
      height={200}
      tickFormat={formatShortUsd}
      points={points.map(({ day: on, point_value: value, ...range }) => ({
        day: on,
        value,
        ranges: [{ lower: range.estimated_value_low, upper: range.estimated_value_high }],
      }))}
      dots={points
        .filter((point) => point.day === day)
        .map(({ point_value: value }) => ({ day, value, fill: 'var(--ink)', title: formatUsd(value) }))}
      table={() => (
        <Table
          caption="Value history"
          rows={points}
          keyOf={(point) => point.day}
          columns={[
            { label: 'As of', isRowHeader: true, cell: (point) => formatDay(point.day) },
            { label: 'Value', isNumber: true, cell: ({ point_value }) => formatUsd(point_value) },
            {
              label: '90% prediction range',
              isNumber: true,
              cell: ({ estimated_value_low: low, estimated_value_high: high }) =>
                `${formatUsd(low)} – ${formatUsd(high)}`,
            },
          ]}
        />
      )}
    />
  );
}

/** Shown if there is no model of the kind, or the first one was trained today. */
function NoHistory({ market, kind }: { readonly market: string; readonly kind: string }) {
  const { session } = useSession();
  return (
    <Section title="Value as of another date">
      <p>
        This market has no {kind} model as of an earlier date. To value earlier dates,{' '}
        {session.is_operator ? (
          <>
            train one as of a date under <a href={`/console/markets/${market}`}>Markets</a>.
          </>
        ) : (
          'an operator can train one.'
        )}
      </p>
    </Section>
  );
}
