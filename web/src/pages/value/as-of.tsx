import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../api/request.ts';
import type { Problem } from '../../api/problem.ts';
import type { Figures, Valued } from '../../api/valuations.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatDay, formatUsd } from '../../parts/format.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Section } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { asOfDays, nearestDay, todayOf } from './as-of-days.ts';
import { shortUsd } from './distribution-plot.tsx';

/** A value and its range on a day. */
export type ValueOnDay = Pick<Figures, 'point_value' | 'estimated_value_low' | 'estimated_value_high'>;

/**
 * The value on other days: what was known then, and nothing later. Days that were looked at stay in the plot; playing asks for
 * all of them, one after the other.
 */
export function AsOf(props: {
  readonly market: string;
  readonly kind: 'property' | 'rental' | 'multifamily';
  /** The first day that a model answers; null where none is trained. */
  readonly first: string | null;
  readonly date: string | null;
  readonly valued: Valued;
  /** Of what the values are, without the day: another subject begins another plot. */
  readonly subject: string;
  readonly valueOn: (day: string, signal: AbortSignal) => Promise<ValueOnDay>;
  readonly onDate: (date: string | null) => void;
}) {
  const { market, kind, first, date, valued, subject, valueOn, onDate } = props;
  const today = todayOf(new Date());
  const days = useMemo(() => (first === null ? [] : asOfDays(first, today)), [first, today]);
  const { known, play, stop, isPlaying, problem } = useValuesOverTime(subject, valued, days, valueOn);
  const day = date ?? today;
  const at = days.length === 0 ? 0 : nearestDay(days, day);
  if (days.length < 2) return <OneDay market={market} kind={kind} today={today} />;
  return (
    <Section
      title="On another day"
      lead="Nothing sold or recorded later moves a value by a cent. The model is the newest of its time."
      actions={
        isPlaying ? (
          <Button isSmall onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button isSmall onClick={play}>
            Value every day of the scale ({days.length})
          </Button>
        )
      }
    >
      <div class="as-of">
        <label for="as-of-day">
          As of <strong>{formatDay(day)}</strong>
          {date === null && ' (today)'}
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
        <span class="as-of-ends small quiet" aria-hidden="true">
          <span>{formatDay(days[0])}</span>
          <span>{formatDay(days[days.length - 1])}</span>
        </span>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {known.length > 1 && <ValueOverTime known={known} day={day} />}
    </Section>
  );
}

interface DayPoint extends ValueOnDay {
  readonly day: string;
}

function useValuesOverTime(
  subject: string,
  valued: Valued,
  days: readonly string[],
  valueOn: (day: string, signal: AbortSignal) => Promise<ValueOnDay>,
) {
  const [known, setKnown] = useState<{ readonly subject: string; readonly points: readonly DayPoint[] }>({
    subject,
    points: [],
  });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const playing = useRef<AbortController | null>(null);
  const figures = valued.answer.valuation;
  const add = (point: DayPoint): void =>
    setKnown((before) => {
      const others = before.subject === subject ? before.points.filter(({ day }) => day !== point.day) : [];
      return { subject, points: [...others, point].sort((a, b) => (a.day < b.day ? -1 : 1)) };
    });
  const stop = (): void => {
    playing.current?.abort();
    setPlaying(false);
  };
  useEffect(() => {
    add({ ...figures, day: figures.as_of_date });
    // oxlint-disable-next-line react/exhaustive-deps -- one point for each valuation
  }, [figures.valuation_id, subject]);
  useEffect(() => stop, [subject]);
  const play = (): void => {
    const abort = new AbortController();
    playing.current = abort;
    setPlaying(true);
    setProblem(null);
    const run = async (): Promise<void> => {
      for (const day of days) {
        const value = await valueOn(day, abort.signal);
        if (abort.signal.aborted) return;
        add({ ...value, day });
      }
    };
    run()
      .catch((error: unknown) => abort.signal.aborted || setProblem(asProblem(error)))
      .finally(() => playing.current === abort && setPlaying(false));
  };
  const points = known.subject === subject ? known.points : [];
  return { known: points, play, stop, isPlaying, problem };
}

function ValueOverTime({ known, day }: { readonly known: readonly DayPoint[]; readonly day: string }) {
  const points = known.map((point) => ({ ...point, on: new Date(`${point.day}T00:00:00Z`) }));
  return (
    <PlotFigure
      label="The value as of the days looked at, with the range that nine in ten sell within"
      inputs={[known, day]}
      plot={(Plot, width) => ({
        height: 200,
        marginLeft: 56,
        x: { label: null, type: 'utc', ticks: width < 420 ? 3 : 6 },
        y: { label: null, grid: true, tickFormat: shortUsd, ticks: 4 },
        marks: [
          Plot.areaY(points, {
            x: 'on',
            y1: 'estimated_value_low',
            y2: 'estimated_value_high',
            fill: 'var(--accent)',
            fillOpacity: 0.15,
          }),
          Plot.lineY(points, { x: 'on', y: 'point_value', stroke: 'var(--accent)', strokeWidth: 2 }),
          Plot.dot(points, { x: 'on', y: 'point_value', r: 2, fill: 'var(--accent)' }),
          Plot.dot(
            points.filter((point) => point.day === day),
            { x: 'on', y: 'point_value', r: 5, fill: 'var(--ink)' },
          ),
        ],
      })}
      table={() => (
        <div class="table-scroll">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">As of</th>
                <th scope="col" class="number">
                  Value
                </th>
                <th scope="col" class="number">
                  Range
                </th>
              </tr>
            </thead>
            <tbody>
              {known.map((point) => (
                <tr key={point.day}>
                  <th scope="row">{formatDay(point.day)}</th>
                  <td class="number">{formatUsd(point.point_value)}</td>
                  <td class="number">
                    {formatUsd(point.estimated_value_low)} – {formatUsd(point.estimated_value_high)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    />
  );
}

function OneDay(props: { readonly market: string; readonly kind: string; readonly today: string }) {
  const { market, kind, today } = props;
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4).replace('-02-29', '-02-28')}`;
  return (
    <Section
      title="On another day"
      lead="The first model here was trained today, so today is the only day that can be valued. A model of an earlier day opens all days since:"
    >
      <CodeBlock
        text={`plumbline train --market ${market} --kind ${kind} --as-of ${yearAgo}`}
        what="the command"
        isWrapped
      />
    </Section>
  );
}
