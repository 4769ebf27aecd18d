import { useAnswer } from '../../../api/use-answer.ts';
import { formatCount, formatMany, formatMoment } from '../../../parts/format.ts';
import { Badge } from '../../../parts/notice.tsx';
import { Table, type Column } from '../../../parts/table.tsx';
import { useSession } from '../../../shell/session-context.tsx';
import { ownerOf, pathOfFile } from '../sending/owner.ts';
import { openFileStore, type StoredFile } from '../sending/stored-files.ts';

/** Files that were sent from this browser: those of several jobs are followed here as one. */
export function FilesOfBrowser() {
  const { session } = useSession();
  const owner = ownerOf(session);
  const files = useAnswer(async () => (await openFileStore()).list(owner), [owner]);
  if (!files.answer || files.answer.length === 0) return null;
  return (
    <details class="files-of-browser" open={files.answer.some((file) => unsentOf(file) > 0)}>
      <summary>Files sent from this browser ({formatCount(files.answer.length)})</summary>
      <Table
        caption="Files sent from this browser"
        columns={COLUMNS}
        rows={files.answer}
        keyOf={({ id }) => id}
      />
    </details>
  );
}

function unsentOf({ parts }: StoredFile): number {
  return parts.filter(({ jobId }) => jobId === null).length;
}

const COLUMNS: readonly Column<StoredFile>[] = [
  {
    name: 'name',
    label: 'File',
    isRowHeader: true,
    cell: ({ id, fileName }) => <a href={pathOfFile(id)}>{fileName}</a>,
  },
  { name: 'sent', label: 'Sent', cell: ({ storedAt }) => formatMoment(storedAt) },
  { name: 'rows', label: 'Rows', isNumber: true, cell: ({ rows }) => formatCount(rows) },
  {
    name: 'jobs',
    label: 'Jobs',
    cell: (file) => {
      const unsent = unsentOf(file);
      return unsent === 0 ? (
        formatMany(file.parts.length, 'job')
      ) : (
        <Badge kind="warn">
          {formatCount(unsent)} of {formatCount(file.parts.length)} not sent
        </Badge>
      );
    },
  },
];
