import type { DatasetKind, Estimate, MarketSummary, MarketWork } from '../../api/markets.ts';
import { formatPercent, UNKNOWN } from '../../parts/format.ts';

/** What the kinds of data are called, in the order in which they are best loaded. */
export const DATA_NAMES: Readonly<Record<DatasetKind, string>> = {
  addresses: 'Addresses',
  parcels: 'Parcels',
  sales: 'Sales',
  rents: 'Rents',
  'census-areas': 'Census areas',
  'census-values': 'Census values',
  crime: 'Crime',
  flood: 'Flood',
  fire: 'Fire',
};

export const DATA_KINDS: readonly DatasetKind[] = [
  'addresses',
  'parcels',
  'sales',
  'rents',
  'census-areas',
  'census-values',
  'crime',
  'flood',
  'fire',
];

export const MODEL_NAMES = { property: 'Homes', rental: 'Rents', multifamily: 'Buildings' } as const;

/** What a model's evidence is called: sales, or listings. */
export function evidenceOf(kind: keyof typeof MODEL_NAMES): {
  readonly one: string;
  readonly many: string;
  readonly price: string;
} {
  return kind === 'rental'
    ? { one: 'listing', many: 'listings', price: 'asked rent' }
    : { one: 'sale', many: 'sales', price: 'price' };
}

export const TYPE_NAMES: Readonly<Record<string, string>> = {
  houses: 'Houses',
  townhomes: 'Townhomes',
  condos: 'Condos',
  small_multifamily: 'Buildings of 2–4 units',
  multifamily: 'Buildings of 5+ units',
  mobile: 'Mobile homes',
};

/** `8.3% (7.9–8.8%)`: a figure with the interval that holds the true one 19 times in 20. */
export function percentWithInterval(estimate: Estimate | null): string {
  if (estimate === null) return UNKNOWN;
  const figure = formatPercent(estimate.figure);
  const { ci95 } = estimate;
  return ci95 ? `${figure} (${(ci95[0] * 100).toFixed(1)}–${(ci95[1] * 100).toFixed(1)})` : figure;
}

/** `0.994 (0.987–1.002)` */
export function ratioWithInterval({ figure, ci95 }: Estimate): string {
  return ci95 ? `${figure.toFixed(3)} (${ci95[0].toFixed(3)}–${ci95[1].toFixed(3)})` : figure.toFixed(3);
}

const TASKS = { import: 'Import', train: 'Training', backtest: 'Backtest' } as const;

/** `Import of sales`, `Training of rents`, `Training` */
export function workTitle({ task, kind }: Pick<MarketWork, 'task' | 'kind'>): string {
  if (kind === null) return TASKS[task];
  const name = task === 'import' ? kind.replace('-', ' ') : (MODEL_WORDS[kind] ?? kind);
  return `${TASKS[task]} of ${name}`;
}

const MODEL_WORDS: Readonly<Record<string, string>> = {
  property: 'homes',
  rental: 'rents',
  multifamily: 'buildings',
};

/** What goes on in a market, in a few words; null where nothing does. */
export function workSummary(work: MarketSummary['work']): string | null {
  const [first, ...others] = work;
  if (!first) return null;
  const share = first.share === null ? '' : ` ${Math.round(first.share * 100)}%`;
  const state = { running: `under way${share}`, queued: 'in the queue', lost: 'ended without a word' };
  return `${workTitle(first)} ${state[first.state]}${others.length > 0 ? `, ${others.length} more` : ''}`;
}

/** The command that loads what a market does not have. */
export function importCommand(kind: DatasetKind, market: string): string {
  return `plumbline import ${kind} ${EXAMPLE_FILES[kind]} --market ${market}`;
}

const EXAMPLE_FILES: Readonly<Record<DatasetKind, string>> = {
  addresses: 'addresses.csv',
  parcels: 'parcels.csv',
  sales: 'sales.csv',
  rents: 'listings.csv',
  'census-areas': 'block-groups.zip',
  'census-values': 'acs-tables.zip',
  crime: 'incidents.csv',
  flood: 'S_FLD_HAZ_AR.shp',
  fire: 'burn-probability.tif',
};

/** What people cannot ask of a market as long as a kind of data is missing. */
export const MISSING_MEANS: Readonly<Record<DatasetKind, string>> = {
  addresses: 'Addresses are found only where a sale or a parcel stands; the map shows few houses.',
  parcels: 'What the county records of a home has to be told with each request.',
  sales: 'No home can be valued.',
  rents: 'Rents come from census medians, if at all; buildings are valued by their sales alone.',
  'census-areas': 'Places have no census areas, and this page has no tracts to show errors by.',
  'census-values': 'Census figures are unknown here.',
  crime: 'Crime is unknown here, which is not the same as none.',
  flood: 'Flood zones are unknown here, which is not the same as none.',
  fire: 'Wildfire risk is unknown here, which is not the same as none.',
};
