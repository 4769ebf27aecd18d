import type { Day } from '../../domain/day.ts';
import { DISTANCE_FACTS, LOCATION_FACTS } from '../../domain/location-facts.ts';
import { PlumblineError } from '../../errors.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { readLocationFacts } from '../../places/location-facts.ts';
import { openPlaces } from '../../places/open-places.ts';
import { currentDatasets, datasetById, type Dataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import type { DatasetKind, ModelRecord } from '../../store/tables/datasets.ts';
import { extendFeature } from '../../valuation/columns/build-columns.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { withEachHome, type Home } from '../../valuation/subject.ts';

/** The layers of a market that facts of a location come from. */
const FACT_LAYERS: ReadonlySet<DatasetKind> = new Set<DatasetKind>([
  'flood',
  'census-areas',
  'census-values',
  ...DISTANCE_FACTS.map(({ layer }) => layer),
]);

/** The facts of a location that a model uses. */
function usedFacts({ features }: Pick<ModelRecord, 'features'>): string[] {
  const chosen = features?.tests.filter(({ isChosen }) => isChosen).map(({ name }) => name) ?? [];
  return chosen.filter((name) => LOCATION_FACTS.includes(name));
}

/** The facts of a location that a model uses, and the layers that they come from. */
export interface PinnedFacts {
  readonly names: readonly string[];
  readonly layerIds: readonly number[];
}

interface ModelInUse {
  readonly model: Pick<ModelRecord, 'features'>;
  readonly inputs: { readonly layerIds?: readonly number[] };
}

export function pinnedFacts({ model, inputs: { layerIds = [] } }: ModelInUse): PinnedFacts {
  return { names: usedFacts(model), layerIds };
}

/** The layers that a model's facts come from now; none for a model without such facts. */
export function layersOf(layers: readonly Dataset[], model: Pick<ModelRecord, 'features'>): number[] {
  if (usedFacts(model).length === 0) return [];
  return layers.filter(({ kind }) => FACT_LAYERS.has(kind)).map(({ datasetId }) => datasetId);
}

/** A market's sales with the facts of their locations, and the layers that these come from. */
export async function withCurrentFacts(
  store: Store,
  columns: SaleColumns,
  marketId: string,
): Promise<{ readonly columns: SaleColumns; readonly layers: readonly Dataset[] }> {
  const layers = (await currentDatasets(store, { marketId })).filter(({ kind }) => FACT_LAYERS.has(kind));
  if (layers.length === 0) return { columns, layers };
  const places = openPlaces(store, async () => layers);
  return { columns: await addFacts(places, columns, LOCATION_FACTS), layers };
}

/**
 * Columns of a model, followed by newer sales: these get the facts of their locations that the model uses.
 *
 * @param from the first newer sale
 * @throws PlumblineError `gone` if a layer was deleted
 */
export async function withFactsOfNewer(
  store: Store,
  columns: SaleColumns,
  from: number,
  { names, layerIds }: PinnedFacts,
): Promise<SaleColumns> {
  if (names.length === 0 || from === columns.n) return columns;
  const layers: Dataset[] = [];
  for (const datasetId of layerIds) {
    const layer = await datasetById(store, datasetId);
    if (!layer) throw new PlumblineError('gone', 'The location data of this valuation are no longer kept.');
    layers.push(layer);
  }
  return addFacts(
    openPlaces(store, async () => layers),
    columns,
    names,
    from,
  );
}

/** Rows before `from` keep what the columns have. */
async function addFacts(
  deps: PlaceDeps,
  columns: SaleColumns,
  names: readonly string[],
  from = 0,
): Promise<SaleColumns> {
  const { n, lat, lon, soldOn } = columns;
  const places = Array.from({ length: n - from }, (_, i) => {
    const row = from + i;
    return { lat: lat[row], lon: lon[row], day: soldOn[row] };
  });
  const facts = await readLocationFacts(deps, places);
  const isKnown = (name: string) => from > 0 || facts.some((known) => name in known);
  const added = names.filter(isKnown).map((name) => {
    const before = columns.features.find((feature) => feature.name === name);
    const codes = before?.codes.subarray(0, from) ?? new Int32Array(from).fill(-1);
    const known = { name, levels: before?.levels ?? [], codes };
    return extendFeature(known, n, (row) => facts[row - from][name]);
  });
  const own = columns.features.filter(({ name }) => !names.includes(name));
  const features = [...own, ...added].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ...columns, features };
}

/** A subject with the facts of its location that the model uses, as known on the as-of date. */
export async function withLocationFacts<Subject extends { readonly home: Home }>(
  places: PlaceDeps,
  inUse: ModelInUse,
  subject: Subject,
  day: Day,
): Promise<Subject> {
  const { names, layerIds } = pinnedFacts(inUse);
  if (names.length === 0) return subject;
  const layers = (await places.listDatasets()).filter(({ datasetId }) => layerIds.includes(datasetId));
  const { lat, lon } = subject.home;
  const [facts] = await readLocationFacts({ ...places, listDatasets: async () => layers }, [
    { lat, lon, day },
  ]);
  // The record may have those of the day of an earlier sale.
  const described = (home: Home): Home => {
    const others = Object.entries(home.features).filter(([name]) => !names.includes(name));
    const known = Object.entries(facts).filter(([name]) => names.includes(name));
    return { ...home, features: Object.fromEntries([...others, ...known]) };
  };
  return { ...subject, home: withEachHome(subject.home, described) };
}
