import type { ComponentChildren } from 'preact';
import type { MarketIndex } from '../../api/markets.ts';
import { Button, Notice } from '../../parts/basics.tsx';
import { BandPlot } from '../../parts/band-plot.tsx';
import {
  formatChangePct,
  formatCount,
  formatMonth,
  formatShortUsd,
  formatUsd,
  UNKNOWN,
  withReadableDates,
} from '../../parts/format.ts';
import { Figures, Section } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { saveCsv } from '../../parts/save-csv.ts';

type Prices = NonNullable<MarketIndex['prices']>;
type Rents = MarketIndex['rents'][number];

/** A month of prices or rents, or of their forecast. */
interface ShownMonth extends Pick<
  Prices['forecast'][number],
  'month' | 'index' | 'index_seasonally_adjusted' | 'interval_80' | 'interval_95' | 'year_over_year_pct'
> {
  readonly isForecast: boolean;
  readonly count: number | null;
  readonly median: number | null;
  readonly perSqft: number | null;
}

/** Prices, then `children`, then rents. */
export function IndexPlots({
  index,
  children,
}: {
  readonly index: MarketIndex;
  readonly children: ComponentChildren;
}) {
  // With an index of prices, too few rows for another index are listings.
  const ofRents = index.warnings.filter(({ code }) => index.prices && code === 'insufficient_data');
  return (
    <>
      <Warnings of={index.warnings.filter((each) => !ofRents.includes(each) && each.code !== JUMP_IN_YEAR)} />
      {index.prices && (
        <Series
          market={index.market}
          title="Prices"
          unit="price"
          series={index.prices}
          months={monthsOfPrices(index.prices)}
          changeNote={jumpInYear(index)}
          hasSeason
        />
      )}
      {children}
      <Warnings of={ofRents} />
      {index.rents.map((rents, i) => (
        <Series
          key={rents.bedrooms}
          market={index.market}
          hasSeason={i === 0}
          title={rentTitle(rents)}
          unit="monthly rent"
          series={rents}
          months={monthsOfRents(rents)}
        />
      ))}
    </>
  );
}

function Warnings({ of: warnings }: { readonly of: MarketIndex['warnings'] }) {
  return warnings.map(({ message }) => (
    <Notice key={message} kind="warn">
      <p>{withReadableDates(message)}</p>
    </Notice>
  ));
}

const JUMP_IN_YEAR = 'jump_in_year';

/** What the 12-month change would be without a jump of prices; null if it spans none. */
export function jumpInYear({ warnings }: Pick<MarketIndex, 'warnings'>): string | null {
  const found = warnings.find(({ code }) => code === JUMP_IN_YEAR);
  return found ? withReadableDates(found.message) : null;
}

function rentTitle({ bedrooms }: Rents): string {
  if (bedrooms === null) return 'Rents';
  if (bedrooms === 0) return 'Rents of studios';
  return `Rents of ${bedrooms}${bedrooms === 4 ? ' or more' : ''} bedroom${bedrooms === 1 ? '' : 's'}`;
}

const NO_SALES = { isForecast: true, count: null, median: null, perSqft: null };

function monthsOfPrices({ history, forecast }: Prices): ShownMonth[] {
  return [
    ...history.map((month) => ({
      ...month,
      isForecast: false,
      count: month.sales,
      median: month.median_price,
      perSqft: month.median_price_per_sqft,
    })),
    ...forecast.map((month) => ({ ...month, ...NO_SALES })),
  ];
}

function monthsOfRents({ history, forecast }: Rents): ShownMonth[] {
  return [
    ...history.map((month) => ({
      ...month,
      isForecast: false,
      count: month.listings,
      median: month.median_rent,
      perSqft: month.median_rent_per_sqft,
    })),
    ...forecast.map((month) => ({ ...month, ...NO_SALES })),
  ];
}

function Series(props: {
  readonly market: string;
  readonly title: string;
  readonly unit: string;
  readonly series: Prices | Rents;
  readonly months: readonly ShownMonth[];
  readonly changeNote?: string | null;
  /** The season is the same for all rents of the market. */
  readonly hasSeason: boolean;
}) {
  const { market, title, unit, series, months, changeNote, hasSeason } = props;
  const { last_month: last, last_forecast_month: lastForecast, sources, year_over_year_pct: change } = series;
  const end = months.findLast(({ month }) => month <= lastForecast);
  const isFlatLater = end !== months.at(-1);
  const now = months.find(({ month }) => month === last);
  const ahead = end && now ? 100 * (end.index_seasonally_adjusted / now.index_seasonally_adjusted - 1) : null;
  const published = sources.published.map(
    ({ name, newest_month }) => `${name} to ${formatMonth(newest_month)}`,
  );
  return (
    <Section
      title={title}
      lead={`From ${formatCount(sources.sales)} ${unit === 'price' ? 'sales' : 'listings'}, ${formatMonth(months[0]?.month)} to ${formatMonth(last)}${published.length > 0 ? `, and ${published.join(', ')}` : ''}. Later months are a forecast.`}
      actions={
        <Button
          isSmall
          onClick={() =>
            saveCsv(`${market}-${title.toLowerCase().replaceAll(' ', '-')}.csv`, csvRows(months))
          }
        >
          Download CSV
        </Button>
      }
    >
      <Figures
        figures={[
          {
            label: '12-month change',
            value: formatChangePct(change),
            note: changeNote ?? `to ${formatMonth(last)}`,
          },
          {
            label: 'Forecast',
            value: formatChangePct(ahead),
            note: end
              ? `from ${formatMonth(last)} to ${formatMonth(end.month)}, seasonally adjusted${isFlatLater ? '; no change after that' : ''}`
              : undefined,
          },
          { label: `Median ${unit}`, value: formatUsd(now?.median), note: formatMonth(last) },
          {
            label: 'Per sq ft',
            value: now?.perSqft ? `$${now.perSqft.toFixed(2)}` : UNKNOWN,
            note: formatMonth(last),
          },
        ]}
      />
      <IndexPlot
        title={title}
        counted={unit === 'price' ? 'sales' : 'listings'}
        base={series.base_month}
        months={months}
        lastForecast={isFlatLater ? lastForecast : null}
      />
      <MedianPlot unit={unit} months={months} />
      {hasSeason && <SeasonPlot factors={series.seasonal_factors} />}
    </Section>
  );
}

const middleOf = (month: string): string => `${month}-15`;

type Counted = 'sales' | 'listings';

function IndexPlot(props: {
  readonly title: string;
  readonly counted: Counted;
  readonly base: string;
  readonly months: readonly ShownMonth[];
  /** Null if no month is later. */
  readonly lastForecast: string | null;
}) {
  const { title, counted, base, months, lastForecast } = props;
  const forecast = months.filter(({ isForecast }) => isForecast);
  const observed = months.filter(({ isForecast }) => !isForecast);
  const flatWords =
    lastForecast === null
      ? ''
      : ` It ends in ${formatMonth(lastForecast)} (dotted line): after that, only the season moves the index and its range widens, for ten years.`;
  return (
    <BandPlot
      label={`${title}: index, ${formatMonth(base)} = 100, with 80% and 95% ranges. The dashed line is the forecast.${flatWords}`}
      inputs={[months]}
      legend={[
        { label: 'Index', color: 'var(--accent)' },
        { label: 'Seasonally adjusted', color: 'var(--series-2)' },
      ]}
      points={months.map(({ month, isForecast, interval_95, interval_80, ...row }) => ({
        day: middleOf(month),
        value: row.index,
        ranges: [interval_95, interval_80],
        isForecast,
        other: row.index_seasonally_adjusted,
      }))}
      rules={lastForecast === null ? [] : [{ day: middleOf(lastForecast), title: 'The forecast ends' }]}
      table={() => (
        <>
          <Table
            caption={`${title} by month`}
            rows={observed.toReversed()}
            keyOf={({ month }) => month}
            columns={[...INDEX_COLUMNS, ...saleColumns(counted)]}
          />
          {observed.some(({ median }) => median === null) && (
            <p class="small quiet">Months with fewer than 10 {counted} have no median.</p>
          )}
          {forecast.length > 0 && (
            <>
              <h3>Forecast</h3>
              <Table
                caption={`Forecast of ${title.toLowerCase()}`}
                rows={forecast}
                keyOf={({ month }) => month}
                columns={INDEX_COLUMNS}
              />
            </>
          )}
        </>
      )}
    />
  );
}

const INDEX_COLUMNS: readonly Column<ShownMonth>[] = [
  { label: 'Month', isRowHeader: true, cell: ({ month }) => formatMonth(month) },
  { label: 'Index', isNumber: true, cell: (row) => row.index.toFixed(1) },
  { label: '80% range', isNumber: true, cell: ({ interval_80 }) => rangeText(interval_80) },
  { label: '95% range', isNumber: true, cell: ({ interval_95 }) => rangeText(interval_95) },
  { label: '12-month change', isNumber: true, cell: (row) => formatChangePct(row.year_over_year_pct) },
];

const saleColumns = (counted: Counted): readonly Column<ShownMonth>[] => [
  {
    label: counted === 'sales' ? 'Sales' : 'Listings',
    isNumber: true,
    cell: ({ count }) => formatCount(count),
  },
  { label: 'Median', isNumber: true, cell: ({ median }) => formatUsd(median) },
  {
    label: 'Per sq ft',
    isNumber: true,
    cell: ({ perSqft }) => (perSqft === null ? UNKNOWN : `$${perSqft.toFixed(2)}`),
  },
];

function rangeText({ lower, upper }: { readonly lower: number; readonly upper: number }): string {
  return `${lower.toFixed(1)} – ${upper.toFixed(1)}`;
}

function MedianPlot({ unit, months }: { readonly unit: string; readonly months: readonly ShownMonth[] }) {
  const points = months
    .filter(({ isForecast }) => !isForecast)
    .map(({ month, median }) => ({ day: middleOf(month), value: median, ranges: [] }));
  const known = points.filter(({ value }) => value !== null);
  if (known.length < 2) return null;
  const without = points.length - known.length;
  return (
    <BandPlot
      label={`Median ${unit} by month. It also moves when other homes sell; the index does not.${without > 0 ? ` The line breaks at months with fewer than 10 ${unit === 'price' ? 'sales' : 'listings'}.` : ''}`}
      inputs={[months]}
      height={180}
      tickFormat={formatShortUsd}
      points={points}
    />
  );
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function SeasonPlot({ factors }: { readonly factors: readonly number[] }) {
  const rows = factors.map((factor, i) => ({ name: MONTHS[i] ?? '', percent: 100 * (factor - 1) }));
  return (
    <PlotFigure
      label="Seasonal factors of the whole market: percent above or below the level of the year."
      inputs={[factors]}
      plot={(Plot) => ({
        height: 160,
        marginLeft: 48,
        x: { label: null, domain: MONTHS },
        y: { label: null, grid: true, ticks: 4, tickFormat: formatChangePct },
        marks: [
          Plot.barY(rows, { x: 'name', y: 'percent', fill: 'var(--accent)' }),
          Plot.ruleY([0], { stroke: 'var(--line)' }),
        ],
      })}
    />
  );
}

function csvRows(months: readonly ShownMonth[]) {
  return months.map(({ interval_80, interval_95, perSqft, isForecast, ...row }) => ({
    month: row.month,
    forecast: String(isForecast),
    index: row.index,
    index_seasonally_adjusted: row.index_seasonally_adjusted,
    lower_80: interval_80.lower,
    upper_80: interval_80.upper,
    lower_95: interval_95.lower,
    upper_95: interval_95.upper,
    year_over_year_pct: row.year_over_year_pct,
    count: row.count,
    median: row.median,
    median_per_sqft: perSqft,
  }));
}
