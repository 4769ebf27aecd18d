import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  listHoldoutSales,
  pathOfReview,
  type HoldoutSale,
  type Measured,
  type ModelStudy,
} from '../../api/markets.ts';
import { Problem } from '../../api/problem.ts';
import { search } from '../../api/places.ts';
import { useRequest } from '../../api/use-request.ts';
import { Button, ProblemNotice, WhenLoaded } from '../../parts/basics.tsx';
import {
  formatCount,
  formatDay,
  formatMany,
  formatPercent,
  formatShortUsd,
  formatUsd,
} from '../../parts/format.ts';
import { SelectField } from '../../parts/field.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { saveCsv, saveGeoJson } from '../../parts/save-csv.ts';
import { actionsColumn, dateColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { pathOfHoldout, sampleWords, TYPE_NAMES } from './words.ts';

interface SalesProps {
  readonly modelId: string;
  readonly kind: ModelStudy['kind'];
  /** Day of the first model of the kind: as-of dates begin there. */
  readonly firstModel: string;
}

/** More than any market has: the files contain all sales. */
const ALL = 100_000;

const DIAGONAL = [
  { factor: 1, dashes: '0' },
  { factor: 1.2, dashes: '4 4' },
  { factor: 1 / 1.2, dashes: '4 4' },
] as const;

/** Values by prices of the holdout sales. */
export function SaleScatter({ modelId, kind, firstModel }: SalesProps) {
  const { one, many, price } = sampleWords(kind);
  const openSale = useOpenSale(kind, firstModel);
  const loaded = useRequest((signal) => listHoldoutSales(modelId, {}, signal), [modelId]);
  return (
    <div class="stack">
      <div class="section-head">
        <h3>Values and {price}s</h3>
        <div class="row">
          <Download modelId={modelId} format="CSV" />
          <Download modelId={modelId} format="GeoJSON" />
        </div>
      </div>
      <WhenLoaded of={loaded} waiting={`Loading the ${many}`}>
        {({ sales, total }) => (
          <PlotFigure
            label={`Value by ${price} of ${sales.length < total ? `${formatCount(sales.length)} of ` : ''}${formatMany(total, `holdout ${one}`)}. Line: equal; dashed: 20% higher or lower. Click a dot to open the value of its ${one}.`}
            inputs={[sales]}
            onSelect={(row) => {
              const sale = sales.find((each) => each === row);
              if (sale) void openSale(sale);
            }}
            plot={(Plot, width) => {
              const usd = sales.flatMap((sale) => [sale.price, sale.value]);
              const ends = [usd.reduce((a, b) => Math.min(a, b)), usd.reduce((a, b) => Math.max(a, b))];
              const axis = {
                type: 'log',
                domain: ends,
                tickFormat: formatShortUsd,
                ticks: roundFigures(ends),
                grid: true,
              } as const;
              return {
                height: Math.max(280, Math.min(520, width * 0.6)),
                marginLeft: 56,
                x: { ...axis, label: `${price} →` },
                y: { ...axis, label: '↑ value' },
                marks: [
                  ...DIAGONAL.map(({ factor, dashes }) =>
                    Plot.line(ends, {
                      x: (end: number) => end,
                      y: (end: number) => end * factor,
                      stroke: 'var(--quiet)',
                      strokeDasharray: dashes,
                      clip: true,
                    }),
                  ),
                  Plot.dot(sales, {
                    x: 'price',
                    y: 'value',
                    r: 2.5,
                    fill: 'var(--series-1)',
                    fillOpacity: 0.35,
                  }),
                  Plot.tip(
                    sales,
                    Plot.pointer({
                      x: 'price',
                      y: 'value',
                      title: titleOf,
                      maxRadius: 12,
                      fill: 'var(--raised)',
                      fontSize: 13,
                      lineWidth: 40,
                    }),
                  ),
                ],
              };
            }}
          />
        )}
      </WhenLoaded>
    </div>
  );
}

/** Opens the value of a sale. Units of a building share its point, so the address is that of its parcel, if one has it. */
function useOpenSale(kind: ModelStudy['kind'], firstModel: string) {
  const { route } = useLocation();
  return async (sale: HoldoutSale): Promise<void> => {
    // Without a response the point is used.
    const address = await addressOfParcel(sale.parcel_id).catch(() => null);
    route(pathOfHoldout(sale, kind, firstModel, address));
  };
}

async function addressOfParcel(parcelId: string): Promise<string | null> {
  if (parcelId === '') return null;
  const found = await search(parcelId);
  const parcels = found.filter(({ kind, text }) => kind === 'parcel' && text === parcelId);
  return parcels.length === 1 ? parcels[0].address : null;
}

function SaleLink(props: Pick<SalesProps, 'kind' | 'firstModel'> & { readonly sale: HoldoutSale }) {
  const { sale, kind, firstModel } = props;
  const openSale = useOpenSale(kind, firstModel);
  return (
    <a
      href={pathOfHoldout(sale, kind, firstModel)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void openSale(sale);
      }}
    >
      {nameOf(sale)}
    </a>
  );
}

/** Round figures of a range: 1, 2 and 5 times the powers of ten, or more of them if these are few. */
function roundFigures([low = 1, high = low]: readonly number[]): number[] {
  const first = Math.floor(Math.log10(low));
  const decades = Array.from({ length: Math.ceil(Math.log10(high)) - first }, (_, i) => 10 ** (first + i));
  const inRange = (steps: readonly number[]): number[] =>
    decades.flatMap((power) => steps.map((n) => n * power)).filter((n) => n >= low && n <= high);
  const coarse = inRange([1, 2, 5]);
  return coarse.length < 4 ? inRange([1, 1.5, 2, 2.5, 3, 4, 5, 7]) : coarse;
}

function nameOf({ address, record_id }: HoldoutSale): string {
  return address || record_id || 'No address';
}

function titleOf(sale: HoldoutSale): string {
  const { sold_on, price, value, ratio } = sale;
  return `${nameOf(sale)}\n${formatDay(sold_on)}: ${formatUsd(price)}, valued ${formatUsd(value)} (${signedPercent(ratio - 1)})`;
}

/** `+4.2%` */
function signedPercent(share: number): string {
  return `${share < 0 ? '−' : '+'}${formatPercent(Math.abs(share))}`;
}

/** All holdout sales as a file. */
function Download({ modelId, format }: { readonly modelId: string; readonly format: 'CSV' | 'GeoJSON' }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const { sales } = await listHoldoutSales(modelId, { limit: ALL });
      if (format === 'CSV') saveCsv(`${modelId}-holdout-sales.csv`, sales.map(fileRow));
      else saveGeoJson(`${modelId}-holdout-sales.geojson`, sales.map(featureOf));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button isSmall busy={isBusy && 'Downloading …'} onClick={save}>
        Download {format}
      </Button>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}

/** With the names of a backtest's file, which `plumbline accuracy` reads, too. */
function fileRow({ sold_on, type, low_90, high_90, ...sale }: HoldoutSale) {
  const { record_id, parcel_id, address, price, value, ratio, ...place } = sale;
  const known = { record_id, parcel_id, address, sale_date: sold_on, price, value, ratio };
  return { ...known, p5: low_90, p95: high_90, property_type: type, ...place };
}

function featureOf(sale: HoldoutSale) {
  const { latitude, longitude, ...properties } = fileRow(sale);
  return { geometry: { type: 'Point', coordinates: [longitude, latitude] } as const, properties };
}

interface GroupProps extends SalesProps {
  readonly market: string;
}

/** The holdout sales of a fifth by price, once one is chosen. */
export function TierSales({ tiers, ...of }: GroupProps & { readonly tiers: Measured['tiers'] }) {
  const [tier, setTier] = useState('');
  const nameOf = ({ key, median_price }: (typeof tiers)[number]) =>
    `value tier ${key} of ${tiers.length}, around ${formatUsd(median_price)}`;
  const chosen = tiers.find(({ key }) => key === tier);
  return (
    <div class="stack">
      <div class="narrow">
        <SelectField
          label={`List the ${sampleWords(of.kind).many} of a value tier`}
          value={tier}
          choices={[
            { value: '', label: 'None' },
            ...tiers.map((each) => ({ value: each.key, label: nameOf(each) })),
          ]}
          onInput={setTier}
        />
      </div>
      {chosen && <GroupSales {...of} group={{ tier }} name={nameOf(chosen)} />}
    </div>
  );
}

/** The holdout sales of one area or fifth. */
export function GroupSales(
  props: GroupProps & {
    readonly group: { readonly area: string } | { readonly tier: string };
    readonly name: string;
  },
) {
  const { modelId, kind, market, firstModel, group, name } = props;
  const { session } = useSession();
  const isReviewed = session.is_operator && kind === 'property';
  const columns = [...columnsOf(kind, firstModel), ...(isReviewed ? [reviewColumn(market)] : [])];
  const { many, one } = sampleWords(kind);
  const loaded = useRequest(
    (signal) => listHoldoutSales(modelId, { ...group, limit: ALL }, signal),
    [modelId, JSON.stringify(group)],
  );
  return (
    <div class="stack" role="region" aria-label={`Holdout ${many}: ${name}`}>
      <h4>
        Holdout {many}: {name}
      </h4>
      <WhenLoaded of={loaded} waiting={`Loading the ${many}`}>
        {({ sales }) => (
          <>
            <p class="quiet small" role="status">
              {formatMany(sales.length, one)}. Each was valued without itself and without later ones. A link
              opens the value as of the day before, or as of {formatDay(firstModel)} if that is later: no
              model is older. That value uses only the details on record by then, so it can differ.
            </p>
            <Table
              caption={`Holdout ${many}`}
              columns={columns}
              rows={sales}
              keyOf={({ record_id, sold_on }, i) => `${record_id} ${sold_on} ${i}`}
              sorting={{ column: ERROR, isDescending: true }}
            />
          </>
        )}
      </WhenLoaded>
    </div>
  );
}

/** A sale with a large error may be no market sale, or a typing error. */
function reviewColumn(market: string): Column<HoldoutSale> {
  return actionsColumn((sale) =>
    sale.record_id ? (
      <a
        class="button small"
        href={pathOfReview(market, sale.record_id)}
        aria-label={`Review ${nameOf(sale)}`}
      >
        Review
      </a>
    ) : null,
  );
}

const ERROR = 'Error';

const columnsOf = (kind: ModelStudy['kind'], firstModel: string): Column<HoldoutSale>[] => [
  {
    label: 'Property',
    isRowHeader: true,
    sortBy: nameOf,
    cell: (sale) => <SaleLink sale={sale} kind={kind} firstModel={firstModel} />,
  },
  { label: 'Type', sortBy: ({ type }) => type, cell: ({ type }) => TYPE_NAMES[type] ?? type },
  dateColumn('Date', ({ sold_on }) => sold_on, formatDay),
  numberColumn('Price', ({ price }) => price, formatUsd),
  numberColumn('Value', ({ value }) => value, formatUsd),
  {
    label: ERROR,
    isNumber: true,
    sortBy: ({ ratio }) => Math.abs(ratio - 1),
    cell: ({ ratio }) => signedPercent(ratio - 1),
  },
  {
    label: '90% range',
    isNumber: true,
    cell: ({ low_90, high_90 }) => (
      <span class="nowrap">
        {low_90 === null || high_90 === null
          ? '—'
          : `${formatShortUsd(low_90)} to ${formatShortUsd(high_90)}`}
      </span>
    ),
  },
];
