import { useState } from 'preact/hooks';
import { setLimits, type Account, type AccountLimits, type Plan } from '../../api/account.ts';
import { fieldError } from '../../api/problem.ts';
import { useAction } from '../../api/use-request.ts';
import { FormDialog, ReasonField } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatCount } from '../../parts/format.ts';
import { numberOrNull } from '../../parts/number-in.ts';

const LIMITS = [
  { name: 'per_second', label: 'Requests per second', ofPlan: ({ requests }: Plan) => requests.per_second },
  { name: 'per_minute', label: 'Requests per minute', ofPlan: ({ requests }: Plan) => requests.per_minute },
  { name: 'per_day', label: 'Requests per day', ofPlan: ({ requests }: Plan) => requests.per_day },
  { name: 'credits_per_month', label: 'Credits per month', ofPlan: (plan: Plan) => plan.credits_per_month },
  { name: 'open_jobs', label: 'Batches at a time', ofPlan: (plan: Plan) => plan.open_jobs },
  {
    name: 'batch_items_per_day',
    label: 'Items of batches per day',
    ofPlan: (plan: Plan) => plan.batch_items_per_day,
  },
  { name: 'stored_mb', label: 'Megabytes kept', ofPlan: (plan: Plan) => plan.stored_mb },
] as const;

/** `Credits per month 50,000` */
export function limitsInWords(limits: AccountLimits): string {
  return LIMITS.flatMap(({ name, label }) => {
    const limit = limits[name];
    return limit === null ? [] : [`${label.toLowerCase()}: ${formatCount(limit)}`];
  }).join(', ');
}

/** Limits of one account in place of its plan's. */
export function LimitsDialog(props: {
  readonly account: Account;
  readonly plans: readonly Plan[];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const { account, plans, onChanged, onClose } = props;
  const plan = plans.find(({ name }) => name === account.plan);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(LIMITS.map(({ name }) => [name, String(account.limits?.[name] ?? '')])),
  );
  const [reason, setReason] = useState('');
  const limitOf = (name: keyof AccountLimits): number | null => numberOrNull(texts[name] ?? '');
  const changing = useAction(async () => {
    await setLimits(account.id, {
      per_second: limitOf('per_second'),
      per_minute: limitOf('per_minute'),
      per_day: limitOf('per_day'),
      credits_per_month: limitOf('credits_per_month'),
      open_jobs: limitOf('open_jobs'),
      batch_items_per_day: limitOf('batch_items_per_day'),
      stored_mb: limitOf('stored_mb'),
      reason: reason.trim(),
    });
    onChanged();
    onClose();
  });
  return (
    <FormDialog
      title={`Limits of ${account.name}`}
      action="Change limits"
      busy="Changing …"
      isDisabled={LIMITS.some(({ name }) => Number.isNaN(limitOf(name)))}
      doing={changing}
      onClose={onClose}
    >
      <p class="quiet small">
        A limit that you enter replaces the one of the plan “{account.plan}” within 10 seconds. Leave the
        others blank.
      </p>
      {LIMITS.map(({ name, label, ofPlan }) => {
        const limit = plan ? ofPlan(plan) : null;
        return (
          <TextField
            key={name}
            label={label}
            inputMode="numeric"
            value={texts[name] ?? ''}
            onInput={(text) => setTexts((before) => ({ ...before, [name]: text }))}
            hint={`Plan: ${limit === null ? 'no limit' : formatCount(limit)}`}
            error={
              Number.isNaN(limitOf(name))
                ? 'Enter a whole number, or leave it blank.'
                : fieldError(changing.problem, name)
            }
          />
        );
      })}
      <ReasonField value={reason} onInput={setReason} hint="The audit log keeps it." doing={changing} />
    </FormDialog>
  );
}
