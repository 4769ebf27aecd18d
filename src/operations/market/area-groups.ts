import { openCensusAreas } from '../../places/census-areas.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { AREA_LEVELS, type AreaLevel } from '../../schemas/market-index.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { MarketIndex } from '../../valuation/price-index/bound-index.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import { cached } from '../../promise-cache.ts';
import type { MarketInputs } from '../market-data/market-catalog.ts';
import type { Markets } from '../market-data/markets.ts';

/** Columns whose tracts are kept: one text for each sale, shared by the sales of a tract. */
const TRACTS_KEPT = 8;

/** The area of a sale; null if it is unknown. */
type AreaOfRow = (row: number) => string | null;

export type AreaGroups = ReturnType<typeof createAreaGroups>;

export function isAreaLevel(text: string): text is AreaLevel {
  return AREA_LEVELS.some((level) => level === text);
}

/** Finds the areas of sales. Locating 50,000 sales in tracts takes half a second, so they are kept. */
export function createAreaGroups({
  markets,
  places,
}: {
  readonly markets: Markets;
  readonly places: PlaceDeps;
}) {
  const tractsOf = cached(TRACTS_KEPT, async (inputs: MarketInputs, _layers: readonly (string | null)[]) => {
    const { columns } = await markets.ofInputs(inputs);
    const points = Array.from(columns.lat, (lat, row) => ({ lat, lon: columns.lon[row] }));
    const areasAt = await openCensusAreas(places, points);
    const names = new Map<string, string | null>();
    const geoids = points.map((point) => {
      const { tract } = areasAt(point);
      if (tract) names.set(tract.geoid, tract.name);
      return tract?.geoid ?? null;
    });
    return { geoids, names };
  });

  async function tracts(inputs: MarketInputs) {
    const layers = (await places.listDatasets()).filter(({ kind }) => kind === 'census-areas');
    return tractsOf(
      inputs,
      layers.map(({ snapshotSha256 }) => snapshotSha256),
    );
  }

  return {
    /** @param index the model whose small areas are meant */
    async areaOfRow(
      level: AreaLevel,
      inputs: MarketInputs,
      columns: SaleColumns,
      index: MarketIndex,
    ): Promise<AreaOfRow> {
      if (level === 'zip') return (row) => textAt(columns.postalCode, row).slice(0, 5) || null;
      if (level === 'model_area') return (row) => String(index.areaAt(columns.lat[row], columns.lon[row]));
      const { geoids } = await tracts(inputs);
      return (row) => geoids[row];
    },
    tractNames: async (inputs: MarketInputs) => (await tracts(inputs)).names,
  };
}
