import { useState } from 'preact/hooks';
import type { ChallengePreview } from '../../api/challenges.ts';
import { CHANGE_CAUSE_LABELS } from '../../../../src/domain/change-causes.ts';
import { asProblem, errorIn } from '../../api/problem.ts';
import { useAction } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { formatChangeUsd, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { AddSaleDialog } from './change-dialogs.tsx';
import { ChangeList, errorOfAdded } from './change-list.tsx';
import { withAdded, withPin, type Changes } from './changes.ts';
import { SaveChallengeDialog } from './save-challenge-dialog.tsx';
import { SavedChallenges, type SavedChallengeList } from './saved-challenges.tsx';
import { OtherSales } from './other-sales.tsx';
import type { ShownChallenge } from './use-challenge.ts';
import { subjectOf } from './use-comparables.ts';

/** The id of the section, to go to it. */
export const CHALLENGE = 'challenge';

/** The user's changes of the comparables, what each change does to the value, and the saved challenges. */
export function ChallengeSection(props: {
  readonly challenge: ShownChallenge;
  readonly saved: SavedChallengeList;
  /** Resets a detail that was corrected on the page. Stored values have none. */
  readonly onResetFact?: (field: string) => void;
  /** Resets all of them. */
  readonly onResetFacts?: () => void;
}) {
  const { challenge, saved, onResetFact, onResetFacts } = props;
  const { id, changes, change, canSave, preview, isChoosing, setChoosing } = challenge;
  // The position of the sale that the dialog adds or changes.
  const [addingAt, setAddingAt] = useState<number | null>(null);
  const [isDiscarding, setDiscarding] = useState(false);
  if (id === null) return null;
  const { problem } = challenge;
  const isAtSale = changes.added.some((_, at) => errorOfAdded(challenge, at) !== null);
  return (
    <Section
      title="Challenge this value"
      anchor={CHALLENGE}
      lead="For a correction, or to appeal an assessment: correct the details, pin or exclude comparables, add sales, change adjustments or add renovations. “Save challenge” keeps your changes for an administrator to decide, and then the report has an appeal version. The original value stays as it is."
      actions={
        <>
          <Button isSmall onClick={() => setChoosing(!isChoosing)}>
            {isChoosing ? 'Hide other sales' : 'Choose from other sales'}
          </Button>
          <Button isSmall onClick={() => setAddingAt(changes.added.length)}>
            Add a sale
          </Button>
          {canSave && (
            <Button isSmall onClick={() => setDiscarding(true)}>
              Discard all changes
            </Button>
          )}
          {canSave && challenge.savedId === null && (
            <Button
              isSmall
              kind="primary"
              isDisabled={problem !== null}
              onClick={() => challenge.setSaving(true)}
            >
              Save challenge
            </Button>
          )}
        </>
      }
    >
      {problem && !isAtSale && <ProblemNotice problem={problem} onRetry={preview.reload} />}
      {canSave && preview.data && (
        <Split changes={preview.data.changes} changedUsd={preview.data.valuation.point_value} />
      )}
      {canSave && <ChangeList challenge={challenge} onEditAdded={setAddingAt} onResetFact={onResetFact} />}
      {isChoosing && preview.data?.candidates && (
        <OtherSales
          preview={preview.data}
          subject={challenge.base && subjectOf(challenge.base)}
          candidates={preview.data.candidates.items}
          onPin={(compId) => change(withPin(changes, compId, true))}
        />
      )}
      {challenge.savedId !== null && (
        <Notice kind="info" title="The challenge is saved.">
          <p>
            It has <a href={`/console/value?valuation=${challenge.savedId}`}>a page of its own</a>.
            Administrators decide challenges in the list below, or on the pages that{' '}
            <a href="/console/saved">Saved</a> lists.
          </p>
        </Notice>
      )}
      <SavedChallenges id={id} list={saved} />
      {addingAt !== null && (
        <AddSaleDialog
          sale={changes.added[addingAt]}
          at={addingAt}
          onClose={() => setAddingAt(null)}
          onAdd={async (sale) => {
            const next = withAdded(changes, addingAt, sale);
            await checkAdded(challenge, next, addingAt);
            change(next);
          }}
        />
      )}
      {challenge.isSaving && <SaveChallengeDialog challenge={challenge} id={id} />}
      {isDiscarding && (
        <DiscardDialog
          isSaved={challenge.savedId !== null}
          onClose={() => setDiscarding(false)}
          onDiscard={() => {
            challenge.discard();
            onResetFacts?.();
          }}
        />
      )}
    </Section>
  );
}

function DiscardDialog(props: {
  readonly isSaved: boolean;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}) {
  const { isSaved, onClose, onDiscard } = props;
  const discarding = useAction(async () => {
    onDiscard();
    onClose();
  });
  return (
    <FormDialog
      title="Discard all changes?"
      action="Discard"
      busy="Discarding…"
      kind="danger"
      doing={discarding}
      onClose={onClose}
    >
      <p>
        {isSaved
          ? 'The page shows the original value again. The saved challenge stays.'
          : 'The page shows the original value again. The changes are not saved and cannot be brought back.'}
      </p>
    </FormDialog>
  );
}

/** What each kind of change does to the value. The amounts add up to the whole change. */
export function Split(props: { readonly changes: ChallengePreview['changes']; readonly changedUsd: number }) {
  const { before, split } = props.changes;
  return (
    <p class="sum-line split" role="status">
      {formatUsd(before.point_value)} before the changes
      {split
        .filter(({ amount }) => amount !== 0)
        .map(({ cause, amount }) => (
          <span key={cause}>
            {' '}
            <strong class="nowrap">{formatChangeUsd(amount)}</strong>{' '}
            <span class="quiet">({CHANGE_CAUSE_LABELS[cause]})</span>
          </span>
        ))}{' '}
      <span class="nowrap">
        = <strong>{formatUsd(props.changedUsd)}</strong>
      </span>
    </p>
  );
}

/** Throws if the sale is rejected. Errors of earlier changes are shown where they are, and block no new sale. */
async function checkAdded({ check }: ShownChallenge, next: Changes, at: number): Promise<void> {
  try {
    await check(next);
  } catch (error) {
    const problem = asProblem(error);
    if (problem.fields.length === 0 || errorIn(problem, `comparables.added.${at}`) !== null) throw problem;
  }
}
