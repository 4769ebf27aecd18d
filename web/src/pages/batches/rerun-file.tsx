import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { checkRerun, pathOfFile, rerunUpload, type Corrections } from '../../api/batches.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, ProblemNotice, Waiting } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { formatMany } from '../../parts/format.ts';
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
      <p>The same rows as of today, in new jobs. The page then compares both runs.</p>
      {checked !== null && (
        <>
          <p>Maximum cost: {formatMany(checked.credits_max, 'credit')}. Failed properties cost nothing.</p>
          <SuggestedAddresses checked={checked} corrections={corrections} onCorrect={setCorrections} />
        </>
      )}
      {isLoading && <Waiting for="Checking the rows" />}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
    </FormDialog>
  );
}
