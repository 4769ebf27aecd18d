import { isRecord } from '../domain/json.ts';
import { currentDatasets } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import type { DatasetKind } from '../store/tables/datasets.ts';
import { CANDIDATE_KINDS, findCandidates, type Candidates } from './candidate-columns.ts';
import type { ImportOptions } from './import-options.ts';
import type { Mapping } from './rows/column-source.ts';

/** The source columns to keep as features; `candidates` is null where the options name them, or a format reads the files. */
interface FeaturesToKeep {
  readonly features: readonly string[];
  readonly candidates: Candidates | null;
}

/** Each feature once, as the market's earlier imports spell it: `Grade` and `grade` are one. */
export async function featuresToKeep(
  store: Store,
  { marketId, files, format, features: wanted = [] }: ImportOptions,
  kind: DatasetKind,
  mapping: Mapping,
): Promise<FeaturesToKeep> {
  if (wanted.length === 0) return { features: [], candidates: null };
  const known = await knownFeatures(store, marketId);
  const isAll = wanted === 'all';
  const ofKind = CANDIDATE_KINDS.find((one) => one === kind);
  const candidates =
    isAll && ofKind && !format ? await findCandidates(files, { kind: ofKind, mapping, known }) : null;
  const names = isAll ? (candidates?.accepted ?? []) : wanted;
  const spelled = new Map(onceEach([...known, ...names]).map((name) => [name.toLowerCase(), name]));
  const features = new Set(names.map((name) => spelled.get(name.toLowerCase()) ?? name));
  return { features: [...features], candidates };
}

/** The features of the market's earlier imports, as they spell them. */
async function knownFeatures(store: Store, marketId: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { features, source } of await currentDatasets(store, { marketId })) {
    names.push(...features.map(({ name }) => name));
    const { options } = source;
    const given = isRecord(options) ? options.features : null;
    if (Array.isArray(given)) names.push(...given.map(String));
  }
  return onceEach(names);
}

/** The first spelling of each name. */
function onceEach(names: readonly string[]): string[] {
  const spelled = names.toReversed().map((name) => [name.toLowerCase(), name] as const);
  return [...new Map(spelled).values()];
}
