import { rejectedRowsOf, type ImportInspection } from '../../api/imports.ts';
import { formatCount } from '../../parts/format.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { labelOf } from '../value/fields.ts';

type Rejection = ImportInspection['rejections'][number];

/** Rows that would not be loaded, by reason, and the download of their list. */
export function LeftOutRows({ inspection }: { readonly inspection: ImportInspection }) {
  return (
    <div class="stack">
      <Table
        caption="Rows left out, by reason"
        columns={COLUMNS}
        rows={inspection.rejections}
        keyOf={({ reason, column }) => `${reason} ${column}`}
      />
      <p>
        <a href={rejectedRowsOf(inspection.id)} download>
          Download the list of these rows
        </a>
      </p>
    </div>
  );
}

const COLUMNS: readonly Column<Rejection>[] = [
  {
    label: 'Reason',
    isRowHeader: true,
    isText: true,
    cell: ({ reason, column, remedy, values }) => (
      <>
        {labelOf(reason)}
        {column && ` (${labelOf(column).toLowerCase()})`}
        {remedy && (
          <div class="quiet small">{values.length > 0 ? 'Choose under Values what these mean.' : remedy}</div>
        )}
      </>
    ),
  },
  { label: 'Rows', isNumber: true, cell: ({ count }) => formatCount(count) },
  { label: 'For example', isText: true, cell: ({ examples }) => examples.join('; ') },
];
