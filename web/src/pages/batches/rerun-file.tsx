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
import { formatCount, formatMany } from '../../parts/format.ts';
import { MaximumCost } from './batch-actions.tsx';
import { failureWords } from './job-words.tsx';
import { SuggestedAddresses } from './suggested-addresses.tsx';

interface RerunProps {
  readonly id: string;
  /** Rows that are valued again. */
  readonly rows: number;
}

/** Values a sent file again as of today. */
export function RerunButton(props: RerunProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Value again as of today …</Button>
      {isOpen && <RerunDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The maximum cost, and the addresses that would not be found, with suggestions in place of them. */
function RerunDialog({ id, rows, onClose }: RerunProps & { readonly onClose: () => void }) {
  const { route } = useLocation();
  const [corrections, setCorrections] = useState<Corrections>({});
  const checking = useRequest((signal) => checkRerun(id, corrections, signal), [id, corrections]);
  const { data: checked, isLoading, problem, reload } = checking;
  const rerunning = useAction(async () => {
    const copy = await rerunUpload(id, corrections);
    onClose();
    route(pathOfFile(copy.id));
  });
  return (
    <FormDialog
      title={`Value ${formatMany(rows, 'row')} again?`}
      isWide
      action="Value again"
      busy="Starting …"
      isDisabled={checked === null || isLoading}
      doing={rerunning}
      onClose={onClose}
    >
      <p>
        The same rows as of today. The values of this run stay, and the page of the new run says what changed
        and why.
      </p>
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

/** Why rows would have no value again. Of those with an unknown address, some have a suggestion in the table below. */
function FailingRows({ failures }: { readonly failures: CheckedUpload['failed_tries'] }) {
  if (failures.length === 0) return null;
  const rows = failures.reduce((sum, { count }) => sum + count, 0);
  const causes = failures.map(
    ({ code, count }) => `${failureWords(code).title.toLowerCase()} (${formatCount(count)})`,
  );
  const suggests = failures.some(({ suggestions }) => suggestions.length > 0);
  return (
    <Notice kind="warn" title={`${formatMany(rows, 'row')} would have no value: ${causes.join(', ')}.`}>
      <p>
        To value {rows === 1 ? 'it' : 'them'}, correct the file and upload it again
        {suggests && ', or use the suggested addresses below that you know to be right'}.
      </p>
    </Notice>
  );
}
