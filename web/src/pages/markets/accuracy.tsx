import { readModelStudy, type Market, type Measured, type ModelStudy } from '../../api/markets.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { formatDay, formatMany } from '../../parts/format.ts';
import { EmptyState, Notice } from '../../parts/notice.tsx';
import { Section } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Beaten } from './beaten.tsx';
import { CoveragePlot } from './coverage-plot.tsx';
import { ErrorMap } from './error-map.tsx';
import { MonthPlot } from './month-plot.tsx';
import { StudiedTypes } from './studied-types.tsx';
import { TierPlot } from './tier-plot.tsx';
import { evidenceOf, MODEL_NAMES } from './words.ts';

/** How good the values of the market are, by what its models in force measured of themselves. */
export function Accuracy({ market }: { readonly market: Market }) {
  const measuring = market.models.filter(({ kind }) => kind !== 'multifamily');
  const hasBuildings = market.models.length > measuring.length;
  return (
    <Section
      title="How good the values are"
      lead="What the models in force did on sales that they had not seen. How well they do on yours can differ."
    >
      {measuring.length === 0 ? (
        <EmptyState title="No model, no accuracy.">
          <p>A training makes a model and measures it on months that it was not trained on.</p>
        </EmptyState>
      ) : (
        <Tabs
          label="Kinds of value"
          tabs={measuring.map(({ id, kind }) => ({
            name: kind,
            label: MODEL_NAMES[kind],
            content: () => <Study key={id} modelId={id} market={market.id} />,
          }))}
        />
      )}
      {hasBuildings && (
        <p class="quiet small">
          Buildings are valued from both other models and have no sales of their own to be measured on; a
          backtest measures them:{' '}
          <code>plumbline backtest --market {market.id} --kind multifamily --queue</code>
        </p>
      )}
    </Section>
  );
}

function Study({ modelId, market }: { readonly modelId: string; readonly market: string }) {
  const asked = useAnswer((signal) => readModelStudy(modelId, signal), [modelId]);
  return (
    <Answered asked={asked} waiting="Measuring the model on its holdout months">
      {(study) =>
        study.measured === null ? (
          <EmptyState title="This model could not be measured.">
            <p>
              The market has too few months, or too few {evidenceOf(study.kind).many} in them, to set any
              aside. Its ranges are wide for that.
            </p>
          </EmptyState>
        ) : (
          <StudyParts study={study} measured={study.measured} market={market} />
        )
      }
    </Answered>
  );
}

function StudyParts(props: {
  readonly study: ModelStudy;
  readonly measured: Measured;
  readonly market: string;
}) {
  const { study, measured, market } = props;
  const { kind } = study;
  return (
    <div class="stack">
      <MeasuredOn measured={measured} kind={kind} />
      {measured.overall.is_small && (
        <Notice kind="warn">
          {formatMany(measured.overall.n, evidenceOf(kind).one)} are too few to rest anything on: fewer than
          30.
        </Notice>
      )}
      <StudiedTypes measured={measured} kind={kind} />
      <div class="plots">
        <TierPlot measured={measured} kind={kind} />
        <CoveragePlot measured={measured} kind={kind} />
        <MonthPlot measured={measured} kind={kind} />
      </div>
      <ErrorMap areas={measured.areas} kind={kind} />
      <Beaten backtest={study.backtest} kind={kind} market={market} />
    </div>
  );
}

/** What the figures below were measured on, and how. */
function MeasuredOn({ measured, kind }: { readonly measured: Measured; readonly kind: ModelStudy['kind'] }) {
  const { overall, from, to, trainings, held_out } = measured;
  const { one, many } = evidenceOf(kind);
  const dated = overall.n - held_out;
  return (
    <p>
      Measured on {formatMany(overall.n, one)} of {formatDay(from)} to {formatDay(to)}.{' '}
      {dated > 0 &&
        `${held_out > 0 ? `${formatMany(dated, 'of them', 'of them')} were` : 'Each was'} valued by a model trained before its month (${formatMany(
          trainings,
          'training',
        )}), with nothing known on or after its day. `}
      {held_out > 0 &&
        `${dated > 0 ? formatMany(held_out, one) : 'They'} could not be valued in time, because the ${many} are all of a few weeks: they were held out of a training on the others. That is easier than to foretell. `}
      Ranges in brackets hold the true figure 19 times in 20, as far as {many} err independently; those of a
      month share their market, so a little less often.
    </p>
  );
}
