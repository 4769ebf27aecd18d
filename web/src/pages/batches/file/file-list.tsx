import { pathOfFile, type SubmittedUpload } from '../../../api/uploads.ts';
import { formatCount, formatMany, formatMoment } from '../../../parts/format.ts';
import { Badge } from '../../../parts/notice.tsx';
import { Table, type Column } from '../../../parts/table.tsx';

/** Files that the signed-in user uploaded. */
export function FileList({ files }: { readonly files: readonly SubmittedUpload[] }) {
  if (files.length === 0) return null;
  return (
    <details class="file-list" open={files.some((file) => unsentOf(file) > 0)}>
      <summary>Your files ({formatCount(files.length)})</summary>
      <Table caption="Your files" columns={COLUMNS} rows={files} keyOf={({ id }) => id} />
    </details>
  );
}

function unsentOf({ job_ids: jobIds }: SubmittedUpload): number {
  return jobIds.filter((jobId) => jobId === null).length;
}

const COLUMNS: readonly Column<SubmittedUpload>[] = [
  {
    name: 'name',
    label: 'File',
    isRowHeader: true,
    cell: ({ id, name }) => <a href={pathOfFile(id)}>{name}</a>,
  },
  { name: 'sent', label: 'Sent', cell: ({ submitted_at }) => formatMoment(submitted_at) },
  { name: 'rows', label: 'Rows', isNumber: true, cell: ({ row_count }) => formatCount(row_count) },
  {
    name: 'jobs',
    label: 'Jobs',
    cell: (file) => {
      const { length } = file.job_ids;
      const unsent = unsentOf(file);
      if (unsent === 0) return formatMany(length, 'job');
      return (
        <Badge kind="warn">
          {formatCount(unsent)} of {formatCount(length)} not created
        </Badge>
      );
    },
  },
];
