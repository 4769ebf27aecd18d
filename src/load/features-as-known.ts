import { isRecord } from '../domain/json.ts';
import { currentDatasets } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import type { ImportOptions } from './import-options.ts';

/** The features, each once, as the market's earlier imports spell them: `Grade` and `grade` are one. */
export async function featuresAsKnown(
  store: Store,
  { marketId, features = [] }: ImportOptions,
): Promise<readonly string[]> {
  if (features.length === 0) return [];
  const known = new Map<string, string>();
  const add = (name: string): void => {
    if (!known.has(name.toLowerCase())) known.set(name.toLowerCase(), name);
  };
  for (const { features: own, source } of await currentDatasets(store, { marketId })) {
    for (const { name } of own) add(name);
    const { options } = source;
    const given = isRecord(options) ? options.features : null;
    if (Array.isArray(given)) for (const name of given) add(String(name));
  }
  features.forEach(add);
  return [...new Set(features.map((name) => known.get(name.toLowerCase()) ?? name))];
}
