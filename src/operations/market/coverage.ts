import { formatCount } from '../../domain/display-format.ts';
import { dayOfInstant, formatDay, type Day } from '../../domain/day.ts';
import { PROPERTY_TYPE_LABELS, PROPERTY_TYPES } from '../../domain/property-types.ts';
import type { MarketEntry } from '../market-data/market-catalog.ts';
import {
  findDatasetTypes,
  findLoadReports,
  type DatasetType,
  type IndexSeries,
  type LoadReport,
} from '../../store/datasets.ts';
import type { OperationDeps } from '../deps.ts';
import { STALE_AFTER_DAYS } from '../valuation/value-members.ts';

/** What a market may lack: a kind of data, in the order in which to load them; or what its data should have. */
const DATA_LACKS = [
  [
    'addresses',
    'No addresses: only addresses of sales and parcels can be found, and the map shows few houses.',
  ],
  [
    'parcels',
    'No parcels: only homes with a loaded sale have a public record. Requests for others must contain the property details.',
  ],
  ['parcel_areas', 'No parcel polygons: coordinates find their parcel by its point.'],
  ['sales', 'No sales: homes cannot be valued.'],
  [
    'rents',
    'No rents: they are estimated from census medians, if loaded. Buildings are valued by sales only.',
  ],
  ['index', 'No published price index: after the newest sales, prices follow the market’s own past only.'],
  ['census_areas', 'No census areas: locations have none, and there is no map of errors by tract.'],
  ['census_values', 'No census values: census figures are unknown.'],
  ['crime', 'No crime: it is unknown, which does not mean “none”.'],
  ['flood', 'No flood zones: they are unknown, which does not mean “no risk”.'],
  ['fire', 'No wildfire risk: it is unknown, which does not mean “no risk”.'],
] as const;
export const LACK_CODES = [
  'model',
  'recent_sales',
  'recent_rents',
  'sales_of_types',
  ...DATA_LACKS.map(([code]) => code),
] as const;

interface Lack {
  readonly code: (typeof LACK_CODES)[number];
  /** What it is and what it means, as a sentence. */
  readonly message: string;
}

/** A market with the contents of its sales data by type. */
export interface MarketCoverage {
  readonly entry: MarketEntry;
  readonly saleTypes: readonly DatasetType[];
  readonly rentTypes: readonly DatasetType[];
  /** Price indexes of publishers. */
  readonly indexes: readonly IndexSeries[];
  /** How many sales have each flag. */
  readonly flaggedSales: LoadReport['flagged'];
  /** Columns of the newest files that nothing reads. */
  readonly unreadColumns: readonly string[];
  readonly lacks: readonly Lack[];
}

/** Everything that is loaded and trained, by market id. */
export async function listCoverage({
  store,
  markets,
  clock,
}: Pick<OperationDeps, 'store' | 'markets' | 'clock'>): Promise<MarketCoverage[]> {
  const entries = await markets.list();
  const ids = entries.flatMap(({ sales, rents, index }) =>
    [sales, rents, index].flatMap((dataset) => dataset?.datasetId ?? []),
  );
  const [typesOf, reportOf] = [await findDatasetTypes(store, ids), await findLoadReports(store, ids)];
  const today = dayOfInstant(clock());
  return entries.map((entry) => {
    const { sales, rents, index } = entry;
    const saleTypes = (sales && typesOf.get(sales.datasetId)) ?? [];
    const rentTypes = (rents && typesOf.get(rents.datasetId)) ?? [];
    const reports = [sales, rents].flatMap((dataset) => (dataset && reportOf.get(dataset.datasetId)) ?? []);
    return {
      entry,
      saleTypes,
      rentTypes,
      indexes: (index && reportOf.get(index.datasetId)?.series) ?? [],
      flaggedSales: (sales && reportOf.get(sales.datasetId)?.flagged) ?? {},
      unreadColumns: [...new Set(reports.flatMap(({ unreadColumns }) => unreadColumns))],
      lacks: lacksOf(entry, saleTypes, rentTypes, today),
    };
  });
}

function lacksOf(
  { models, sales, rents, parcels, addresses, index, layers }: MarketEntry,
  saleTypes: readonly DatasetType[],
  rentTypes: readonly DatasetType[],
  today: Day,
): Lack[] {
  const lacks: Lack[] = [];
  const loaded = [sales, rents, parcels, addresses, index, ...layers].flatMap(
    (dataset) => dataset?.kind ?? [],
  );
  if (models.length === 0) {
    lacks.push({ code: 'model', message: 'No model: nothing can be valued before a training.' });
  }
  for (const [code, rows, types] of [
    ['recent_sales', 'sale', saleTypes],
    ['recent_rents', 'listing', rentTypes],
  ] as const) {
    const newest = newestOf(types);
    if (newest === null || today - newest <= STALE_AFTER_DAYS) continue;
    const age = `${formatCount(today - newest)} days ago`;
    const message = `The newest ${rows} is of ${formatDay(newest)}, ${age}: later changes of the market are not known.`;
    lacks.push({ code, message });
  }
  const without = PROPERTY_TYPES.filter((type) => !saleTypes.some((known) => known.type === type));
  if (sales && without.length > 0) {
    const names = without.map((type) => PROPERTY_TYPE_LABELS[type].toLowerCase()).join(', ');
    const message = `No sales of these types: ${names}. Their values rest on sales of other types, with a wide range.`;
    lacks.push({ code: 'sales_of_types', message });
  }
  const missing = DATA_LACKS.filter(([code]) => !loaded.some((kind) => kind.replace('-', '_') === code));
  return [...lacks, ...missing.map(([code, message]) => ({ code, message }))];
}

/** The day of the newest sale or listing. */
export function newestOf(types: readonly DatasetType[]): Day | null {
  return types.length === 0 ? null : Math.max(...types.map(({ lastOn }) => lastOn));
}
