import { useRef, useState } from 'preact/hooks';
import { previewChallenge, type ChallengePreview, type ChallengeRequest } from '../../api/challenges.ts';
import { useRequest } from '../../api/use-request.ts';
import type { Valued } from '../../api/valuations.ts';
import { useUnsaved } from '../../parts/unsaved-changes.ts';
import { challengeBody, hasChanges, NO_CHANGES, type Changes } from './changes.ts';
import type { GridView } from './grid.ts';
import type { ValueState } from './use-value.ts';
import type { FirstChanges } from './revised-changes.ts';
import { SEARCH, type Fields, type ValueRequest } from './value-request.ts';

const NO_FACTS: Fields = {};

export type ShownChallenge = ReturnType<typeof useChallenge>;

/**
 * Changes of the comparables of a home and its renovations, and the value with them. They are changes of the value without the facts that
 * the user corrected, so that these are a share of the whole change.
 */
export function useChallenge(
  { valued, original, valuedRequest }: Pick<ValueState, 'valued' | 'original' | 'valuedRequest'>,
  request: ValueRequest,
  view: GridView,
  /** What a revision begins with. */
  first: FirstChanges | null = null,
) {
  const base = original ?? valued;
  const id = base?.kind === 'home' ? base.response.valuation.valuation_id : null;
  const [kept, setKept] = useState<{ readonly id: string | null; readonly changes: Changes }>({
    id,
    changes: first?.changes ?? NO_CHANGES,
  });
  const [firstFacts, setFirstFacts] = useState(first?.facts ?? NO_FACTS);
  const [isChoosing, setChoosing] = useState(false);
  const changes = kept.id === id ? kept.changes : NO_CHANGES;
  const isChanged = hasChanges(changes) || Object.keys(firstFacts).length > 0;
  // Corrected facts have a value of their own, so that a preview of nothing else waits for it.
  const facts = original === null || original === valued ? {} : (isChanged ? request : valuedRequest)?.fields;
  const body = challengeBody(changes, { ...firstFacts, ...facts });
  const canSave = isChanged || 'property_fields' in body;
  const [isSaving, setSaving] = useState(false);
  const [saved, setSaved] = useState<{ readonly body: string; readonly id: string } | null>(null);
  const savedId = saved?.body === savedBody(id, body) ? saved.id : null;
  useUnsaved(isChanged && savedId === null);
  const search_params = {
    num_comps: SEARCH.num_comps,
    radius_mi: view.radiusMi ?? SEARCH.radius_mi,
    ...(view.months === null ? {} : { lookback_months: view.months }),
  };
  const previewed = { ...body, ...(isChoosing ? { search_params } : {}) };
  // A batch stores values without comparables. The preview of no changes lists them.
  const lacksComparables = base?.kind === 'home' && base.response.comparables.count === 0;
  const isPreviewed = canSave || isChoosing || lacksComparables;
  const loaded = useRequest<ChallengePreview | null>(
    async (signal) => (id === null || !isPreviewed ? null : previewChallenge(id, previewed, signal)),
    [id, isPreviewed, JSON.stringify(previewed)],
  );
  // After an error the value of the changes before stays.
  const last = useRef<ChallengePreview | null>(null);
  const isOfThis = (one: ChallengePreview | null): boolean => one?.valuation.valuation_id === id;
  last.current = isPreviewed ? ([loaded.data, last.current].find(isOfThis) ?? null) : null;
  const preview = { ...loaded, data: last.current };
  return {
    id,
    changes,
    isChanged,
    change: (next: Changes): void => setKept({ id, changes: next }),
    /** Whether the server accepts other changes; throws its problem. */
    check: async (next: Changes): Promise<void> => {
      if (id !== null) await previewChallenge(id, challengeBody(next, { ...firstFacts, ...facts }));
    },
    /** What the challenge that is revised says besides its changes. */
    firstAppeal: first?.appeal ?? {},
    firstNote: first?.note ?? '',
    /** Facts that it corrects. */
    firstFacts,
    dropFact: (name: string): void => {
      const { [name]: _, ...others } = firstFacts;
      setFirstFacts(others);
    },
    discard: (): void => {
      setKept({ id, changes: NO_CHANGES });
      setFirstFacts(NO_FACTS);
    },
    body,
    /** There are changes, or corrected facts. */
    canSave,
    isSaving,
    setSaving,
    savedAs: (sent: ChallengeRequest, newId: string): void =>
      setSaved({ body: savedBody(id, sent), id: newId }),
    /** The saved challenge with exactly these changes. */
    savedId,
    preview,
    /** Why the value does not include the last change. */
    problem: isPreviewed ? preview.problem : null,
    isChoosing,
    setChoosing,
    /** The value with the changes; the one without as long as there are none. */
    shown: shownOf(valued, base, preview.data, isChanged),
    base,
    /** The stored home value that is shown; null while changes of it are not saved. */
    shownId: isChanged ? savedId : valued?.kind === 'home' ? valued.response.valuation.valuation_id : null,
    /** The stored value without the changes; with corrected facts, which are valued on their own. */
    originalUsd: valued?.response.valuation.point_value ?? null,
  };
}

function savedBody(id: string | null, body: ChallengeRequest): string {
  return JSON.stringify([id, body]);
}

function shownOf(
  valued: Valued | null,
  base: Valued | null,
  preview: ChallengePreview | null,
  isChanged: boolean,
): Valued | null {
  if (base?.kind !== 'home' || preview === null) return valued;
  if (isChanged) return changedValue(base, preview);
  if (valued !== base || base.response.comparables.count > 0) return valued;
  const { comparables, comparable_records: records } = preview;
  return { ...base, response: { ...base.response, comparables }, records };
}

function changedValue(base: Extract<Valued, { kind: 'home' }>, preview: ChallengePreview): Valued {
  const { valuation, comparables, changes, comparable_records: records } = preview;
  return { kind: 'home', response: { ...base.response, valuation, comparables, changes }, records };
}
