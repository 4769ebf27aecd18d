import type { CheckedUpload } from '../../../api/uploads.ts';
import { Checkbox } from '../../../parts/field.tsx';
import { formatCount, formatMany } from '../../../parts/format.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Table } from '../../../parts/table.tsx';

const GROUPS_SHOWN = 20;

type Preview = CheckedUpload['preview'];
type PreviewRow = Preview['rows'][number];
type PreviewCell = PreviewRow['cells'][number];
type RowProblem = CheckedUpload['problems'][number];

/** The first rows as they will be sent: the value of each cell, or what is wrong with it. */
export function RowPreview({ preview }: { readonly preview: Preview }) {
  return (
    <Table
      caption="First rows as they will be sent"
      rows={preview.rows}
      keyOf={({ row }) => String(row)}
      columns={[
        { name: 'row', label: 'Row', isRowHeader: true, isNumber: true, cell: ({ row }) => row },
        ...preview.labels.map((label, at) => ({
          name: label,
          label,
          cell: ({ cells }: PreviewRow) => <PreviewValue cell={cells[at]} />,
        })),
      ]}
    />
  );
}

function PreviewValue({ cell: { text, problem } }: { readonly cell: PreviewCell }) {
  if (problem !== null) return <span class="wrong">{problem}</span>;
  return text === null ? <span class="quiet">—</span> : <>{text}</>;
}

/** What is wrong before anything is sent. Correct the file or the columns, or send the other rows only. */
export function RowProblems(props: {
  readonly checked: CheckedUpload;
  readonly leavesOut: boolean;
  readonly onLeaveOut: (leavesOut: boolean) => void;
}) {
  const { checked, leavesOut, onLeaveOut } = props;
  const { good_rows: good, bad_rows: bad, problems } = checked;
  if (bad === 0) {
    return <Notice kind="ok">{good === 1 ? 'The row' : `All ${formatCount(good)} rows`} can be sent.</Notice>;
  }
  return (
    <div class="stack">
      <Notice
        kind="warn"
        title={`${formatMany(bad, 'row')} cannot be sent as ${bad === 1 ? 'it is' : 'they are'}.`}
      >
        <p>Choose other columns above, or correct the file and upload it again.</p>
        <ul class="row-problems">
          {problems.slice(0, GROUPS_SHOWN).map((group) => (
            <li key={`${group.label} ${group.column} ${group.example}`}>{sentenceOf(group)}</li>
          ))}
        </ul>
        {problems.length > GROUPS_SHOWN && (
          <p>And {problems.length - GROUPS_SHOWN} other kinds of problems.</p>
        )}
      </Notice>
      {good > 0 && (
        <Checkbox
          label={`Leave ${bad === 1 ? 'this row' : `these ${formatCount(bad)} rows`} out, and send the other ${formatCount(good)}`}
          hint="The download lists them with the reason."
          isChecked={leavesOut}
          onChange={onLeaveOut}
        />
      )}
    </div>
  );
}

/** `Row 17, Bedrooms (column “beds”): “abc” is not a number. Also in rows 19, 22 and 4 more.` */
function sentenceOf({ rows, count, label, column, example }: RowProblem): string {
  const [first, ...others] = rows;
  const where = column === null ? label : `${label} (column “${column}”)`;
  const more = count - rows.length;
  const also =
    others.length === 0
      ? ''
      : ` Also in ${others.length === 1 ? 'row' : 'rows'} ${others.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`;
  return `Row ${first}, ${where}: ${example}.${also}`;
}
