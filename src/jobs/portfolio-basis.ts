import type { Day } from '../domain/day.ts';
import type { LatestValue } from '../domain/portfolio.ts';
import {
  modelsOf,
  newestInputs,
  type MarketEntry,
  type MarketInputs,
} from '../operations/market-data/market-catalog.ts';
import type { OperationDeps } from '../operations/deps.ts';
import type { PropertyInputs } from '../operations/valuation-types.ts';
import { parseJsonText } from '../store/json-text.ts';
import type { PortfolioRow } from '../store/portfolios.ts';
import { findValuation } from '../store/valuation-log.ts';

/** What the homes of a portfolio were valued with: the model and the data of each market, by its id, and the as-of date. */
export type Basis = Readonly<Record<string, MarketBasis>>;

interface MarketBasis {
  readonly inputs: MarketInputs;
  readonly asOf: Day;
}

/** What the newest active model of each market uses. Markets without one are left out. */
export function basisIn(entries: readonly MarketEntry[], marketIds: readonly string[], asOf: Day): Basis {
  const found = entries.flatMap((entry) => {
    const model = marketIds.includes(entry.marketId) ? modelsOf(entry, 'property').at(-1) : undefined;
    return model ? [[entry.marketId, { inputs: newestInputs(entry, model), asOf }] as const] : [];
  });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a home was valued with. */
export async function basisOfValue(
  { store }: Pick<OperationDeps, 'store'>,
  accountId: string,
  { valuationId }: LatestValue,
): Promise<MarketBasis> {
  const record = valuationId === null ? null : await findValuation(store, accountId, valuationId);
  if (record === null) throw new Error(`valuation ${valuationId} of a watched home does not exist`);
  const { asOf, ...rest } = parseJsonText<PropertyInputs>(record.inputs);
  const { modelId, snapshotSha256, indexSha256, layerIds } = rest;
  const inputs = {
    modelId,
    snapshotSha256,
    ...(indexSha256 && { indexSha256 }),
    ...(layerIds && { layerIds }),
  };
  return { inputs, asOf };
}

/** The markets that a portfolio's homes were valued in. */
export function marketsOf({ basis }: PortfolioRow): string[] {
  return Object.keys(parseJsonText<Basis>(basis));
}

/** Workers use data and models within a second of their publication. */
const SETTLED_MS = 5000;

/** Whether every worker uses the newest data and models of the markets of a portfolio, so that its run is of its basis. */
export function isSettled(entries: readonly MarketEntry[], row: PortfolioRow, now: Date): boolean {
  const ids = marketsOf(row);
  const times = entries
    .filter(({ marketId }) => ids.includes(marketId))
    .flatMap(({ sales, index, layers, models }) => [
      ...[sales, index, ...layers].map((dataset) => dataset?.publishedAt ?? 0),
      ...models.map(({ createdAt }) => createdAt),
    ]);
  // A time in the future is of another clock, and says nothing.
  const age = (time: number): number => now.getTime() - time;
  return times.every((time) => age(time) < 0 || age(time) >= SETTLED_MS);
}
