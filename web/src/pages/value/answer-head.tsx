import type { ComponentChildren } from 'preact';
import type { Figures, Valued } from '../../api/valuations.ts';
import { formatChangeUsd, formatDay, formatPercent, formatUsd } from '../../parts/format.ts';
import type { Kind } from './asked.ts';
import { DistributionPlot } from './distribution-plot.tsx';
import { announcement, rangeSentence } from './words.ts';

const WHAT = {
  home: 'Value',
  rent: 'Monthly rent',
  building: 'Value of the building',
} as const satisfies Record<Kind, string>;

/** The answer as people read it: the value, how it moved, how sure it is, and the spread behind it. */
export function AnswerHead(props: {
  readonly valued: Valued;
  readonly before: Valued | null;
  readonly isLoading: boolean;
  readonly children?: ComponentChildren;
}) {
  const { valued, before, isLoading, children } = props;
  const { kind, answer } = valued;
  const figures: Figures = answer.valuation;
  const ghost: Figures | null = before?.answer.valuation ?? null;
  const change = ghost === null ? null : figures.point_value - ghost.point_value;
  return (
    <section class="answer card" aria-labelledby="answer-value" aria-busy={isLoading}>
      <div class="answer-now">
        <p class="quiet small">
          {WHAT[kind]} as of {formatDay(answer.valuation.as_of_date)}
        </p>
        <h2 id="answer-value" class="answer-value">
          {formatUsd(figures.point_value)}
        </h2>
        {change !== null && change !== 0 && (
          <p class={change > 0 ? 'answer-change more' : 'answer-change less'}>
            {formatChangeUsd(change)} from {formatUsd(ghost?.point_value)}
          </p>
        )}
      </div>
      <p class="answer-range">{rangeSentence(kind, figures)}</p>
      <DistributionPlot
        figures={figures}
        before={ghost}
        label={`${WHAT[kind]}: how likely prices are. ${rangeSentence(kind, figures)}`}
      />
      <dl class="answer-facts">
        <Fact label="Confidence" note={`FSD ${formatPercent(figures.fsd)}`}>
          {figures.confidence_score} of 100
        </Fact>
        <Fact label="95% range">
          {formatUsd(figures.confidence_interval_95.lower)} –{' '}
          {formatUsd(figures.confidence_interval_95.upper)}
        </Fact>
        {children}
      </dl>
      <p class="unseen" role="status">
        {isLoading ? '' : announcement(kind, figures.point_value, change)}
      </p>
    </section>
  );
}

export function Fact(props: {
  readonly label: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
      {props.note && <dd class="note">{props.note}</dd>}
    </div>
  );
}
