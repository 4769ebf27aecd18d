import { dayOfInstant, formatDay } from '../../domain/day.ts';
import { MAP_LAYERS } from '../../domain/map-layer.ts';
import { boundsAround, touches, type Bounds } from '../../geo/bounds.ts';
import type { Dataset } from '../../store/datasets.ts';
import type { DatasetKind } from '../../store/tables/datasets.ts';

/** What maps draw from one source. */
interface MapSource {
  readonly layers: DatasetKind[];
  readonly source: string;
  readonly date: string | null;
  /** Where they are; null if that is unknown. */
  readonly extent: Bounds | null;
}

const DRAWN: readonly DatasetKind[] = [...MAP_LAYERS, 'parcel-areas'];

/** Sources of the map layers, for their attribution, in the order in which layers are listed: those of a box, if given. */
export function mapSourcesOf(datasets: readonly Dataset[], within: Bounds | null = null): MapSource[] {
  const sources = new Map<string, MapSource>();
  for (const layer of DRAWN) {
    for (const { source, publishedAt, bounds } of datasets.filter(({ kind }) => kind === layer)) {
      if (source.name === null || (within && bounds && !touches(within, bounds))) continue;
      const imported = publishedAt === null ? null : formatDay(dayOfInstant(new Date(publishedAt)));
      const date = source.retrievedAt ?? imported;
      const key = JSON.stringify([source.name, date]);
      const known = sources.get(key) ?? { layers: [], source: source.name, date, extent: bounds };
      if (!known.layers.includes(layer)) known.layers.push(layer);
      const extent = bounds && known.extent && boundsAround([bounds, known.extent]);
      sources.set(key, { ...known, extent });
    }
  }
  return [...sources.values()];
}
