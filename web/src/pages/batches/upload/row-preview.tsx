import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import { Table } from '../../../parts/table.tsx';
import type { Table as FileTable, TableRow } from '../csv/read-table.ts';
import type { Mapping } from '../request/guess-columns.ts';
import { MEMBERS, type Member } from '../request/members.ts';
import { readCell } from '../request/read-cell.ts';

const ROWS_SHOWN = 5;

/** The first rows as they will be sent: what each cell was read as, or what is wrong with it. */
export function RowPreview(props: {
  readonly kind: ValuationKind;
  readonly table: FileTable;
  readonly mapping: Mapping;
}) {
  const { kind, table, mapping } = props;
  const members = MEMBERS[kind].filter(({ path }) => path in mapping);
  return (
    <Table
      caption="The first rows, as they will be sent"
      rows={table.rows.slice(0, ROWS_SHOWN)}
      keyOf={({ row }) => String(row)}
      columns={[
        { name: 'row', label: 'Row', isRowHeader: true, isNumber: true, cell: ({ row }) => row },
        ...members.map((member) => ({
          name: member.path,
          label: member.label,
          isNumber: member.type.kind === 'integer' || member.type.kind === 'number',
          cell: (row: TableRow) => <ReadValue member={member} text={textOf(mapping, member, row)} />,
        })),
      ]}
    />
  );
}

function ReadValue({ member, text }: { readonly member: Member; readonly text: string }) {
  const { value, problem } = readCell(member.type, text);
  if (problem !== null) return <span class="wrong">{problem}</span>;
  if (value === null)
    return member.isRequired ? <span class="wrong">missing</span> : <span class="quiet">—</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  return <>{String(value)}</>;
}

function textOf(mapping: Mapping, { path }: Member, row: TableRow): string {
  const source = mapping[path];
  if (source === undefined) return '';
  return 'column' in source ? (row.cells[source.column] ?? '') : source.text;
}
