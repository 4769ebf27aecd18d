import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../api/request.ts';
import type { Problem } from '../../api/problem.ts';
import { readUsage } from '../../api/usage.ts';
import { useAnswer } from '../../api/use-answer.ts';
import type { Figures, Valued } from '../../api/valuations.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatDay, formatMany, formatUsd } from '../../parts/format.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Section } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { asOfDays, nearestDay, todayOf } from './as-of-days.ts';
import { daysCostSentence } from './day-credits.ts';
import { shortUsd } from './distribution-plot.tsx';
import type { ValueOn } from './use-value.ts';

/** A value and its range on a day. */
type ValueOnDay = Pick<Figures, 'point_value' | 'estimated_value_low' | 'estimated_value_high'>;

interface AsOfProps {
  readonly market: string;
  readonly kind: 'property' | 'rental' | 'multifamily';
  /** The first day that a model answers; null where none is trained. */
  readonly first: string | null;
  readonly date: string | null;
  readonly valued: Valued;
  /** Of what the values are, without the day: another subject begins another plot. */
  readonly subject: string;
  /** Of what `valued` is: the answer before, for as long as the next is waited for. */
  readonly valuedSubject: string | null;
  readonly valueOn: ValueOn;
  /** What a value of another day is charged. */
  readonly creditsEach: number;
  readonly onDate: (date: string | null) => void;
}

/**
 * The value on other days: what was known then, and nothing later. Days that were looked at stay in the plot; playing asks for
 * the others, one after the other.
 */
export function AsOf(props: AsOfProps) {
  const { market, kind, first, date, onDate } = props;
  const today = todayOf(new Date());
  const days = useMemo(() => (first === null ? [] : asOfDays(first, today)), [first, today]);
  const { known, unknown, left, play, stop, isPlaying, problem } = useValuesOverTime(props, days, today);
  const usage = useAnswer((signal) => readUsage(null, signal), []);
  const cost = usage.answer && daysCostSentence(left.length, props.creditsEach, usage.answer);
  const day = date ?? today;
  const at = days.length === 0 ? 0 : nearestDay(days, day);
  if (days.length < 2) return <OneDay market={market} kind={kind} today={today} />;
  return (
    <Section
      title="Value as of another date"
      lead="Data recorded after that date does not change the value. The model is the newest of that date."
      actions={
        isPlaying ? (
          <Button isSmall onClick={stop}>
            Stop
          </Button>
        ) : (
          left.length > 0 && (
            <Button isSmall onClick={play}>
              Show value history
            </Button>
          )
        )
      }
    >
      {cost && <p class="small quiet">{cost}</p>}
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
      {unknown.length > 0 && (
        <p class="small quiet">
          {formatMany(unknown.length, 'day')} left out, {formatDay(unknown[0])} the first: no record known
          then told what must be known. Say it above and they are valued, too.
        </p>
      )}
      {known.length > 1 && <ValueOverTime known={known} day={day} />}
    </Section>
  );
}

interface DayPoint extends ValueOnDay {
  readonly day: string;
}

/** Days of one subject that were looked at or played; those that could not be valued for want of a record stand apart. */
interface KnownDays {
  readonly subject: string;
  readonly points: readonly DayPoint[];
  readonly unknown: readonly string[];
}

function useValuesOverTime(
  {
    subject,
    valued,
    valuedSubject,
    valueOn,
  }: Pick<AsOfProps, 'subject' | 'valued' | 'valuedSubject' | 'valueOn'>,
  days: readonly string[],
  today: string,
) {
  const [kept, setKept] = useState<KnownDays>({ subject, points: [], unknown: [] });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const playing = useRef<AbortController | null>(null);
  const figures = valued.answer.valuation;
  const known = kept.subject === subject ? kept : { subject, points: [], unknown: [] };
  const add = (day: string, value: ValueOnDay | null): void =>
    setKept((before) => {
      const same = before.subject === subject ? before : { subject, points: [], unknown: [] };
      const points = same.points.filter((point) => point.day !== day);
      const unknown = same.unknown.filter((other) => other !== day);
      if (value === null) return { subject, points, unknown: [...unknown, day].sort() };
      const point = { ...value, day };
      return { subject, points: [...points, point].sort((a, b) => (a.day < b.day ? -1 : 1)), unknown };
    });
  const stop = (): void => {
    playing.current?.abort();
    setPlaying(false);
  };
  useEffect(() => {
    if (valuedSubject === subject) add(figures.as_of_date, figures);
    // oxlint-disable-next-line react/exhaustive-deps -- one point for each valuation
  }, [figures.valuation_id, subject, valuedSubject]);
  useEffect(() => stop, [subject]);
  const seen = new Set([...known.points.map(({ day }) => day), ...known.unknown]);
  const left = days.filter((day) => !seen.has(day));
  const play = (): void => {
    const abort = new AbortController();
    playing.current = abort;
    setPlaying(true);
    setProblem(null);
    const run = async (): Promise<void> => {
      for (const day of left) {
        // As the slider asks: today is no date.
        const value = await valueOn(day === today ? null : day, abort.signal);
        if (abort.signal.aborted) return;
        add(day, value?.answer.valuation ?? null);
      }
    };
    run()
      .catch((error: unknown) => abort.signal.aborted || setProblem(asProblem(error)))
      .finally(() => playing.current === abort && setPlaying(false));
  };
  return { known: known.points, unknown: known.unknown, left, play, stop, isPlaying, problem };
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
      title="Value as of another date"
      lead="The first model here was trained today, so no earlier date can be valued. Train a model as of an earlier date:"
    >
      <CodeBlock
        text={`plumbline train --market ${market} --kind ${kind} --as-of ${yearAgo}`}
        what="the command"
        isWrapped
      />
    </Section>
  );
}
