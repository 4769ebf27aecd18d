import type { Dataset, DatasetKind } from '../../store/datasets.ts';
import type { MapAddress } from '../../store/map-addresses.ts';

/** One building with its house number. */
export interface AddressPoint {
  readonly lat: number;
  readonly lon: number;
  readonly number: string;
}

/** The first of these that has addresses supplies a market's points. Sales repeat addresses of the other files. */
const ADDRESS_SOURCES: readonly DatasetKind[] = ['addresses', 'parcels', 'sales', 'rents'];

/** The datasets that supply address points: one per market, ordered by id. */
export function addressSources(datasets: readonly Dataset[]): Dataset[] {
  const byMarket = Map.groupBy(datasets, ({ marketId }) => marketId);
  return [...byMarket.values()]
    .flatMap((own) => {
      const ofKind = (kind: DatasetKind): Dataset | undefined =>
        own.find((dataset) => dataset.kind === kind && dataset.addressCount !== 0);
      return ADDRESS_SOURCES.map(ofKind).find((dataset) => dataset !== undefined) ?? [];
    })
    .sort((a, b) => a.datasetId - b.datasetId);
}

/** One point per house number. Units share the point of their building. The order of the rows does not matter. */
export function addressPointsOf(rows: readonly MapAddress[]): AddressPoint[] {
  const points = new Map<string, MapAddress>();
  for (const row of rows) {
    if (row.key_number === '') continue;
    const key = `${streetKeyOf(row)}|${row.key_number}|${row.key_number_suffix}`;
    const known = points.get(key);
    if (!known || comesBefore(row, known)) points.set(key, row);
  }
  return [...points]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { lat, lon, key_number, key_number_suffix }]) => ({
      lat,
      lon,
      number: key_number + key_number_suffix,
    }));
}

/** "N MAIN ST" and "MAIN ST N" are one street, as in src/domain/address-key.ts. */
function streetKeyOf(row: MapAddress): string {
  const { key_pre_direction: pre, key_post_direction: post } = row;
  const direction = pre < post ? pre + post : post + pre;
  return `${direction}|${row.key_street_name}|${row.key_street_type}`;
}

function comesBefore(a: MapAddress, b: MapAddress): boolean {
  if (a.key_unit !== b.key_unit && (a.key_unit === '' || b.key_unit === '')) return a.key_unit === '';
  return a.lat === b.lat ? a.lon < b.lon : a.lat < b.lat;
}
