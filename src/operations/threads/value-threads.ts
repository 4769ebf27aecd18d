import { openThread } from '../../threads/open-thread.ts';
import type { StoreSettings } from '../../store/open-store.ts';
import type { MissingDetails } from '../../valuation/missing-details.ts';
import type {
  ComputeMissingDetails,
  ComputeValue,
  ComputedOf,
  InputsOf,
  ValuedKind,
  PropertyInputs,
} from '../valued-kinds.ts';

/**
 * A call to the threads of `openValueThreads`: a value, its missing details, or loading the newest models
 * ahead of requests.
 */
export type ValueCall =
  | { readonly kind: ValuedKind; readonly valuationId: string; readonly inputs: InputsOf<ValuedKind> }
  | { readonly missingDetailsOf: PropertyInputs }
  | { readonly preload: true };

/** A value under its kind, or its missing details. Empty after a preload. */
export type ValueAnswer = { [Kind in ValuedKind]?: ComputedOf<Kind> } & {
  readonly missingDetails?: MissingDetails;
};

/**
 * Threads that compute values from inputs, so that the HTTP thread never waits for them. Each has its own
 * models and database connection. A call goes to the thread with the fewest waiting calls.
 */
export function openValueThreads(
  settings: Pick<StoreSettings, 'databaseUrl' | 'dataDir' | 'queryTimeoutMs'>,
  count: number,
): {
  readonly computeValue: ComputeValue;
  readonly computeMissingDetails: ComputeMissingDetails;
  readonly preload: () => Promise<void>;
  /** How long the oldest waiting value has waited, in ms. */
  readonly waitMs: () => number;
  readonly close: () => Promise<void>;
} {
  const module = new URL('./value-worker.ts', import.meta.url);
  const threads = Array.from({ length: count }, () => openThread<ValueCall, ValueAnswer>(module, settings));
  const callLeastBusy = (question: ValueCall): Promise<ValueAnswer> =>
    threads.reduce((best, thread) => (thread.asked() < best.asked() ? thread : best)).ask(question);
  return {
    async computeValue(kind, inputs, valuationId) {
      const value = (await callLeastBusy({ kind, inputs, valuationId }))[kind];
      if (value === undefined) throw new Error('a thread returned no value');
      return value;
    },
    async computeMissingDetails(inputs) {
      const { missingDetails } = await callLeastBusy({ missingDetailsOf: inputs });
      if (missingDetails === undefined) throw new Error('a thread returned no missing details');
      return missingDetails;
    },
    async preload() {
      await Promise.all(threads.map((thread) => thread.ask({ preload: true })));
    },
    waitMs: () => Math.max(...threads.map((thread) => thread.waitMs())),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
