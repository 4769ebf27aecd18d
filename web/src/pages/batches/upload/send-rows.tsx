import type { Static } from 'typebox';
import type { UsageBody } from '../../../../../src/schemas/usage.ts';
import { request } from '../../../api/request.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Button } from '../../../parts/button.tsx';
import { TextField } from '../../../parts/field.tsx';
import { formatCount, formatDay, formatMany } from '../../../parts/format.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Figures } from '../../../parts/page.tsx';
import { Progress } from '../../../parts/progress.tsx';
import type { Price } from './use-price.ts';

type Usage = Static<typeof UsageBody>;

/** What it can cost and what is left, whom to tell, and the button. */
export function SendRows(props: {
  readonly rows: number;
  readonly price: Price;
  readonly notifyUrl: string;
  readonly onNotifyUrl: (url: string) => void;
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onSend: () => void;
}) {
  const { rows, price, notifyUrl, onNotifyUrl, isReady, isBusy, onSend } = props;
  const usage = useAnswer((signal) => request<Usage>('GET', '/usage', { signal }), []);
  const left = usage.answer?.credits_remaining ?? null;
  const isTooMuch = left !== null && price.credits !== null && price.credits > left;
  return (
    <div class="stack">
      <Figures
        figures={[
          { label: 'Rows to send', value: formatCount(rows) },
          { label: 'Jobs', value: formatCount(price.jobs), note: 'of up to 500 rows each' },
          {
            label: 'Costs at most',
            value: price.credits === null ? '—' : formatMany(price.credits, 'credit'),
            note: 'rows that fail cost nothing',
          },
          { label: 'Left this month', value: leftOf(usage.answer), note: noteOf(usage.answer) },
        ]}
      />
      <PriceAsking price={price} />
      {isTooMuch && (
        <Notice kind="error" title="There are not enough credits left.">
          What it can cost is set aside when a job is taken on. Send fewer rows, or wait for the next month.
        </Notice>
      )}
      <TextField
        label="Tell a program when each job ends (optional)"
        inputMode="url"
        value={notifyUrl}
        onInput={onNotifyUrl}
        placeholder="https://hooks.example.com/plumbline"
        hint="The results of each job are posted to this public address, signed with the secret of your account. Leave it empty to follow the jobs here."
      />
      <div>
        <Button
          kind="primary"
          busy={isBusy && 'Keeping the file …'}
          isDisabled={!isReady || isTooMuch}
          onClick={onSend}
        >
          {`Value ${formatMany(rows, 'row')}`}
        </Button>
      </div>
    </div>
  );
}

function PriceAsking({ price }: { readonly price: Price }) {
  const { isAsking, asked, jobs, waiting, problem, credits, ask } = price;
  if (problem !== null) {
    return (
      <Notice kind="error">
        <p>{problem}</p>
        <div class="row">
          <Button isSmall onClick={ask}>
            Ask again
          </Button>
        </div>
      </Notice>
    );
  }
  if (isAsking && jobs > 1) {
    const label = `Asking what each job can cost: ${formatCount(asked)} of ${formatCount(jobs)} …`;
    return <Progress label={label} value={asked} max={jobs} note={waiting ?? undefined} />;
  }
  if (isAsking || credits !== null || jobs === 0) return null;
  return (
    <div>
      <Button onClick={ask}>Ask what it can cost</Button>
    </div>
  );
}

function leftOf(usage: Usage | null): string {
  if (usage === null) return '—';
  return usage.credits_remaining === null ? 'unlimited' : formatMany(usage.credits_remaining, 'credit');
}

function noteOf(usage: Usage | null): string | undefined {
  if (usage === null) return undefined;
  return usage.credits_limit === null ? 'this plan has no cap' : `until ${formatDay(usage.resets_at)}`;
}
