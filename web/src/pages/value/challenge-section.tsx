import { useState } from 'preact/hooks';
import type { ChallengePreview } from '../../api/challenges.ts';
import { CHANGE_CAUSE_LABELS } from '../../../../src/domain/change-causes.ts';
import { asProblem, errorIn } from '../../api/problem.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { Checkbox } from '../../parts/field.tsx';
import { formatChangeUsd, formatDay, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { AddSaleDialog } from './change-dialogs.tsx';
import {
  placeOfAdded,
  withAdded,
  withExclusion,
  withoutAdded,
  type Changes,
  withoutExclusion,
  withoutReason,
  withOverrides,
  withPin,
} from './changes.ts';
import { labelOf, readableMessage, wordOf } from './fields.ts';
import { SaveChallengeDialog } from './save-challenge-dialog.tsx';
import { SavedChallenges, type SavedChallengeList } from './saved-challenges.tsx';
import { nameOfSale } from './grid.ts';
import { OtherSales } from './other-sales.tsx';
import type { ShownChallenge } from './use-challenge.ts';
import { subjectOf } from './use-comparables.ts';

/** The id of the section, to go to it. */
export const CHALLENGE = 'challenge';

/** The id of the first excluded sale's reason that is missing. */
export const MISSING_REASON = 'missing-reason';

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
            <Button
              isSmall
              onClick={() => {
                challenge.discard();
                onResetFacts?.();
              }}
            >
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
    </Section>
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

function ChangeList(props: {
  readonly challenge: ShownChallenge;
  readonly onEditAdded: (at: number) => void;
  readonly onResetFact?: (field: string) => void;
}) {
  const { challenge, onEditAdded, onResetFact } = props;
  const { changes, change, preview, base } = challenge;
  const items = [...(preview.data?.comparables.items ?? []), ...(base?.answer.comparables.items ?? [])];
  const saleOf = (id: string) =>
    [...items, ...(preview.data?.changes.excluded ?? [])].find(({ comp_id }) => comp_id === id);
  const titleOf = (id: string): string => {
    const sale = saleOf(id);
    return sale ? nameOfSale(sale) : id;
  };
  // One home can have several sales.
  const soldOf = (id: string): string => {
    const sale = saleOf(id);
    return sale && 'sale_date' in sale ? `${formatUsd(sale.sale_price)}, ${formatDay(sale.sale_date)}` : '';
  };
  const recordedOf = (name: string): string => {
    const fact = preview.data?.changes.facts.find(({ field }) => field === name);
    return fact ? `${wordOf(name, fact.before)} → ` : '';
  };
  // It changes with the details of the home, so that a change made before may need another look.
  const computedOf = (id: string, of: string): string => {
    const line = preview.data?.changes.adjustments.find((one) => one.comp_id === id && one.field === of);
    return line ? `${formatChangeUsd(line.computed_amount)} → ` : '';
  };
  const warningsOf = (of: string) =>
    preview.data?.valuation.warnings.filter(({ field }) => field === of) ?? [];
  const { pinned, excluded, added, overrides } = changes;
  const [unexplained] = withoutReason(changes);
  // Those of the page's details.
  const corrected = (preview.data?.changes.facts ?? []).filter(
    ({ field }) => !(field in challenge.firstFacts),
  );
  return (
    <ul class="changes">
      {Object.entries(challenge.firstFacts).map(([name, value]) => (
        <li key={name} class="row">
          <span>
            Corrected: {labelOf(name)} {recordedOf(name)}
            <strong>{wordOf(name, value)}</strong>
          </span>
          <Button isSmall label={`Reset ${labelOf(name)}`} onClick={() => challenge.dropFact(name)}>
            Reset
          </Button>
        </li>
      ))}
      {corrected.map(({ field, before, after }) => (
        <li key={field} class="row">
          <span>
            Corrected: {labelOf(field)} {wordOf(field, before)} → <strong>{wordOf(field, after)}</strong>
          </span>
          {onResetFact && (
            <Button
              isSmall
              label={`Reset the correction of ${labelOf(field)}`}
              onClick={() => onResetFact(field)}
            >
              Reset
            </Button>
          )}
        </li>
      ))}
      {pinned.map((id) => (
        <li key={id} class="row">
          <span>
            Pinned: <strong>{titleOf(id)}</strong> {soldOf(id)}
            {overrides.some(({ comp_id }) => comp_id === id) && (
              <span class="quiet">, so that the sale you adjusted stays a comparable</span>
            )}
          </span>
          <Button isSmall label={`Unpin ${titleOf(id)}`} onClick={() => change(withPin(changes, id, false))}>
            Unpin
          </Button>
        </li>
      ))}
      {Object.entries(excluded).map(([id, reason]) => (
        <li key={id} class="row">
          <span>
            Excluded: <strong>{titleOf(id)}</strong> {soldOf(id)}
          </span>
          <ReasonInput
            id={id === unexplained ? MISSING_REASON : undefined}
            label={`Reason for excluding ${titleOf(id)}, ${soldOf(id)}`}
            reason={reason}
            onReason={(typed) => change(withExclusion(changes, id, typed))}
          />
          <Button
            isSmall
            label={`Include ${titleOf(id)}, ${soldOf(id)}`}
            onClick={() => change(withoutExclusion(changes, id))}
          >
            Include
          </Button>
        </li>
      ))}
      {added.map((sale, at) => (
        <li key={JSON.stringify(sale)} class="row">
          <span>
            Added: <strong>{sale.comp_id ? titleOf(sale.comp_id) : placeOfAdded(sale)}</strong>{' '}
            {sale.sale_date && `${formatUsd(sale.sale_price)}, ${formatDay(sale.sale_date)}`}
          </span>
          <Button
            isSmall
            label={`Edit ${sale.comp_id ?? placeOfAdded(sale)}`}
            onClick={() => onEditAdded(at)}
          >
            Edit
          </Button>
          <Button isSmall onClick={() => change(withoutAdded(changes, at))}>
            Remove
          </Button>
          <AddedError error={errorOfAdded(challenge, at)} />
          {warningsOf(`comparables.added.${at}`).map(({ code, message }) => (
            <span key={code} class="small warned">
              {readableMessage(message)}
            </span>
          ))}
        </li>
      ))}
      {overrides.map(({ comp_id, field, amount, reason }) => (
        <li key={`${comp_id} ${field}`} class="row">
          <span>
            Adjusted: <strong>{titleOf(comp_id)}</strong> {labelOf(field)} {computedOf(comp_id, field)}
            <strong class="nowrap">{formatChangeUsd(amount)}</strong>, <span class="quiet">{reason}</span>
          </span>
          <Button
            isSmall
            onClick={() =>
              change(
                withOverrides(
                  changes,
                  comp_id,
                  overrides.filter((other) => other.comp_id === comp_id && other.field !== field),
                ),
              )
            }
          >
            Reset
          </Button>
        </li>
      ))}
      {pinned.length + added.length > 0 && (
        <li>
          <Checkbox
            label="Use the pinned and added sales only"
            isChecked={changes.isOnlyPinned}
            onChange={(isOnlyPinned) => change({ ...changes, isOnlyPinned })}
          />
        </li>
      )}
    </ul>
  );
}

/** Kept here while it is typed: a preview of another change arrives meanwhile, and must not restore the text before. */
function ReasonInput(props: {
  readonly id: string | undefined;
  readonly label: string;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
}) {
  const { id, label, reason, onReason } = props;
  const [typed, setTyped] = useState(reason);
  return (
    <input
      id={id}
      class="input reason"
      aria-label={label}
      placeholder="Reason, such as a sale to a relative"
      maxLength={500}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => typed !== reason && onReason(typed)}
    />
  );
}

function errorOfAdded({ preview, isChanged }: ShownChallenge, at: number): string | null {
  return isChanged ? errorIn(preview.problem, `comparables.added.${at}`) : null;
}

function AddedError({ error }: { readonly error: string | null }) {
  if (error === null) return null;
  return (
    <span class="wrong" role="alert">
      This sale {error.replace(/\.$/, '')}. The value does not include it.
    </span>
  );
}
