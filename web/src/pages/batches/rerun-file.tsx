import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  checkRerun,
  pathOfFile,
  rerunUpload,
  type CheckedUpload,
  type Corrections,
} from '../../api/batches.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice, Waiting } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatCount, formatMany, withReadableDates } from '../../parts/format.ts';
import { MaximumCost } from './batch-actions.tsx';
import { failureWords } from './job-words.tsx';
import { todayOf } from '../value/as-of-days.ts';
import { SuggestedAddresses } from './suggested-addresses.tsx';

interface RerunProps {
  readonly id: string;
  /** Rows that are valued again. */
  readonly rows: number;
}

/** Values a sent file again, as of today or an earlier date. */
export function RerunButton(props: RerunProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Value again …</Button>
      {isOpen && <RerunDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The maximum cost, and the addresses that would not be found, with suggestions in place of them. */
function RerunDialog({ id, rows, onClose }: RerunProps & { readonly onClose: () => void }) {
  const { route } = useLocation();
  const [corrections, setCorrections] = useState<Corrections>({});
  const today = todayOf(new Date());
  const [date, setDate] = useState(today);
  const isDate = date !== '' && date <= today;
  const checking = useRequest(
    async (signal) => (isDate ? checkRerun(id, date, corrections, signal) : null),
    [id, date, corrections],
  );
  const { data: checked, isLoading, problem, reload } = checking;
  // Only part of a long file is tried: other rows could have a value.
  const isHopeless =
    checked !== null &&
    checked.tried_rows >= rows &&
    countFailing(checked.failed_tries) === checked.tried_rows;
  const rerunning = useAction(async () => {
    const copy = await rerunUpload(id, date, corrections);
    onClose();
    route(pathOfFile(copy.id));
  });
  return (
    <FormDialog
      title={`Value ${formatMany(rows, 'row')} again?`}
      isWide
      action="Value again"
      busy="Starting …"
      isDisabled={checked === null || isLoading || isHopeless}
      doing={rerunning}
      onClose={onClose}
    >
      <p>The values of this run stay, and the page of the new run says what changed and why.</p>
      <TextField
        label="As-of date of all rows"
        type="date"
        value={date}
        isRequired
        hint="Values use only sales and models known on this date."
        error={isDate ? null : 'Choose a date that is not in the future.'}
        onInput={setDate}
      />
      {checked !== null && (
        <>
          <MaximumCost credits={checked.credits_max} />
          <FailingRows failures={checked.failed_tries} />
          <SuggestedAddresses checked={checked} corrections={corrections} onCorrect={setCorrections} />
        </>
      )}
      {isLoading && <Waiting for="Checking the rows" />}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
    </FormDialog>
  );
}

function countFailing(failures: CheckedUpload['failed_tries']): number {
  return failures.reduce((sum, { count }) => sum + count, 0);
}

/** Why rows would have no value again. Of those with an unknown address, some have a suggestion in the table below. */
function FailingRows({ failures }: { readonly failures: CheckedUpload['failed_tries'] }) {
  if (failures.length === 0) return null;
  const rows = countFailing(failures);
  const causes = failures.map(
    ({ code, count }) => `${failureWords(code).title.toLowerCase()} (${formatCount(count)})`,
  );
  const tooEarly = failures.find(({ code }) => code === 'insufficient_data');
  const suggests = failures.some(({ suggestions }) => suggestions.length > 0);
  return (
    <Notice kind="warn" title={`${formatMany(rows, 'row')} would have no value: ${causes.join(', ')}.`}>
      {tooEarly && <p>{withReadableDates(tooEarly.example)}</p>}
      <p>
        To value {rows === 1 ? 'it' : 'them'}, {tooEarly && 'choose another date, or '}correct the file and
        upload it again
        {suggests && ', or use the suggested addresses below that you know to be right'}.
      </p>
    </Notice>
  );
}
