import { dayOfInstant, formatDay, type Day } from '../domain/day.ts';
import { newestOf } from '../operations/market/coverage.ts';
import { DATASET_OF, MARKET_KINDS, modelsOf, readCatalog } from '../operations/market-data/market-catalog.ts';
import { STALE_AFTER_DAYS } from '../operations/valuation/value-members.ts';
import { findDatasetTypes } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import type { Finding } from './finding.ts';

/** Markets whose newest rows are old, and models that are older than the rows. */
export async function checkMarkets(store: Store): Promise<Finding[]> {
  const today = dayOfInstant(store.clock());
  const { entries, datasets } = await readCatalog(store);
  const types = await findDatasetTypes(
    store,
    datasets.map(({ datasetId }) => datasetId),
  );
  return entries.flatMap((entry) => {
    const { marketId } = entry;
    return MARKET_KINDS.flatMap((kind) => {
      const rows = DATASET_OF[kind];
      const dataset = entry[rows];
      const newest = dataset && newestOf(types.get(dataset.datasetId) ?? []);
      if (newest === null) return [];
      const about = { marketId, kind, rows, newest } as const;
      const trainedOn = modelsOf(entry, kind).at(-1)?.trainedOn ?? null;
      // Listings may be too few for a model of rents.
      const isMissing = trainedOn === null && kind === 'property';
      return [
        ...staleMarket(about, today),
        ...(isMissing ? [missingModel(about)] : []),
        ...(trainedOn === null ? [] : oldModel(about, trainedOn)),
      ];
    });
  });
}

interface NewestRows {
  readonly marketId: string;
  readonly kind: string;
  readonly rows: 'sales' | 'rents';
  readonly newest: Day;
}

const NEWEST = { sales: 'sale', rents: 'listing' } as const;

function staleMarket({ marketId, rows, newest }: NewestRows, today: Day): Finding[] {
  const days = today - newest;
  if (days <= STALE_AFTER_DAYS) return [];
  return [
    {
      check: 'markets',
      severity: 'warning',
      what: `The newest ${NEWEST[rows]} is of ${formatDay(newest)}, ${days} days ago: later changes of the market are not known.`,
      where: `market ${marketId}`,
      remedy: `Import newer ${rows}: plumbline import ${rows} FILE --market ${marketId}`,
    },
  ];
}

function missingModel({ marketId, kind, rows }: NewestRows): Finding {
  return {
    check: 'models',
    severity: 'warning',
    what: `There are ${rows} but no active ${kind} model: nothing can be valued.`,
    where: `market ${marketId}`,
    remedy: `plumbline train --market ${marketId}`,
  };
}

function oldModel({ marketId, kind, rows, newest }: NewestRows, trainedOn: Day): Finding[] {
  const days = newest - trainedOn;
  if (days <= STALE_AFTER_DAYS) return [];
  return [
    {
      check: 'models',
      severity: 'warning',
      what: `The newest active ${kind} model is of ${formatDay(trainedOn)}, ${days} days before the newest ${NEWEST[rows]}.`,
      where: `market ${marketId}`,
      remedy: `Train it, or set TRAIN_EVERY: plumbline train --market ${marketId} --refit`,
    },
  ];
}
