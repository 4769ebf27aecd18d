import { useMemo } from 'preact/hooks';
import { Checkbox } from '../../../parts/field.tsx';
import { formatCount, formatMany } from '../../../parts/format.ts';
import { Notice } from '../../../parts/notice.tsx';
import { groupProblems, type MadeItems, type ProblemGroup } from '../request/make-items.ts';

const GROUPS_SHOWN = 20;
const ROWS_SHOWN = 8;

/** What is wrong, before anything is sent: fix the file or the columns, or send the other rows alone. */
export function RowProblems(props: {
  readonly made: MadeItems;
  readonly leavesOut: boolean;
  readonly onLeaveOut: (leavesOut: boolean) => void;
}) {
  const { made, leavesOut, onLeaveOut } = props;
  const groups = useMemo(() => groupProblems(made.problems), [made]);
  if (made.badRows === 0) {
    return <Notice kind="ok">{everyRow(made.items.length)} can be sent.</Notice>;
  }
  return (
    <div class="stack">
      <Notice
        kind="warn"
        title={`${formatMany(made.badRows, 'row')} cannot be sent as ${made.badRows === 1 ? 'it is' : 'they are'}.`}
      >
        <p>Choose other columns above, or correct the file and choose it again.</p>
        <ul class="row-problems">
          {groups.slice(0, GROUPS_SHOWN).map((group) => (
            <li key={`${group.label} ${group.column} ${group.example}`}>{sentenceOf(group)}</li>
          ))}
        </ul>
        {groups.length > GROUPS_SHOWN && <p>And {groups.length - GROUPS_SHOWN} other kinds of problems.</p>}
      </Notice>
      {made.items.length > 0 && (
        <Checkbox
          label={`Leave ${made.badRows === 1 ? 'this row' : `these ${formatCount(made.badRows)} rows`} out, and send the other ${formatCount(made.items.length)}`}
          hint="In the downloaded file they stand with what was wrong."
          isChecked={leavesOut}
          onChange={onLeaveOut}
        />
      )}
    </div>
  );
}

function everyRow(rows: number): string {
  return rows === 1 ? 'The row' : `All ${formatCount(rows)} rows`;
}

/** `Row 17, Bedrooms (column “beds”): “abc” is no number. Also in rows 19, 22 and 4 more.` */
function sentenceOf({ rows, label, column, example }: ProblemGroup): string {
  const [first, ...others] = rows;
  const where = column === null ? label : `${label} (column “${column}”)`;
  const shown = others.slice(0, ROWS_SHOWN);
  const more = others.length - shown.length;
  const also =
    others.length === 0
      ? ''
      : ` Also in ${others.length === 1 ? 'row' : 'rows'} ${shown.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`;
  return `Row ${first}, ${where}: ${example}.${also}`;
}
