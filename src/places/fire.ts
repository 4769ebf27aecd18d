import type { Dataset } from '../store/datasets.ts';
import { datasetsNear, type PlaceDeps } from './deps.ts';

/** The annual chance that the cell at a point burns, and the dataset that says so. */
export interface BurnProbability {
  readonly probability: number;
  readonly dataset: Dataset;
}

/** What the first map with data at a point says; null where none has. Markets are asked in the order of their imports. */
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
