import { useState } from 'preact/hooks';
import {
  readValueHistory,
  type HistoryPoint,
  type HomeHistory,
  type PropertyValuation,
} from '../../api/valuations.ts';
import { useRequest } from '../../api/use-request.ts';
import { BandPlot } from '../../parts/band-plot.tsx';
import { Button, Notice, WhenLoaded } from '../../parts/basics.tsx';
import {
  formatChangePct,
  formatDay,
  formatMonth,
  formatShortUsd,
  formatUsd,
  withReadableDates,
} from '../../parts/format.ts';
import { Figures, Section } from '../../parts/page.tsx';
import { saveCsv } from '../../parts/save-csv.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { forecastEnds, hasEnded } from './forecast-ends.ts';
import { modelChanges, pastYear } from './history-models.ts';
import { bodyOf, writeQuery, type ValueRequest } from './value-request.ts';

/** The home's value by month up to the as-of date, with a forecast and its own sales. It is requested by a button. */
export function ValueHistory(props: { readonly request: ValueRequest; readonly valued: PropertyValuation }) {
  const { request, valued } = props;
  const { prices } = useSession().session;
  const subject = writeQuery(request);
  const { as_of_date: day } = valued.valuation;
  const [shown, setShown] = useState<{ readonly subject: string; readonly body: object } | null>(null);
  const isShown = shown?.subject === subject;
  return (
    <Section
      title="Value history and forecast"
      lead={`The value by month for up to ten years before ${formatDay(day)}, and a forecast of two years.${prices ? ` Costs ${prices.property_valuation} credits, and ${prices.history_month} for each earlier month.` : ''}`}
      actions={
        !isShown && (
          <Button isSmall onClick={() => setShown({ subject, body: bodyOf(request, 0) })}>
            Show value history
          </Button>
        )
      }
    >
      {isShown && <LoadedHistory key={subject} body={shown.body} valued={valued} />}
    </Section>
  );
}

function LoadedHistory({ body, valued }: { readonly body: object; readonly valued: PropertyValuation }) {
  const history = useRequest((signal) => readValueHistory(body, signal), []);
  return (
    <WhenLoaded of={history} waiting="Valuing each month">
      {(found) => <History found={found} valued={valued} />}
    </WhenLoaded>
  );
}

const BASES: Readonly<Record<HistoryPoint['basis'], string>> = {
  as_of_value: 'As-of value',
  index: 'Price index',
  forecast: 'Forecast',
};

function History({ found, valued }: { readonly found: HomeHistory; readonly valued: PropertyValuation }) {
  const { history, forecast, sales } = found;
  const points = [...history, ...forecast];
  const now = history.at(-1);
  const year = pastYear(history);
  const changes = modelChanges(history);
  const change = (from: HistoryPoint | undefined, to: HistoryPoint | undefined) =>
    formatChangePct(from && to ? 100 * (to.value / from.value - 1) : null);
  const codes = new Set(valued.valuation.warnings.map(({ code }) => code));
  const { as_of_date: day, point_value: value } = valued.valuation;
  const firstAsOf = history.find(({ basis }) => basis === 'as_of_value');
  const dots = [
    ...sales
      .filter(({ sale_date }) => history[0] && sale_date >= history[0].date)
      .map(({ sale_date, sale_price, is_used }) => ({
        day: sale_date,
        value: sale_price,
        fill: is_used ? 'var(--series-2)' : 'var(--ground)',
        title: `Sold ${formatDay(sale_date)} for ${formatUsd(sale_price)}${is_used ? '' : ' (not used)'}`,
      })),
    { day, value, fill: 'var(--ink)', title: `${formatDay(day)}: ${formatUsd(value)}` },
  ];
  return (
    <>
      {found.warnings
        .filter(({ code }) => !codes.has(code))
        .map(({ message }) => (
          <Notice key={message} kind="warn">
            <p>{withReadableDates(message)}</p>
          </Notice>
        ))}
      <Figures
        look="value-facts"
        figures={[
          { label: 'Past year', value: formatChangePct(year.pct), note: pastYearNote(year) },
          ...forecastEnds(found).map(({ label, point }) => ({
            label,
            value: change(now, point),
            note: rangeOf(point),
          })),
        ]}
      />
      <BandPlot
        label={`Value by month with 90% prediction ranges. ${hasEnded(found) ? `The dashed line only carries the value forward: the forecast ended in ${formatMonth(found.last_forecast_month)}.` : 'The dashed line is the forecast.'}`}
        inputs={[found, day, value]}
        tickFormat={formatShortUsd}
        legend={[
          { label: 'Value', color: 'var(--accent)' },
          ...(sales.length > 0 ? [{ label: 'Sale of this home', color: 'var(--series-2)' }] : []),
          { label: 'Value shown above', color: 'var(--ink)' },
          ...(changes.length > 0 ? [{ label: 'New model (dotted line)', color: 'var(--quiet)' }] : []),
        ]}
        points={points.map(({ date, interval_90, basis, ...point }) => ({
          day: date,
          value: point.value,
          ranges: [interval_90],
          isForecast: basis === 'forecast',
        }))}
        dots={dots}
        rules={changes.map((changed) => ({ day: changed, title: `New model from ${formatDay(changed)}` }))}
        table={() => <HistoryTable found={found} changes={changes} />}
      />
      <p class="small quiet">
        {firstAsOf && firstAsOf !== history[0]
          ? `From ${formatDay(firstAsOf.date)} on, each value is the value as of that date. Before, no model was trained, so that value is moved along the price index. `
          : 'Each value of the past is the value as of its date. '}
        {changes.length > 0 &&
          `A new model values the home from ${changes.map(formatDay).join(', ')} on: a step of the line there is not the market’s.`}
      </p>
      <div class="row">
        <Button isSmall onClick={() => saveCsv('value-history.csv', points.map(csvRow))}>
          Download CSV
        </Button>
      </div>
    </>
  );
}

function rangeOf(point: HistoryPoint | undefined): string | undefined {
  if (!point) return undefined;
  const { lower, upper } = point.interval_90;
  return `${formatShortUsd(lower)} – ${formatShortUsd(upper)}`;
}

function pastYearNote({ changes, isMixed }: ReturnType<typeof pastYear>): string | undefined {
  if (changes.length === 0) return undefined;
  if (isMixed) return `by ${changes.length + 1} models, whose steps are part of it`;
  return `without ${changes.length === 1 ? 'the month' : 'the months'} of a new model: ${changes.map(formatDay).join(', ')}`;
}

const VALUE_COLUMNS: readonly Column<HistoryPoint>[] = [
  { label: 'Date', isRowHeader: true, cell: ({ date }) => formatDay(date) },
  { label: 'Value', isNumber: true, cell: ({ value }) => formatUsd(value) },
  {
    label: '90% prediction range',
    isNumber: true,
    cell: ({ interval_90: { lower, upper } }) => `${formatUsd(lower)} – ${formatUsd(upper)}`,
  },
];

function HistoryTable(props: { readonly found: HomeHistory; readonly changes: readonly string[] }) {
  const { found, changes } = props;
  const { history, forecast, sales } = found;
  const basis: Column<HistoryPoint> = {
    label: 'Basis',
    cell: (point) => `${BASES[point.basis]}${changes.includes(point.date) ? ', new model' : ''}`,
  };
  return (
    <>
      <Table
        caption="Value by month"
        rows={history.toReversed()}
        keyOf={({ date }) => date}
        columns={[...VALUE_COLUMNS, basis]}
      />
      <h3>{hasEnded(found) ? 'Months after the forecast' : 'Forecast'}</h3>
      <Table caption="Later months" rows={forecast} keyOf={({ date }) => date} columns={VALUE_COLUMNS} />
      {sales.length > 0 && (
        <Table
          caption="Sales of this home"
          rows={sales.toReversed()}
          keyOf={({ sale_date, sale_price }) => `${sale_date} ${sale_price}`}
          columns={[
            { label: 'Sold', isRowHeader: true, cell: ({ sale_date }) => formatDay(sale_date) },
            { label: 'Price', isNumber: true, cell: ({ sale_price }) => formatUsd(sale_price) },
            { label: 'Used for values', cell: ({ is_used }) => (is_used ? 'Yes' : 'No') },
          ]}
        />
      )}
    </>
  );
}

function csvRow({ interval_80, interval_90, ...point }: HistoryPoint) {
  return {
    date: point.date,
    value: point.value,
    lower_80: interval_80.lower,
    upper_80: interval_80.upper,
    lower_90: interval_90.lower,
    upper_90: interval_90.upper,
    basis: point.basis,
    model_id: point.model_id,
  };
}
