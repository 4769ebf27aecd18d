import { useState } from 'preact/hooks';
import { useAction } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNotice } from '../../../parts/notice.tsx';
import { saveFileCsv, saveFileLines } from '../results/downloads.ts';
import type { JobOfFile } from '../results/write-results.ts';
import type { StoredFile } from '../sending/stored-files.ts';

/** The file with what came of its rows, as soon as all its jobs have ended. */
export function FileDownloads(props: {
  readonly file: StoredFile;
  readonly jobs: readonly JobOfFile[];
  readonly isDone: boolean;
}) {
  const { file, jobs, isDone } = props;
  const [read, setRead] = useState(0);
  const csv = useAction(() => saveFileCsv(file, jobs, setRead));
  const lines = useAction(() => saveFileLines(file, jobs, setRead));
  const of = jobs.reduce((count, { retries }) => count + 1 + retries.length, 0);
  const busy = `Reading results: job ${read} of ${of} …`;
  const problem = csv.problem ?? lines.problem;
  return (
    <>
      <Button
        kind="primary"
        isDisabled={!isDone || lines.isBusy}
        busy={csv.isBusy && busy}
        onClick={() => void csv.run()}
      >
        Download CSV
      </Button>
      <Button isDisabled={!isDone || csv.isBusy} busy={lines.isBusy && busy} onClick={() => void lines.run()}>
        Download NDJSON
      </Button>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}
