import { useState } from 'preact/hooks';
import { readModelStudy, type Market, type Measured, type ModelStudy } from '../../api/markets.ts';
import { useRequest } from '../../api/use-request.ts';
import { WhenLoaded, Badge, EmptyState, Notice } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatDay, formatMany, formatMoment } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Equity } from './equity.tsx';
import { ErrorMap } from './error-map.tsx';
import { SaleScatter, TierSales } from './holdout-sales.tsx';
import { CoveragePlot, MonthPlot, stratumColumns, TierPlot } from './estimate-plots.tsx';
import { PastYears } from './past-years.tsx';
import { MODEL_NAMES, sampleWords, TYPE_NAMES } from './words.ts';

/** The accuracy of the market's models on their holdout sales, the active ones first. */
export function Accuracy({ market, onChanged }: { readonly market: Market; readonly onChanged: () => void }) {
  return (
    <Section
      title="Accuracy"
      anchor="accuracy"
      lead="Measured on holdout sales that the models did not see in training. The accuracy on your properties can differ."
    >
      {market.models.length === 0 ? (
        <EmptyState title="No model yet">
          <p>Training creates a model and measures it on months that it was not trained on.</p>
        </EmptyState>
      ) : (
        <Tabs
          label="Kinds of valuations"
          tabs={market.models.map(({ id, kind }) => ({
            name: kind,
            label: MODEL_NAMES[kind],
            content: () => (
              <div class="stack">
                {kind === 'multifamily' ? (
                  <p class="quiet">
                    Buildings are valued with the models of homes and rents, and no building is held out. A
                    backtest measures their accuracy.
                  </p>
                ) : (
                  <Studies key={id} activeId={id} kind={kind} market={market} />
                )}
                <PastYears key={kind} market={market} kind={kind} onChanged={onChanged} />
              </div>
            ),
          }))}
        />
      )}
    </Section>
  );
}

/** Day of the first active model of a kind. */
function firstModelOf({ history }: Market, kind: ModelStudy['kind']): string {
  const active = history.filter((model) => model.kind === kind && model.state === 'active');
  return active.map(({ trained_on: day }) => day).toSorted()[0];
}

interface StudiesProps {
  readonly activeId: string;
  readonly kind: ModelStudy['kind'];
  readonly market: Market;
}

/** The active model's figures, or those of another model of its kind, to compare them. */
function Studies({ activeId, kind, market }: StudiesProps) {
  const [modelId, setModelId] = useState(activeId);
  const models = market.history.filter((model) => model.kind === kind);
  return (
    <>
      {models.length > 1 && (
        <div class="row filters">
          <SelectField
            label="Figures of the model"
            value={modelId}
            choices={models.map(({ id, trained_on: day, created_at: at }) => ({
              value: id,
              label: `trained as of ${formatDay(day)}, created ${formatMoment(at)}${id === activeId ? ' (active)' : ''}`,
            }))}
            onInput={setModelId}
          />
        </div>
      )}
      <Study key={modelId} modelId={modelId} market={market.id} firstModel={firstModelOf(market, kind)} />
    </>
  );
}

function Study(of: { readonly modelId: string; readonly market: string; readonly firstModel: string }) {
  const { modelId } = of;
  const asked = useRequest((signal) => readModelStudy(modelId, signal), [modelId]);
  return (
    <WhenLoaded of={asked} waiting="Measuring the model on its holdout months">
      {({ measured, kind }) =>
        measured === null ? (
          <EmptyState title="This model could not be measured.">
            <p>
              The market has too few months, or too few {sampleWords(kind).many} in them, for a holdout
              period. That is why its prediction ranges are wide.
            </p>
          </EmptyState>
        ) : (
          <div class="stack">
            <MeasuredOn measured={measured} kind={kind} />
            {measured.overall.is_small && (
              <Notice kind="warn">
                {formatMany(measured.overall.n, sampleWords(kind).one)} are too few for reliable figures. At
                least 30 are needed.
              </Notice>
            )}
            <StudiedTypes measured={measured} kind={kind} />
            {measured.equity.length > 0 && <Equity studies={measured.equity} />}
            <div class="plots">
              <TierPlot measured={measured} kind={kind} />
              <CoveragePlot measured={measured} kind={kind} />
              <MonthPlot measured={measured} kind={kind} />
            </div>
            <TierSales {...of} tiers={measured.tiers} kind={kind} />
            <SaleScatter {...of} kind={kind} />
            <ErrorMap {...of} areas={measured.areas} equity={measured.equity} kind={kind} />
          </div>
        )
      }
    </WhenLoaded>
  );
}

interface MeasuredProps {
  readonly measured: Measured;
  readonly kind: ModelStudy['kind'];
}

/** What the figures below were measured on, and how. */
function MeasuredOn({ measured, kind }: MeasuredProps) {
  const { overall, from, to, trainings, held_out: crossValidated } = measured;
  const { one, many } = sampleWords(kind);
  const outOfTime = overall.n - crossValidated;
  const which = crossValidated > 0 ? `${formatMany(outOfTime, one)} were` : 'Each was';
  const others = outOfTime > 0 ? formatMany(crossValidated, one) : 'They';
  return (
    <p>
      Measured on {formatMany(overall.n, one)} of {formatDay(from)} to {formatDay(to)}.{' '}
      {kind === 'property' && 'Later sales were not on record when the model was trained. '}
      {outOfTime > 0 &&
        `${which} valued by a model trained before its month (${formatMany(trainings, 'training')}), with only data recorded before its date. `}
      {crossValidated > 0 &&
        `${others} were valued by cross-validation, because the ${many} cover only a few weeks. That is easier than predicting future ${many}. `}
      Brackets show 95% confidence intervals, which assume independent {many}. {upperFirst(many)} of one month
      share their market, so the true intervals are slightly wider.
    </p>
  );
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** All properties together, and by type. */
function StudiedTypes({ measured, kind }: MeasuredProps) {
  const types = measured.types
    .toSorted((a, b) => b.n - a.n)
    .map((type) => ({ ...type, name: TYPE_NAMES[type.key] ?? type.key }));
  const rows = [{ ...measured.overall, key: 'all', name: 'All' }, ...(types.length > 1 ? types : [])];
  const name: Column<(typeof rows)[number]> = {
    label: 'Type',
    isRowHeader: true,
    cell: (row) => (
      <>
        {row.name} {row.is_small && <Badge kind="warn">few</Badge>}
      </>
    ),
  };
  return (
    <Table
      caption="Errors by type of property"
      columns={[name, ...stratumColumns<(typeof rows)[number]>(kind, measured.equity)]}
      rows={rows}
      keyOf={(row) => row.name}
    />
  );
}
