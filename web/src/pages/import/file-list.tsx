import { marketName } from '../../../../src/domain/market-name.ts';
import type { ComponentChildren } from 'preact';
import { deleteUpload } from '../../api/batches.ts';
import { useAction } from '../../api/use-request.ts';
import { Badge, Button, ProblemNotice } from '../../parts/basics.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { isBeingLoaded, isPrepared, type FileToLoad } from './import-files.ts';
import { LoadProgress } from './load-progress.tsx';
import { KIND_LABELS } from './prepare-file.tsx';
import { namesOf, rowsInWords } from './rows-in-words.ts';

/** The files of an import in the order in which they are loaded, each with its state. */
export function FileList(props: {
  readonly files: readonly FileToLoad[];
  readonly market: string | null;
  readonly pathOf: (file: FileToLoad) => string;
  readonly onRemoved: (id: string) => void;
  /** Inspects a file again. */
  readonly onRetry: (id: string) => void;
}) {
  const { files, market, pathOf, onRemoved, onRetry } = props;
  const states = files.map(({ state }) => state);
  const current = files.find(({ state }) => isBeingLoaded(state));
  const failed = states.filter(({ status }) => status === 'failed');
  const isLoaded = states.every(({ status }) => status === 'complete');
  const removing = useAction(async (id: string) => {
    await deleteUpload(id);
    onRemoved(id);
  });
  const many = formatMany(files.length, 'file');
  const heading = current
    ? {
        title: `Loading ${many} into ${marketName(market ?? '')}`,
        lead: 'You may leave this page. The import goes on.',
      }
    : isLoaded
      ? {
          title: `${many} are loaded into ${marketName(market ?? '')}`,
          lead: 'Open a file to see its report.',
        }
      : {
          title: 'Files',
          lead: 'They are loaded in this order, one after the other: parcels and addresses place sales without coordinates. Open a file to check its columns and see why rows are left out.',
        };
  return (
    <Section {...heading}>
      <div class="stack">
        {!current && failed.length > 0 && (
          <p>
            {namesOf(failed)} {failed.length === 1 ? 'was' : 'were'} not loaded. Correct what is wrong, and
            load the rest. The other files stay loaded.
          </p>
        )}
        {removing.problem && <ProblemNotice problem={removing.problem} />}
        <ol class="findings">
          {files.map((file, at) => (
            <li key={file.id} class="card import-file">
              <div>
                <strong class="breaks">
                  {at + 1}. <a href={pathOf(file)}>{file.state.name}</a>
                </strong>
                <div class="quiet small">
                  {file.kind === null ? 'Not read yet' : KIND_LABELS[file.kind]}
                  {file.inspection !== null && `, ${file.inspection.format}`}
                </div>
              </div>
              <FileStatus file={file} isCurrent={file === current} onRetry={() => onRetry(file.id)} />
              <div class="row">
                <a class="button small" href={pathOf(file)} aria-label={`Open ${file.state.name}`}>
                  Open
                </a>
                {isPrepared(file.state) && !current && (
                  <Button
                    isSmall
                    label={`Remove ${file.state.name}`}
                    isDisabled={removing.isBusy}
                    onClick={() => void removing.run(file.id)}
                  >
                    Remove
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}

function FileStatus(props: {
  readonly file: FileToLoad;
  readonly isCurrent: boolean;
  readonly onRetry: () => void;
}) {
  const { file, isCurrent, onRetry } = props;
  const { state, inspection, problem, isInspecting, open, waitsFor, choices } = file;
  const { status, report, failure } = state;
  if (isCurrent) return <LoadProgress state={state} />;
  if (isBeingLoaded(state)) return <p class="quiet small">Waits for the files above.</p>;
  if (status === 'complete') {
    const { rows_loaded: loaded = 0, rows_read: read = 0 } = report ?? {};
    return (
      <Status badge={<Badge kind="ok">loaded</Badge>}>
        {report?.is_unchanged ? 'Nothing new' : `${formatCount(loaded)} of ${formatCount(read)} rows`}
      </Status>
    );
  }
  return (
    <div class="stack">
      {status === 'failed' && <Status badge={<Badge kind="error">not loaded</Badge>}>{failure}</Status>}
      {problem ? (
        <ProblemNotice problem={problem} onRetry={onRetry} />
      ) : isInspecting || inspection === null || file.kind === null ? (
        <p class="quiet small" role="status">
          {isInspecting ? 'Reading the file …' : 'Waits to be read.'}
        </p>
      ) : inspection.problem !== null ? (
        <Status badge={<Badge kind="warn">decide</Badge>}>
          {inspection.problem.split('. ')[0]}. Open the file to say what each row and column is.
        </Status>
      ) : open !== null && open.length > 0 ? (
        <Status badge={<Badge kind="warn">decide</Badge>}>{open.join(' ')}</Status>
      ) : (
        <Status badge={<Badge kind="ok">ready</Badge>}>
          {file.kind !== 'index' && rowsInWords(inspection)}
          {waitsFor.length > 0 &&
            ` ${formatMany(inspection.unplaced_rows, 'row')} without coordinates: placed by ${namesOf(waitsFor)}.`}
          {choices.mapping !== null && ' With your columns.'}
          {inspection.findings.length > 0 &&
            ` ${formatMany(inspection.findings.length, 'note')} about its rows: open the file.`}
        </Status>
      )}
    </div>
  );
}

function Status(props: { readonly badge: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    <div class="small">
      {props.badge} {props.children}
    </div>
  );
}
