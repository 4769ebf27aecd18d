import { openThread } from '../../threads/open-thread.ts';
import type { StoreSettings } from '../../store/open-store.ts';
import type { MissingDetails } from '../../valuation/missing-details.ts';
import type { PropertyInputs } from '../property/compute-property.ts';
import type {
  ComputeMissingDetails,
  ComputeValue,
  ComputedOf,
  InputsOf,
  ValuedKind,
} from '../valued-kinds.ts';

/** What the threads of `openValueThreads` are asked: a value, what is unknown of it costs, or to load the newest models first. */
export type ValueQuestion =
  | { readonly kind: ValuedKind; readonly valuationId: string; readonly inputs: InputsOf<ValuedKind> }
  | { readonly missingDetailsOf: PropertyInputs }
  | { readonly preload: true };

/** A value under its kind, or what its range costs; nothing after a preload. */
export type ValueAnswer = { [Kind in ValuedKind]?: ComputedOf<Kind> } & {
  readonly missingDetails?: MissingDetails;
};

/**
 * Threads that compute values from inputs, each with the models and a connection of its own: the thread that serves
 * HTTP then waits on no arithmetic. A question goes to the thread with the fewest waiting.
 */
export function openValueThreads(
  settings: Pick<StoreSettings, 'databaseUrl' | 'dataDir' | 'queryTimeoutMs'>,
  count: number,
): {
  readonly computeValue: ComputeValue;
  readonly computeMissingDetails: ComputeMissingDetails;
  readonly preload: () => Promise<void>;
  /** How long the value that was asked for first waits by now, ms. */
  readonly waitMs: () => number;
  readonly close: () => Promise<void>;
} {
  const module = new URL('./value-worker.ts', import.meta.url);
  const threads = Array.from({ length: count }, () =>
    openThread<ValueQuestion, ValueAnswer>(module, settings),
  );
  const askLeast = (question: ValueQuestion): Promise<ValueAnswer> =>
    threads.reduce((best, thread) => (thread.asked() < best.asked() ? thread : best)).ask(question);
  return {
    async computeValue(kind, inputs, valuationId) {
      const value = (await askLeast({ kind, inputs, valuationId }))[kind];
      if (value === undefined) throw new Error('a thread answered a valuation with nothing');
      return value;
    },
    async computeMissingDetails(inputs) {
      const { missingDetails } = await askLeast({ missingDetailsOf: inputs });
      if (missingDetails === undefined) throw new Error('a thread answered what a range costs with nothing');
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
