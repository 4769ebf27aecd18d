import { instant } from '../../domain/instant.ts';
import { PlumblineError } from '../../errors.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { SavedValuationBody, SavedValuationsBody } from '../../schemas/saved-valuations.ts';
import type { ActingFor } from '../../store/audit-log.ts';
import {
  listSavedValuations,
  removeSavedValuation,
  saveValuation,
  type SavedSearch,
} from '../../store/saved-valuations.ts';
import type { SavedValuation } from '../../store/tables/accounts.ts';
import type { OperationDeps } from '../deps.ts';
import { recordedResponse, recordedValuation } from './past-valuations.ts';
import { isValuationKind } from '../value.ts';

type Deps = Pick<OperationDeps, 'store' | 'clock'>;
type Saved = ResponseOf<typeof SavedValuationBody>;

/** Saves a past valuation under a name, or replaces what was saved of it. Throws `not_found`. */
export async function saveUnderName(
  deps: Deps,
  valuationId: string,
  { name, tags, note }: Pick<SavedValuation, 'tags' | 'note'> & { readonly name: string | null },
  by: ActingFor,
): Promise<Saved> {
  const record = await recordedValuation(deps, valuationId, by);
  const { kind, accountId } = record;
  if (!isValuationKind(kind)) throw new Error(`valuation ${valuationId} is of kind ${kind}`);
  const { addressInfo, valuation } = recordedResponse(record);
  const { formattedAddress: address } = addressInfo;
  const at = deps.clock().getTime();
  const saved: SavedValuation = {
    valuationId,
    accountId,
    kind,
    name: name ?? address ?? valuationId,
    tags: [...new Set(tags)],
    note,
    address,
    asOfDate: valuation.asOfDate,
    valueUsd: valuation.pointValue,
    savedAt: at,
    savedBy: by.actor.name,
  };
  await saveValuation(deps.store, { ...by, at }, saved);
  return savedMembers(saved);
}

/** Removes a valuation from the saved ones; the valuation itself stays. Throws `not_found`. */
export async function removeSaved(deps: Deps, valuationId: string, by: ActingFor): Promise<Saved> {
  const removed = await removeSavedValuation(deps.store, { ...by, at: deps.clock().getTime() }, valuationId);
  if (removed) return savedMembers(removed);
  throw new PlumblineError('not_found', `Valuation ${valuationId} is not saved.`);
}

/** The saved valuations of an account. Throws `invalid_cursor`. */
export async function listSaved(
  { store }: Pick<Deps, 'store'>,
  accountId: string,
  search: SavedSearch,
): Promise<Omit<ResponseOf<typeof SavedValuationsBody>, 'warnings'>> {
  const { items, nextCursor } = await listSavedValuations(store, accountId, search);
  return { saved: items.map(savedMembers), nextCursor };
}

function savedMembers({ accountId: _account, address, valueUsd, savedAt, ...saved }: SavedValuation): Saved {
  return { ...saved, formattedAddress: address, pointValue: valueUsd, savedAt: instant(savedAt) };
}
