import type { Dataset } from '../store/datasets.ts';
import { datasetsNear, type PlaceDeps } from './deps.ts';

/** The annual burn probability of the cell at a point, and its dataset. */
export interface BurnProbability {
  readonly probability: number;
  readonly dataset: Dataset;
}

/** The value of the first map with data at a point, in the order of imports; null if none has. */
export async function burnProbabilityAt(
  deps: PlaceDeps,
  lat: number,
  lon: number,
): Promise<BurnProbability | null> {
  for (const dataset of await datasetsNear(deps, 'fire', lat, lon)) {
    if (dataset.snapshotSha256 === null) continue;
    for (const { cellAt, firstTile } of await deps.fireCells(dataset.snapshotSha256)) {
      const at = cellAt(lat, lon);
      const cells = at && (await deps.tileCells(dataset.datasetId, firstTile + at.tile));
      const probability = cells ? cells[at.cell] : NaN;
      if (!Number.isNaN(probability)) return { probability, dataset };
    }
  }
  return null;
}
