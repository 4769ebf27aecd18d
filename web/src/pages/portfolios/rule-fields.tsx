import { useState } from 'preact/hooks';
import type { WatchRequest } from '../../api/portfolios.ts';
import type { Action } from '../../api/use-request.ts';
import { NameField } from '../../parts/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';
import { numberOrNull, wrongNumber } from '../../parts/number-in.ts';

const EVERY = [
  { value: 'day', label: 'At most once a day' },
  { value: 'week', label: 'At most once a week' },
  { value: 'month', label: 'At most once a month' },
  { value: 'never', label: 'Only when I ask' },
] as const;

/** The fields as they are typed. */
interface TypedRules {
  readonly name: string;
  readonly every: string;
  readonly change: string;
  readonly isOutside: boolean;
  readonly ltv: string;
  readonly miles: string;
}

export const FIRST_RULES: Omit<TypedRules, 'name'> = {
  every: 'day',
  change: '5',
  isOutside: true,
  ltv: '',
  miles: '',
};

/** The limits of alerts, and what the API accepts (`AlertRules`). */
const LIMITS = [
  {
    name: 'change',
    label: 'Alert when a value changes by at least, %',
    need: '',
    range: [0.1, 1000],
    sentence: 'Enter a percentage from 0.1 to 1,000, or leave it blank.',
  },
  {
    name: 'ltv',
    label: 'Alert when loans exceed, % of the value',
    need: ' The homes need loan balances.',
    range: [1, 1000],
    sentence: 'Enter a percentage from 1 to 1,000, or leave it blank.',
  },
  {
    name: 'miles',
    label: 'Alert about new sales within, miles',
    need: '',
    range: [0, 5],
    sentence: 'Enter miles from 0 to 5, or leave it blank.',
  },
] as const;

export type Rules = ReturnType<typeof useRules>;

/** The name of a portfolio, when it is valued, and what its alerts report. */
export function useRules(first: TypedRules) {
  const [typed, setTyped] = useState(first);
  const { name, every, change, isOutside, ltv, miles } = typed;
  const body: WatchRequest = {
    name,
    revalue_every: EVERY.find(({ value }) => value === every)?.value ?? 'day',
    alerts: {
      change_pct: numberOrNull(change),
      outside_range: isOutside,
      ltv_pct: numberOrNull(ltv),
      sold_within_mi: numberOrNull(miles),
    },
  };
  return {
    typed,
    set: (some: Partial<TypedRules>): void => setTyped((before) => ({ ...before, ...some })),
    // An empty limit means no such alerts, so that one which cannot be read must not be sent.
    isValid: LIMITS.every(
      ({ name: limit, range, sentence }) => wrongNumber(typed[limit], range, sentence) === null,
    ),
    body,
  };
}

export function RuleFields({ rules, doing }: { readonly rules: Rules; readonly doing: Action }) {
  const { typed, set } = rules;
  const [change, ltv, miles] = LIMITS.map(({ name, label, need, range, sentence }) => (
    <TextField
      key={name}
      label={label}
      hint={`Leave it blank for no such alerts.${need}`}
      inputMode="decimal"
      value={typed[name]}
      error={wrongNumber(typed[name], range, sentence)}
      onInput={(text) => set({ [name]: text })}
    />
  ));
  return (
    <>
      <NameField value={typed.name} onInput={(name) => set({ name })} creating={doing} />
      <SelectField
        label="Value again"
        value={typed.every}
        choices={EVERY}
        onInput={(every) => set({ every })}
      />
      {change}
      <Checkbox
        label="Alert when a value is outside the 90% range of the run before"
        isChecked={typed.isOutside}
        onChange={(isOutside) => set({ isOutside })}
      />
      {ltv}
      {miles}
    </>
  );
}
