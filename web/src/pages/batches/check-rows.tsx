import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../src/domain/valuation-kind.ts';
import { readUsage } from '../../api/account.ts';
import {
  pathOfFile,
  submitUpload,
  type CheckedUpload,
  type Corrections,
  type Mapping,
  type UploadedSheet,
} from '../../api/batches.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { Checkbox, TextField } from '../../parts/field.tsx';
import { formatCount, formatDay, formatMany, formatMoment, UNKNOWN } from '../../parts/format.ts';
import { Figures } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { useHasCreditLimit } from '../../shell/session-context.tsx';
import { failureWords, listRows } from './job-words.tsx';
import { SuggestedAddresses } from './suggested-addresses.tsx';

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
      keyOf={({ row }) => row}
      columns={[
        { label: 'Row', isRowHeader: true, isNumber: true, cell: ({ row }) => row },
        ...preview.labels.map((label, at) => ({
          label,
          cell: ({ cells }: PreviewRow) => <PreviewValue cell={cells[at]} />,
        })),
      ]}
    />
  );
}

function PreviewValue({ cell: { text, problem } }: { readonly cell: PreviewCell }) {
  if (problem !== null) return <span class="wrong">{problem}</span>;
  return text === null ? <span class="quiet">{UNKNOWN}</span> : <>{text}</>;
}

/** What is wrong before anything is sent. Correct the file or the columns, or send the other rows only. */
export function RowProblems(props: {
  readonly checked: CheckedUpload;
  readonly leavesOut: boolean;
  readonly onLeaveOut: (leavesOut: boolean) => void;
  readonly leavesOutRepeats: boolean;
  readonly onLeaveOutRepeats: (leavesOutRepeats: boolean) => void;
  readonly corrections: Corrections;
  readonly onCorrect: (corrections: Corrections) => void;
}) {
  const { checked } = props;
  const { good_rows: good, bad_rows: bad } = checked;
  return (
    <div class="stack">
      <OtherRows checked={checked} />
      {bad === 0 && (
        <Notice kind="ok">{good === 1 ? 'The row' : `All ${formatCount(good)} rows`} can be sent.</Notice>
      )}
      {bad > 0 && <BadRows {...props} />}
      <RepeatedRows {...props} />
      <FailedTries checked={checked} />
      <SuggestedAddresses {...props} />
    </div>
  );
}

/** The same loan or home twice is mostly a mistake of the file, or a second loan: each row is valued and charged. */
function RepeatedRows({
  checked,
  leavesOutRepeats,
  onLeaveOutRepeats,
}: Pick<Parameters<typeof RowProblems>[0], 'checked' | 'leavesOutRepeats' | 'onLeaveOutRepeats'>) {
  const { good_rows: good, repeated_rows: repeated, without_repeats: others } = checked;
  const isCharged = useHasCreditLimit();
  if (repeated.length === 0) return null;
  const notice = (
    <Notice kind="warn" title="Some rows repeat earlier rows.">
      <ul class="small">
        {repeated.map(({ by, count, rows }) => (
          <li key={by}>
            {formatMany(count, 'row')} {count === 1 ? 'has' : 'have'} the same{' '}
            {by === 'reference' ? 'reference' : 'address or coordinates'} as an earlier row:{' '}
            {listRows(
              rows.map(({ row, repeats_row: first }) => `${row} (as row ${first})`),
              count,
            )}
            .
          </li>
        ))}
      </ul>
      <p class="small">Addresses are compared as they are written, before they are located.</p>
      {!leavesOutRepeats && (
        <p>Each row is valued{isCharged && ' and charged'}. Correct the file if rows are not meant twice.</p>
      )}
    </Notice>
  );
  if (others === null) return notice;
  const left = good - others.good_rows;
  return (
    <>
      {notice}
      <Checkbox
        label={`Leave ${left === 1 ? 'the row' : `the ${formatCount(left)} rows`} out that ${left === 1 ? 'repeats' : 'repeat'} a home, and send the other ${formatCount(others.good_rows)}`}
        hint={`The first row of each home is kept${secondLoans(others.second_loans)}. The download lists the rows left out with the reason.`}
        isChecked={leavesOutRepeats}
        onChange={onLeaveOutRepeats}
      />
    </>
  );
}

function secondLoans(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? ', and one row with another loan balance: it is probably a second loan'
    : `, and ${formatCount(count)} rows with another loan balance: they are probably second loans`;
}

/** Rows that can be sent and would have no value: before they are sent, the file can still be corrected. */
function FailedTries({ checked }: { readonly checked: CheckedUpload }) {
  const { good_rows: good, tried_rows: tried, failed_tries: failures } = checked;
  const isCharged = useHasCreditLimit();
  const count = failures.reduce((sum, failure) => sum + failure.count, 0);
  if (count === 0) return null;
  const of = tried === good ? formatMany(good, 'row') : `${formatCount(tried)} rows that were tried`;
  return (
    <Notice
      kind="warn"
      title={`${formatCount(count)} of ${of} ${count === 1 ? 'has' : 'have'} no value with this file.`}
    >
      <ul class="small">
        {failures.map(({ code, count: failed, rows, example }) => {
          const { title, advice } = failureWords(code);
          const [first, ...others] = rows;
          return (
            <li key={code}>
              <strong>
                {title} ({formatMany(failed, 'row')}).
              </strong>{' '}
              {advice} Row {first}: {example}
              {alsoIn(others, failed)}
            </li>
          );
        })}
      </ul>
      <p>
        You can send them all the same: the download says why each has no value.
        {isCharged && ' They cost nothing.'}
      </p>
    </Notice>
  );
}

/** Totals, and rows that are valued without their balance. Nothing has to be done about them. */
function OtherRows({ checked }: { readonly checked: CheckedUpload }) {
  const { total_rows: totals, figure_problems: figures } = checked;
  if (totals.length === 0 && figures.length === 0) return null;
  return (
    <Notice>
      <ul class="small">
        {totals.length > 0 && (
          <li>
            {totals.length === 1
              ? `Row ${totals[0]} is a total, not a property. It is left out.`
              : `Rows ${totals.join(', ')} are totals, not properties. They are left out.`}
          </li>
        )}
        {figures.map((group) => (
          <li key={group.example}>{sentenceOf(group)} The home is valued, without a ratio to this figure.</li>
        ))}
      </ul>
    </Notice>
  );
}

function BadRows({ checked, leavesOut, onLeaveOut }: Parameters<typeof RowProblems>[0]) {
  const { good_rows: good, bad_rows: bad, problems } = checked;
  return (
    <>
      <Notice
        kind="warn"
        title={`${formatMany(bad, 'row')} cannot be sent as ${bad === 1 ? 'it is' : 'they are'}.`}
      >
        <p>Choose other columns above, or correct the file and upload it again.</p>
        <ul class="small">
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
          hint={`The download lists ${bad === 1 ? 'it' : 'them'} with the reason.`}
          isChecked={leavesOut}
          onChange={onLeaveOut}
        />
      )}
    </>
  );
}

/** `Row 17, Bedrooms (column “beds”): “abc” is not a number. Also in rows 19, 22 and 4 more.` */
function sentenceOf({ rows, count, label, column, example }: RowProblem): string {
  const [first, ...others] = rows;
  const where = column === null ? label : `${label} (column “${column}”)`;
  return `Row ${first}, ${where}: ${example}.${alsoIn(others, count)}`;
}

/** ` Also in rows 19, 22 and 4 more.` Empty without others. `count` is of all rows with the problem. */
function alsoIn(others: readonly number[], count: number): string {
  return others.length === 0 ? '' : ` Also in ${listRows(others, count - 1)}.`;
}

/** How many rows are sent, what they may cost, the webhook, and the button that submits the rows. */
export function SubmitRows(props: {
  readonly sheet: UploadedSheet;
  readonly kind: ValuationKind;
  readonly mapping: Mapping;
  readonly corrections: Corrections;
  readonly checked: CheckedUpload;
  /** Whether the rows were checked as they are now, and all is decided. */
  readonly isReady: boolean;
  /** Whether invalid rows are still to be decided on. */
  readonly isUndecided: boolean;
  readonly leavesOutRepeats: boolean;
}) {
  const { sheet, kind, mapping, corrections, checked, isReady, isUndecided, leavesOutRepeats } = props;
  const {
    good_rows: rows,
    jobs,
    credits_max: credits,
  } = (leavesOutRepeats && checked.without_repeats) || checked;
  const [notifyUrl, setNotifyUrl] = useState('');
  const [sendsAgain, setSendAgain] = useState(false);
  const { route } = useLocation();
  const isCharged = useHasCreditLimit();
  const usage = useRequest(async (signal) => (isCharged ? readUsage(null, signal) : null), [isCharged]);
  const left = usage.data?.credits_remaining ?? null;
  const isTooMuch = left !== null && credits > left;
  const [earlier] = sheet.earlier;
  const submitting = useAction(async () => {
    await submitUpload(sheet.id, kind, mapping, corrections, {
      leaves_out_repeats: leavesOutRepeats,
      sends_again: sendsAgain,
      notify_url: notifyUrl.trim() || null,
    });
    route(pathOfFile(sheet.id));
  });
  const urlError = fieldError(submitting.problem, 'notify_url');
  return (
    <div class="stack">
      {earlier && (
        <Notice kind="warn" title={`You sent this file on ${formatMoment(earlier.submitted_at)}.`}>
          <p>
            <a href={pathOfFile(earlier.id)}>See its results</a>. Sending it again values
            {isCharged && ' and charges'} it again.
          </p>
          <Checkbox
            label={`Value${isCharged ? ' and charge' : ''} it again`}
            isChecked={sendsAgain}
            onChange={setSendAgain}
          />
        </Notice>
      )}
      <Figures
        figures={[
          { label: 'Rows to send', value: formatCount(rows) },
          { label: 'Jobs', value: formatCount(jobs), note: 'up to 500 rows each' },
          ...(isCharged
            ? [
                {
                  label: 'Maximum cost',
                  value: formatMany(credits, 'credit'),
                  note: 'failed rows cost nothing',
                },
                {
                  label: 'Left this month',
                  value: left === null ? UNKNOWN : formatMany(left, 'credit'),
                  note: usage.data ? `resets on ${formatDay(usage.data.resets_at)}` : undefined,
                },
              ]
            : []),
        ]}
      />
      {isTooMuch && (
        <Notice kind="error" title="Not enough credits.">
          The maximum cost of a job is reserved when it is created. Send fewer rows, or wait for the next
          month.
        </Notice>
      )}
      <TextField
        label="Webhook URL (optional)"
        inputMode="url"
        value={notifyUrl}
        error={urlError}
        onInput={setNotifyUrl}
        placeholder="https://hooks.example.com/plumbline"
        hint="Each finished job is posted to this public address, signed with your account’s secret. Leave it blank to follow the jobs here."
      />
      {isUndecided && (
        <p>
          {formatMany(checked.bad_rows, 'row')} cannot be sent: leave {checked.bad_rows === 1 ? 'it' : 'them'}{' '}
          out under Check above, or correct the file.
        </p>
      )}
      <div>
        <Button
          kind="primary"
          busy={submitting.isBusy && 'Creating the jobs …'}
          isDisabled={!isReady || isTooMuch || (earlier !== undefined && !sendsAgain)}
          onClick={() => void submitting.run()}
        >
          {`Value ${formatMany(rows, 'row')}`}
        </Button>
      </div>
      {submitting.problem && urlError === null && <ProblemNotice problem={submitting.problem} />}
    </div>
  );
}
