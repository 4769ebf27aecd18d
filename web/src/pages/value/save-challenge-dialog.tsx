import { useState } from 'preact/hooks';
import { saveChallenge } from '../../api/challenges.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction } from '../../api/use-request.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { ParagraphField, TextField } from '../../parts/field.tsx';
import { formatMany } from '../../parts/format.ts';
import { amountText, numberIn, numberOrNull, wrongNumber } from '../../parts/number-in.ts';
import { useSession } from '../../shell/session-context.tsx';
import { sentenceOf } from './change-dialogs.tsx';
import { withoutReason } from './changes.ts';
import type { ShownChallenge } from './use-challenge.ts';
import { SEARCH } from './value-request.ts';

/** The members of a saved challenge that the dialog shows errors at. */
const SAVED_MEMBERS = ['note', 'facts_reason', 'assessment.value', 'assessment.year'];

/** Saves the changes as a challenge, with a note and the assessment that it appeals. */
export function SaveChallengeDialog({
  challenge,
  id,
}: {
  readonly challenge: ShownChallenge;
  readonly id: string;
}) {
  const [note, setNote] = useState(challenge.firstNote);
  const { facts_reason: firstReason, assessment } = challenge.firstAppeal;
  const [reason, setReason] = useState(firstReason ?? '');
  const [assessed, setAssessed] = useState(amountText(assessment?.value));
  const [year, setYear] = useState(String(assessment?.year ?? ''));
  const hasFacts = 'property_fields' in challenge.body;
  const unexplained = withoutReason(challenge.changes).length;
  const { prices } = useSession().session;
  const mostCredits = prices && prices.property_valuation + prices.comparable * SEARCH.num_comps;
  const close = (): void => challenge.setSaving(false);
  const saving = useAction(async () => {
    const { body } = challenge;
    const saved = await saveChallenge(id, {
      ...body,
      note,
      ...(hasFacts && reason.trim() !== '' ? { facts_reason: reason } : {}),
      ...(assessed.trim() === ''
        ? {}
        : { assessment: { value: numberIn(assessed), year: numberOrNull(year) } }),
    });
    challenge.savedAs(body, saved.challenge.valuation_id);
    close();
  });
  const wrongValue = wrongNumber(assessed, [1, 1e9], 'Enter the value in dollars, such as 310,000.');
  const wrongYear = wrongNumber(year, [1900, 2100], 'Enter a year, such as 2024, or leave it blank.', true);
  const errorAt = (member: string): string | null => {
    const error = fieldError(saving.problem, member);
    return error && sentenceOf(error);
  };
  const isAtField = SAVED_MEMBERS.some((member) => errorAt(member) !== null);
  return (
    <FormDialog
      title="Save challenge"
      action="Save"
      busy="Saving …"
      isDisabled={wrongValue !== null || (assessed.trim() !== '' && wrongYear !== null)}
      // What is said at a field is not repeated below.
      doing={{ ...saving, problem: isAtField ? null : saving.problem }}
      onClose={close}
    >
      {unexplained > 0 && (
        <p>
          {formatMany(unexplained, 'excluded sale')} {unexplained === 1 ? 'has' : 'have'} no reason yet.
          Cancel to enter the reasons: the appeal report shows them.
        </p>
      )}
      <ParagraphField
        label="Note (optional)"
        hint={`What the challenge is about.${mostCredits === null ? '' : ` Saving costs up to ${formatMany(mostCredits, 'credit')}, as a value does.`}`}
        value={note}
        maxLength={2000}
        onInput={setNote}
        error={errorAt('note')}
      />
      {hasFacts && (
        <ParagraphField
          label="Reason for the corrected details (optional)"
          hint="Such as who measured the home. The appeal report shows it."
          value={reason}
          maxLength={500}
          onInput={setReason}
          error={errorAt('facts_reason')}
        />
      )}
      <TextField
        label="Assessed value that you appeal, USD (optional)"
        hint="It changes no value. The appeal report compares it with both values."
        inputMode="decimal"
        value={assessed}
        onInput={setAssessed}
        error={wrongValue ?? errorAt('assessment.value')}
      />
      {assessed.trim() !== '' && (
        <TextField
          label="Year of the assessment (optional)"
          inputMode="numeric"
          value={year}
          onInput={setYear}
          error={wrongYear ?? errorAt('assessment.year')}
        />
      )}
    </FormDialog>
  );
}
