import { formatDay } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import type { ActingFor } from '../../store/audit-log.ts';
import { listModels, setModelStates } from '../../store/models.ts';
import type { Store } from '../../store/store.ts';
import type { ModelRecord } from '../../store/tables/datasets.ts';
import { MAX_REASON_CHARACTERS } from '../market/review-sales.ts';

interface RollBackRequest {
  readonly marketId: string;
  /** Null = every kind whose model in use is of the market's newest training day. */
  readonly kind: ValuationKind | null;
  readonly reason: string;
}

/** A model taken out of use, and the model that takes its place. */
interface RolledBack {
  readonly model: ModelRecord;
  readonly previous: ModelRecord;
}

/**
 * Takes the newest active models of a market out of use, so that the ones before them are active again. Nothing is deleted:
 * valuations made with them can be replayed, and `activateModel` undoes it.
 *
 * @throws PlumblineError `conflict` for a market without such models, or without earlier ones
 */
export async function rollBack(
  store: Store,
  { marketId, kind, reason }: RollBackRequest,
  actingFor: ActingFor,
): Promise<RolledBack[]> {
  const active = (await listModels(store, { marketId })).filter(({ state }) => state === 'active');
  const kinds = kind === null ? new Set(active.map((model) => model.kind)) : new Set([kind]);
  const newest = [...kinds].flatMap((each) => active.findLast((model) => model.kind === each) ?? []);
  const lastDay = Math.max(...newest.map(({ trainedOn }) => trainedOn));
  const chosen = newest.filter(({ trainedOn }) => trainedOn === lastDay);
  if (chosen.length === 0) {
    const which = kind === null ? 'model' : `${kind} model`;
    throw new PlumblineError('conflict', `Market "${marketId}" has no active ${which} to roll back.`);
  }
  const rolledBack = chosen.map((model) => {
    const previous = active.findLast((other) => other.kind === model.kind && other !== model);
    if (previous) return { model, previous };
    throw new PlumblineError(
      'conflict',
      `Market "${marketId}" has no earlier active ${model.kind} model than ${model.modelId}, so it cannot be rolled back. ` +
        'Train another one first, or name the kind to roll back.',
    );
  });
  const status = { state: 'rolled_back', stateReason: checkedReason(reason) } as const;
  const ids = chosen.map(({ modelId }) => modelId);
  const changed = await setModelStates(store, ids, status, actingFor);
  return rolledBack.map(({ model, previous }) => {
    return { model: changed.find(({ modelId }) => modelId === model.modelId) ?? model, previous };
  });
}

/**
 * Puts a model that was held back or rolled back in use from its training day on.
 *
 * @throws PlumblineError `not_found` for an unknown id, `conflict` for an active model
 */
export async function activateModel(
  store: Store,
  modelId: string,
  actingFor: ActingFor,
): Promise<ModelRecord> {
  const model = (await listModels(store)).find((candidate) => candidate.modelId === modelId);
  if (!model) {
    throw new PlumblineError('not_found', `There is no model "${modelId}". "plumbline markets" lists them.`);
  }
  if (model.state === 'active') {
    const since = `It is already active for as-of dates from ${formatDay(model.trainedOn)} on.`;
    throw new PlumblineError('conflict', `${since} Where a newer model is active, roll that one back.`);
  }
  const status = { state: 'active', stateReason: null } as const;
  const [activated] = await setModelStates(store, [modelId], status, actingFor);
  return activated;
}

function checkedReason(text: string): string {
  const reason = text.trim();
  if (reason !== '' && reason.length <= MAX_REASON_CHARACTERS) return reason;
  throw new PlumblineError('bad_request', `Give a reason of 1 to ${MAX_REASON_CHARACTERS} characters.`);
}
