import type {
  DatasetKind,
  Estimate,
  HoldoutSale,
  MarketModel,
  MarketSummary,
  MarketWork,
  ModelStudy,
} from '../../api/markets.ts';
import { formatPercent, UNKNOWN } from '../../parts/format.ts';

export function rowsOf({ loaded }: Pick<MarketSummary, 'loaded'>, kind: string): number | null {
  return loaded.find((each) => each.kind === kind)?.rows ?? null;
}

interface DataWords {
  readonly name: string;
  readonly exampleFile: string;
}

/** The kinds of data, in the order in which to load them. */
export const DATA: Readonly<Record<DatasetKind, DataWords>> = {
  addresses: {
    name: 'Addresses',
    exampleFile: 'addresses.csv',
  },
  parcels: {
    name: 'Parcels',
    exampleFile: 'parcels.csv',
  },
  sales: { name: 'Sales', exampleFile: 'sales.csv' },
  rents: {
    name: 'Rents',
    exampleFile: 'listings.csv',
  },
  index: { name: 'Price indexes', exampleFile: 'hpi_po_metro.txt' },
  'parcel-areas': {
    name: 'Parcel polygons',
    exampleFile: 'parcels.geojson',
  },
  'census-areas': {
    name: 'Census areas',
    exampleFile: 'block-groups.zip',
  },
  'census-values': {
    name: 'Census values',
    exampleFile: 'acs-tables.zip',
  },
  crime: {
    name: 'Crime',
    exampleFile: 'incidents.csv',
  },
  flood: {
    name: 'Flood',
    exampleFile: 'S_FLD_HAZ_AR.shp',
  },
  fire: {
    name: 'Fire',
    exampleFile: 'burn-probability.tif',
  },
  roads: { name: 'Roads', exampleFile: 'tl_2024_55079_roads.zip' },
  water: { name: 'Water', exampleFile: 'tl_2024_55079_areawater.zip' },
  parks: { name: 'Parks', exampleFile: 'parks.geojson' },
  buildings: { name: 'Buildings', exampleFile: 'buildings.geojson' },
  boundaries: { name: 'City limits', exampleFile: 'city-limits.geojson' },
};

export const DATA_KINDS = [
  'addresses',
  'parcels',
  'parcel-areas',
  'sales',
  'rents',
  'index',
  'census-areas',
  'census-values',
  'crime',
  'flood',
  'fire',
  'roads',
  'water',
  'parks',
  'buildings',
  'boundaries',
] as const satisfies readonly DatasetKind[];

/** The command that loads a kind of data. */
export function importCommand(kind: DatasetKind, market: string): string {
  const place = kind === 'index' ? ' --cbsa CODE' : '';
  return `plumbline import ${kind} ${DATA[kind].exampleFile} --market ${market}${place}`;
}

/** Lacks whose code says too little. */
const LACK_NAMES: Readonly<Record<string, string>> = {
  sales_of_types: 'sales of some types',
  index: 'price index',
};

/** `recent_sales` → `recent sales` */
export function lackName(code: string): string {
  return LACK_NAMES[code] ?? code.replaceAll('_', ' ');
}

/** `addresses, parcels and 7 more`: the page of the market lists all. */
export function lackNames(codes: readonly string[]): string {
  const shown = codes.length > 3 ? codes.slice(0, 2) : codes;
  const more = codes.length - shown.length;
  return `${shown.map(lackName).join(', ') || 'nothing'}${more > 0 ? ` and ${more} more` : ''}`;
}

export const MODEL_NAMES = { property: 'Homes', rental: 'Rents', multifamily: 'Buildings' } as const;
type ModelKind = keyof typeof MODEL_NAMES;

/** What a model is measured on: sales or listings. */
export function sampleWords(kind: ModelKind) {
  return kind === 'rental'
    ? { one: 'listing', many: 'listings', price: 'asking rent' }
    : { one: 'sale', many: 'sales', price: 'price' };
}

type ModelOfHistory = Pick<MarketModel, 'id' | 'kind' | 'state' | 'trained_on'>;

/**
 * The day from which a newer active model is used in place of this one; null if none is, or if no as-of date uses this one.
 * `history` is newest first.
 */
export function usedBefore(model: ModelOfHistory, history: readonly ModelOfHistory[]): string | null {
  const active = history.filter(({ kind, state }) => kind === model.kind && state === 'active');
  const newer = active[active.findIndex(({ id }) => id === model.id) - 1];
  return newer && newer.trained_on > model.trained_on ? newer.trained_on : null;
}

/**
 * The kinds whose newest model was held back, with the model that values them instead; null if none is active.
 * `history` is newest first.
 */
export function heldBackModels<Model extends ModelOfHistory & Pick<MarketModel, 'is_active'>>(
  history: readonly Model[],
): { readonly waiting: Model; readonly active: Model | null }[] {
  return [...Map.groupBy(history, ({ kind }) => kind).values()].flatMap((models) => {
    const active = models.find(({ is_active: isActive }) => isActive) ?? null;
    return models[0].state === 'held_back' ? [{ waiting: models[0], active }] : [];
  });
}

export const TYPE_NAMES: Readonly<Record<string, string>> = {
  houses: 'Houses',
  townhomes: 'Townhomes',
  condos: 'Condos',
  small_multifamily: 'Buildings of 2–4 units',
  multifamily: 'Buildings of 5+ units',
  mobile: 'Mobile homes',
};

/** A figure, and its 95% confidence interval if it has one. */
type EstimateTexts = readonly [figure: string, interval: string | null];

export function percentTexts({ figure, ci95 }: Estimate): EstimateTexts {
  const percent = (share: number): string => (share * 100).toFixed(1);
  return [formatPercent(figure), ci95 && ci95.map(percent).join('–')];
}

export function ratioTexts({ figure, ci95 }: Estimate): EstimateTexts {
  const ratio = (value: number): string => value.toFixed(3);
  return [ratio(figure), ci95 && ci95.map(ratio).join('–')];
}

const onOneLine = ([figure, interval]: EstimateTexts): string =>
  interval === null ? figure : `${figure} (${interval})`;

/** `8.3% (7.9–8.8)` */
export function percentWithInterval(estimate: Estimate | null): string {
  return estimate === null ? UNKNOWN : onOneLine(percentTexts(estimate));
}

/** `0.994 (0.987–1.002)` */
export function ratioWithInterval(estimate: Estimate): string {
  return onOneLine(ratioTexts(estimate));
}

const TASKS = { import: 'Import', train: 'Training', backtest: 'Backtest' } as const;

/** `Import of sales`, `Training of rents`, `Training` */
export function workTitle({ task, kind }: Pick<MarketWork, 'task' | 'kind'>): string {
  if (kind === null) return TASKS[task];
  const modelName = Object.entries(MODEL_NAMES).find(([model]) => model === kind)?.[1];
  return `${TASKS[task]} of ${(modelName ?? kind.replace('-', ' ')).toLowerCase()}`;
}

/** What is running in a market, in a few words; null if nothing is. */
export function workSummary(work: MarketSummary['work']): string | null {
  const [first, ...others] = work;
  if (!first) return null;
  const share = first.share === null ? '' : ` ${Math.round(first.share * 100)}%`;
  const state = { running: `running${share}`, queued: 'queued', lost: 'stopped unexpectedly' };
  return `${workTitle(first)} ${state[first.state]}${others.length > 0 ? `, ${others.length} more` : ''}`;
}

/**
 * The value of a holdout sale as of the day before it, because the study used nothing later; as of the day of the first
 * model (`firstModel`) if that is later. By its `address` if that is known: units of a building share its point.
 */
export function pathOfHoldout(
  { latitude, longitude, sold_on }: Pick<HoldoutSale, 'latitude' | 'longitude' | 'sold_on'>,
  kind: ModelStudy['kind'],
  firstModel: string,
  address: string | null = null,
): string {
  const day = new Date(Date.parse(sold_on) - 86_400_000).toISOString().slice(0, 10);
  const date = day < firstModel ? firstModel : day;
  const rent = kind === 'rental' ? '&kind=rent' : '';
  const place =
    address === null
      ? `latitude=${latitude}&longitude=${longitude}`
      : `address=${encodeURIComponent(address)}`;
  return `/console/value?${place}&date=${date}${rent}`;
}
