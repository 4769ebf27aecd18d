import type { Warning } from '../../domain/warning.ts';
import { instant } from '../../domain/instant.ts';
import { PlumblineError } from '../../errors.ts';
import {
  addChallenge,
  decideChallenge,
  findChallenge,
  listAccountChallenges,
  listChallenges,
  type ChallengeSearch,
  type DecisionOnChallenge,
} from '../../store/challenges.ts';
import { subjectOfChallenge } from '../../store/deliveries.ts';
import { inTransaction } from '../../store/transaction.ts';
import { notifyEndpoints } from '../../store/webhook-endpoints.ts';
import type { ActingFor } from '../../store/audit-log.ts';
import type { ChallengeRecord, ValuationRecord } from '../../store/tables/accounts.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type {
  AccountChallengesBody,
  ChallengeBody,
  ChallengeDecidedEvent,
  ChallengedValuationBody,
  ChallengePreviewBody,
  ChallengesBody,
} from '../../schemas/challenges.ts';
import { MOST_CHANGES } from '../../schemas/challenges.ts';
import { COMPARABLES } from '../../valuation/comparables/comparables-constants.ts';
import { CREDITS, type Caller, type OperationDeps, type Priced } from '../deps.ts';
import { propertyInputsOf, recordedValuation } from './past-valuations.ts';
import { correctFacts, type CorrectedFacts } from '../property/correct-facts.ts';
import { recordMembers, recordsOfComparables } from '../property/comparable-records.ts';
import { gatherChanges } from '../property/gather-changes.ts';
import type {
  Appeal,
  ComputedOf,
  PropertyInputs,
  RequestedChanges,
  SearchParams,
  ValuationOf,
} from '../valuation-types.ts';

/** What a challenge changes of a valuation. */
export interface ChallengeRequest {
  /** Null without corrected facts. */
  readonly facts: CorrectedFacts | null;
  readonly changes: RequestedChanges;
  readonly note: string | null;
  /** Empty if nothing is said. */
  readonly appeal: Appeal;
  /** Of reading the request, such as members that are ignored. */
  readonly warnings: readonly Warning[];
}

/** The whole set of comparables is listed. */
const WHOLE_SET = { radiusMi: COMPARABLES.maxMi, lookbackMonths: null, numComps: COMPARABLES.comparables };

/** The most that a challenge can cost. */
export const CHALLENGE_CREDITS_MAX = CREDITS.propertyValuation + CREDITS.comparable * COMPARABLES.comparables;

/**
 * Values the home of a past valuation again, with the changes: by the model, the data and the as-of date of that
 * valuation, so that only the changes move the value. Recorded as the next version of the challenges of the original.
 *
 * @throws PlumblineError `not_found`, `gone`, `invalid_changes`
 */
export async function challengeValuation(
  deps: OperationDeps,
  valuationId: string,
  { warnings, ...request }: ChallengeRequest,
  caller: Caller & Pick<ActingFor, 'actor'>,
): Promise<Priced<ResponseOf<typeof ChallengedValuationBody>>> {
  const original = await originalOf(deps, valuationId, caller);
  const inputs = await changedInputs(deps, propertyInputsOf(original), { ...request, warnings }, WHOLE_SET);
  const newId = deps.newId();
  const { changes, ...computed } = withChanges(await deps.computeValue('property', inputs, newId));
  const { addressInfo, valuation: before }: ValuationOf<'property'> = JSON.parse(original.response);
  const response = { addressInfo, ...computed, changes };
  const credits = CREDITS.propertyValuation + CREDITS.comparable * computed.comparables.count;
  const createdAt = deps.clock().getTime();
  const { accountId, keyId, actor } = caller;
  const record: ValuationRecord = {
    valuationId: newId,
    accountId,
    keyId,
    kind: 'property',
    createdAt,
    request: JSON.stringify({ challenges: original.valuationId, ...request }),
    inputs: JSON.stringify(inputs),
    response: JSON.stringify(response),
    credits,
  };
  const challenge = await addChallenge(
    deps.store,
    { accountId, actor },
    {
      valuationId: newId,
      originalId: original.valuationId,
      accountId,
      createdAt,
      note: request.note,
      originalUsd: before.pointValue,
      changedUsd: computed.valuation.pointValue,
      address: addressInfo.formattedAddress,
    },
    record,
    caller.takeCharge?.(credits) ?? null,
  );
  return { response: { challenge: challengeMembers(challenge), ...response }, credits };
}

/**
 * The same without recording it or charging for it, and the most similar sales that it does not use if there is a
 * search for them: for a page that follows every change.
 *
 * @throws PlumblineError `not_found`, `gone`, `invalid_changes`
 */
export async function previewChallenge(
  deps: OperationDeps,
  valuationId: string,
  { search, ...request }: ChallengeRequest & { readonly search: SearchParams | null },
  caller: Pick<Caller, 'accountId'>,
): Promise<ResponseOf<typeof ChallengePreviewBody>> {
  const original = await originalOf(deps, valuationId, caller);
  const inputs = await changedInputs(deps, propertyInputsOf(original), request, WHOLE_SET);
  const { changes: _changes, ...plain } = inputs;
  const [changed, candidates] = await Promise.all([
    deps.computeValue('property', inputs, valuationId),
    search && deps.computeValue('property', { ...plain, search: withMore(search) }, valuationId),
  ]);
  const preview = withChanges(changed);
  const known = new Set(
    [...preview.comparables.items, ...preview.changes.excluded].map(({ compId }) => compId),
  );
  const others = candidates?.comparables.items.filter(({ compId }) => !known.has(compId));
  const items = others?.slice(0, search?.numComps) ?? [];
  const market = await deps.markets.columnsOf(inputs);
  return {
    ...preview,
    candidates: candidates && { ...candidates.comparables, items, count: items.length },
    comparableRecords: recordMembers(recordsOfComparables(market, inputs, preview.comparables.items)),
  };
}

/** Enough sales that some are left after the set and the excluded ones. */
function withMore(search: SearchParams): SearchParams {
  return { ...search, numComps: search.numComps + COMPARABLES.comparables + MOST_CHANGES.excluded };
}

/** The challenges of a valuation, or of the one that it challenges. Throws `not_found`. */
export async function readChallenges(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<ResponseOf<typeof ChallengesBody>> {
  const { accountId } = caller;
  await recordedValuation(deps, valuationId, caller);
  const challenge = await findChallenge(deps.store, accountId, valuationId);
  const all = await listChallenges(deps.store, accountId, challenge?.originalId ?? valuationId);
  return { challenges: all.map(challengeMembers) };
}

/** The challenges of an account. Throws `invalid_cursor`. */
export async function readAccountChallenges(
  { store }: Pick<OperationDeps, 'store'>,
  accountId: string,
  search: ChallengeSearch,
): Promise<Omit<ResponseOf<typeof AccountChallengesBody>, 'warnings'>> {
  const { items, nextCursor } = await listAccountChallenges(store, accountId, search);
  return { challenges: items.map(challengeMembers), nextCursor };
}

/**
 * Accepts or rejects a challenge, once. The account's endpoints for such events are notified: their deliveries are
 * committed with the decision.
 *
 * @throws PlumblineError `not_found` if it is no challenge, `conflict` if it is already decided
 */
export async function decideOnChallenge(
  deps: Pick<OperationDeps, 'store' | 'clock' | 'newId'>,
  valuationId: string,
  decision: DecisionOnChallenge,
  by: ActingFor,
): Promise<ResponseOf<typeof ChallengeBody>> {
  const at = deps.clock().getTime();
  const { accountId, actor } = by;
  const decided = await inTransaction(deps.store, async (transaction) => {
    const challenge = await decideChallenge(transaction, { accountId, actor }, valuationId, decision, at);
    if (challenge === null) return null;
    const subject = subjectOfChallenge(valuationId);
    const event = { type: 'challenge.decided', accountId, subject, createdAt: at } as const;
    await notifyEndpoints(transaction, event, deps.newId);
    return challenge;
  });
  if (decided) return challengeMembers(decided);
  const existing = await findChallenge(deps.store, accountId, valuationId);
  if (!existing) {
    throw new PlumblineError(
      'not_found',
      `There is no challenge ${valuationId}. Only challenges are decided.`,
    );
  }
  throw new PlumblineError(
    'conflict',
    `The challenge was ${existing.decision} by ${existing.decidedBy}. A decision is final; make another challenge to have another decision.`,
  );
}

/** The event of a decision; null if there is none. The same at each attempt, because a decision never changes. */
export async function decisionEvent(
  { store }: Pick<OperationDeps, 'store'>,
  accountId: string,
  valuationId: string,
): Promise<ResponseOf<typeof ChallengeDecidedEvent> | null> {
  const challenge = await findChallenge(store, accountId, valuationId);
  if (challenge === null || challenge.decidedAt === null) return null;
  const timestamp = instant(challenge.decidedAt);
  return { type: 'challenge.decided', timestamp, challenge: challengeMembers(challenge) };
}

/** The valuation itself, or the one that it challenges: a challenge of a challenge is the next version of the same. */
async function originalOf(
  deps: OperationDeps,
  valuationId: string,
  caller: Pick<Caller, 'accountId'>,
): Promise<ValuationRecord> {
  const challenge = await findChallenge(deps.store, caller.accountId, valuationId);
  const original = await recordedValuation(deps, challenge?.originalId ?? valuationId, caller);
  if (original.kind === 'property') return original;
  throw new PlumblineError(
    'invalid_changes',
    `Valuation ${valuationId} is of kind ${original.kind}. Only valuations of homes (POST /v1/avm/property) can be challenged yet.`,
  );
}

/** The inputs of a valuation with corrected facts and other changes. */
export async function changedInputs(
  deps: OperationDeps,
  original: PropertyInputs,
  { facts, changes: requested, appeal, warnings }: Omit<ChallengeRequest, 'note'>,
  search: SearchParams,
): Promise<PropertyInputs> {
  const market = await deps.markets.columnsOf(original);
  const gathered = await gatherChanges(deps, market, original, requested);
  const changes = Object.keys(appeal).length > 0 ? { ...gathered, appeal } : gathered;
  const { subject } = original;
  const corrected = facts && correctFacts(market, original, facts);
  return {
    ...original,
    ...corrected,
    warnings: [...(corrected ?? original).warnings, ...warnings],
    search,
    changes: corrected ? { ...changes, original: subject } : changes,
  };
}

function withChanges({ changes, ...computed }: ComputedOf<'property'>) {
  if (!changes) throw new Error('A valuation with changes has no changes.');
  return { ...computed, changes };
}

function challengeMembers(record: ChallengeRecord): ResponseOf<typeof ChallengeBody> {
  const { decision, decidedAt, decidedBy, decisionReason } = record;
  const isDecided = decision !== null && decidedAt !== null && decidedBy !== null && decisionReason !== null;
  return {
    valuationId: record.valuationId,
    originalValuationId: record.originalId,
    version: record.version,
    createdAt: instant(record.createdAt),
    createdBy: record.createdBy,
    note: record.note,
    originalValue: record.originalUsd,
    changedValue: record.changedUsd,
    formattedAddress: record.address,
    decision: isDecided
      ? { decision, decidedAt: instant(decidedAt), decidedBy, reason: decisionReason }
      : null,
  };
}
