import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import {
  pathOfFile,
  submitUpload,
  type CheckedUpload,
  type Mapping,
  type UploadedSheet,
} from '../../../api/uploads.ts';
import { readUsage, type Usage } from '../../../api/usage.ts';
import { useAction, useAnswer } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { Checkbox, TextField } from '../../../parts/field.tsx';
import { formatCount, formatDay, formatMany, formatMoment } from '../../../parts/format.ts';
import { Notice, ProblemNotice } from '../../../parts/notice.tsx';
import { Figures } from '../../../parts/page.tsx';

/** What the rows can cost and what is left, where results are posted, and the button. */
export function SubmitRows(props: {
  readonly sheet: UploadedSheet;
  readonly kind: ValuationKind;
  readonly mapping: Mapping;
  readonly checked: CheckedUpload;
}) {
  const { sheet, kind, mapping, checked } = props;
  const { good_rows: rows, jobs, credits_max: credits } = checked;
  const [notifyUrl, setNotifyUrl] = useState('');
  const [sendsAgain, setSendAgain] = useState(false);
  const { route } = useLocation();
  const usage = useAnswer((signal) => readUsage(null, signal), []);
  const left = usage.answer?.credits_remaining ?? null;
  const isTooMuch = left !== null && credits > left;
  const [earlier] = sheet.earlier;
  const submitting = useAction(async () => {
    await submitUpload(sheet.id, { kind, mapping, sendsAgain, notifyUrl: notifyUrl.trim() || null });
    route(pathOfFile(sheet.id));
  });
  return (
    <div class="stack">
      {earlier && (
        <Notice kind="warn" title={`You sent this file on ${formatMoment(earlier.submitted_at)}.`}>
          <p>
            <a href={pathOfFile(earlier.id)}>See its results</a>. Sending it again values and charges it
            again.
          </p>
          <Checkbox label="Value and charge it again" isChecked={sendsAgain} onChange={setSendAgain} />
        </Notice>
      )}
      <Figures
        figures={[
          { label: 'Rows to send', value: formatCount(rows) },
          { label: 'Jobs', value: formatCount(jobs), note: 'up to 500 rows each' },
          { label: 'Maximum cost', value: formatMany(credits, 'credit'), note: 'failed rows cost nothing' },
          { label: 'Left this month', value: leftOf(usage.answer), note: noteOf(usage.answer) },
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
        onInput={setNotifyUrl}
        placeholder="https://hooks.example.com/plumbline"
        hint="Each finished job is posted to this public address, signed with your account’s secret. Leave it blank to follow the jobs here."
      />
      <div>
        <Button
          kind="primary"
          busy={submitting.isBusy && 'Creating the jobs …'}
          isDisabled={isTooMuch || (earlier !== undefined && !sendsAgain)}
          onClick={() => void submitting.run()}
        >
          {`Value ${formatMany(rows, 'row')}`}
        </Button>
      </div>
      {submitting.problem && <ProblemNotice problem={submitting.problem} />}
    </div>
  );
}

function leftOf(usage: Usage | null): string {
  if (usage === null) return '—';
  return usage.credits_remaining === null ? 'unlimited' : formatMany(usage.credits_remaining, 'credit');
}

function noteOf(usage: Usage | null): string | undefined {
  if (usage === null) return undefined;
  return usage.credits_limit === null ? 'no limit in this plan' : `resets on ${formatDay(usage.resets_at)}`;
}
